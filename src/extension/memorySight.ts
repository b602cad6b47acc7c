/** What the Memory view shows, read from the app at one moment. No vscode. */
import type { ShownDocuments, ShownPresets } from '../app/memoryContextUse.ts';
import type { MemoryUse, MemoryVersion } from '../app/memoryUse.ts';
import type { TimelineApp } from '../app/timelineApp.ts';
import type { ComposedSource } from '../core/composedMemory.ts';
import { isUserError } from '../core/errors.ts';
import type { Root, TurnId } from '../core/ids.ts';
import type {
  Fact,
  FactScope,
  FactSheet,
  MemoryOrigin,
  MemoryProblem,
  NoteSummary,
  PendingWrite,
} from '../core/memory.ts';

import type { MemoryNode } from './memoryNode.ts';

export interface MemorySight {
  /** Null: what is remembered for all projects only. */
  readonly root: Root | null;
  readonly notes: readonly NoteSummary[];
  readonly sheets: readonly FactSheet[];
  /** Who wrote a fact as it stands, by `scope key`; missing: written by hand, or before this was kept. */
  readonly factOrigins: ReadonlyMap<string, MemoryOrigin>;
  readonly documents: ShownDocuments;
  readonly presets: ShownPresets;
  readonly portraits: readonly ComposedSource[];
  /** The portrait that is edited; it need not be there. */
  readonly portraitFile: string;
  readonly waiting: readonly PendingWrite[];
  readonly problems: readonly MemoryProblem[];
  /** Numbers of the turns that wrote; of those that are gone nothing is known. */
  readonly turnNumbers: ReadonlyMap<TurnId, number>;
}

/** @param root null: of no folder, as for one that is not trusted. @throws UserError when memory cannot be read. */
export async function readMemorySight(
  app: Pick<TimelineApp, 'memory' | 'memoryContext' | 'turn'>,
  root: Root | null,
): Promise<MemorySight> {
  const [memory, context] = await Promise.all([app.memory(), app.memoryContext()]);
  const [notes, sheets, waiting] = await Promise.all([
    memory.list(root),
    memory.facts(root),
    memory.pending(root),
  ]);
  const factOrigins = await originsOf(memory, root, sheets);
  const shown = context.show(root);
  const origins = [
    ...notes.map(({ origin }) => origin),
    ...factOrigins.values(),
    ...waiting.map(({ origin }) => origin),
  ];
  return {
    root,
    notes,
    sheets,
    factOrigins,
    documents: shown.documents,
    presets: context.presets(),
    portraits: shown.composed.sources.filter(({ kind }) => kind === 'portrait'),
    portraitFile: context.portraitFile(),
    waiting,
    problems: shown.problems,
    turnNumbers: numbersOf(app, origins),
  };
}

async function originsOf(
  memory: MemoryUse,
  root: Root | null,
  sheets: readonly FactSheet[],
): Promise<ReadonlyMap<string, MemoryOrigin>> {
  const origins = new Map<string, MemoryOrigin>();
  for (const { scope, facts } of sheets) {
    if (facts.length === 0) continue;
    const versions = await memory.history(root, scope);
    for (const fact of facts) {
      const origin = originOf(fact, versions);
      if (origin !== undefined) origins.set(factName(scope, fact.key), origin);
    }
  }
  return origins;
}

/** How a fact is named among those of all scopes. */
export function factName(scope: FactScope, key: string): string {
  return `${scope} ${key}`;
}

/** Who wrote what a row stands for; undefined where nobody knows. */
export function originOfNode(node: MemoryNode, sight: MemorySight): MemoryOrigin | undefined {
  switch (node.kind) {
    case 'note': {
      const note = sight.notes.find(
        ({ scope, name }) => scope === node.scope && name === node.name,
      );
      return note?.origin ?? undefined;
    }
    case 'fact':
      return sight.factOrigins.get(factName(node.scope, node.key));
    case 'waiting':
      return sight.waiting.find(({ id }) => id === node.waiting)?.origin;
    default:
      return undefined;
  }
}

/** Who gave a fact the value it has. @param versions newest first; a change by hand in between is nobody's */
export function originOf(
  { key, value }: Fact,
  versions: readonly MemoryVersion[],
): MemoryOrigin | undefined {
  const made = versions.find(({ before, after }) => {
    const then = valueIn(after, key);
    return then !== valueIn(before, key) || then !== value;
  });
  return made !== undefined && valueIn(made.after, key) === value ? made.touch.origin : undefined;
}

function valueIn(text: string | null | undefined, key: string): string | undefined {
  const line = text?.split(/\r?\n/).findLast((each) => each.split(':', 1)[0]?.trim() === key);
  return line?.slice(line.indexOf(':') + 1).trim();
}

function numbersOf(
  app: Pick<TimelineApp, 'turn'>,
  origins: readonly (MemoryOrigin | null)[],
): ReadonlyMap<TurnId, number> {
  const turns = new Set(origins.flatMap((origin) => origin?.turn ?? []));
  const numbers = new Map<TurnId, number>();
  for (const turn of turns) {
    try {
      numbers.set(turn, app.turn(turn).number);
    } catch (error) {
      if (!isUserError(error, 'notFound')) throw error;
    }
  }
  return numbers;
}
