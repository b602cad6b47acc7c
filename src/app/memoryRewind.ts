/**
 * What going back does to memory: the same rules as for files, decided from three states of each file of memory (before
 * the turns, as they left it, as it is). The bytes of all of them are in the database.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { hashBytes } from '../base/hash.ts';
import { memoryFolder } from '../base/home.ts';
import type { MemoryStep } from '../checkpoint/journal.ts';
import { agentName } from '../core/agentName.ts';
import { isUserError, UserError } from '../core/errors.ts';
import type { OperationId, TurnId } from '../core/ids.ts';
import type { MemoryTouch } from '../core/memory.ts';
import {
  goneOutcome,
  keptOutcome,
  type Moment,
  mergedOutcome,
  outcomeOf,
} from '../core/pathOutcome.ts';
import { choiceFor, type Decision, decide } from '../core/rewindPlan.ts';
import { absent, type PathState } from '../core/state.ts';
import type { MemoryPreview, Mergeability, PathOutcome } from '../core/timeline.ts';
import { type MergeOutcome, mergeFiles } from '../git/mergeFiles.ts';
import { readMemoryFile } from '../memory/memoryFile.ts';
import type { Database } from '../session/database.ts';
import {
  keepMemoryContent,
  memoryContent,
  touchesOfOperation,
  touchesOfPath,
  touchesOfTurns,
} from '../session/memoryTouches.ts';
import { lineCounts } from './lineCounts.ts';
import { placeSince } from './memoryMoves.ts';
import type { OperationContext } from './operations.ts';
import type { RewindOptions } from './timelineApp.ts';

/** One file of memory that went from `target` to `left`. */
export interface MemoryFact {
  readonly path: string;
  /** Hashes; null: no file. */
  readonly target: string | null;
  readonly left: string | null;
  /** Why going back may lose somebody else's work. */
  readonly doubt?: string;
}

/** What these turns did to memory, by path. */
export function memoryOfTurns(
  { database }: OperationContext,
  turns: readonly TurnId[],
): readonly MemoryFact[] {
  return factsOf(database, touchesOfTurns(database, turns));
}

/** What an operation did to memory: taking it back is the same the other way round. */
export function memoryOfOperation(
  { database }: OperationContext,
  operation: OperationId,
): readonly MemoryFact[] {
  return factsOf(database, touchesOfOperation(database, operation));
}

/** What a person moved to the other scope since is looked for there. */
function factsOf(database: Database, touches: readonly MemoryTouch[]): readonly MemoryFact[] {
  const groups = Map.groupBy(touches, (touch) => placeSince(database, touch));
  return [...groups].flatMap(([at, group]): readonly MemoryFact[] => {
    const [first, last] = [group.at(0), group.at(-1)];
    if (first === undefined || last === undefined) return [];
    const isBroken = group.some((touch, n) => n > 0 && touch.before !== group[n - 1]?.after);
    const doubt = isBroken
      ? 'Somebody else changed it between these turns.'
      : group.some(({ path: then }) => then !== at)
        ? 'You moved it to the other scope since.'
        : undefined;
    return [
      {
        path: at,
        target: first.before,
        left: last.after,
        ...(doubt !== undefined && { doubt }),
      },
    ];
  });
}

export interface PlannedMemory {
  readonly steps: readonly MemoryStep[];
  readonly outcomes: readonly PathOutcome[];
  /** Conflicts that stay as they are. */
  readonly kept: readonly string[];
}

/** @throws UserError `conflicts` when the choice is to fail on them, `damaged` for bytes that are gone unless `partial` */
export function planMemory(
  context: OperationContext,
  facts: readonly MemoryFact[],
  options: RewindOptions,
  moment: Moment,
): PlannedMemory {
  const steps: MemoryStep[] = [];
  const outcomes: PathOutcome[] = [];
  const kept: string[] = [];
  for (const looked of facts.map((fact) => look(context, fact))) {
    const { decision, fact, present, bytes } = looked;
    const { path: at } = fact;
    const step = (to: string | null) => {
      // Who takes this operation back needs what is there now, and nobody else may have kept it.
      if (bytes !== undefined) keepMemoryContent(context.database, bytes);
      steps.push({ path: at, from: present, to });
    };
    switch (decision.kind) {
      case 'none':
        outcomes.push(outcomeOf(at, 'none', moment));
        break;
      case 'apply':
        step(fact.target);
        outcomes.push(outcomeOf(at, decision.act, moment));
        break;
      case 'notRestorable':
        if (!options.partial)
          throw new UserError(
            'damaged',
            `${at} of memory: ${decision.reason} Nothing was changed.`,
            {
              path: at,
            },
          );
        outcomes.push({ path: at, result: 'notRestorable', why: `${decision.reason} It stays.` });
        break;
      case 'conflict': {
        const choice = choiceFor(at, options.memoryChoices, options.conflicts);
        const merged = choice === 'merge' ? merge(context, looked) : undefined;
        if (choice === 'fail')
          throw new UserError('conflicts', `${at} of memory: ${decision.reason}`, { path: at });
        if (choice === 'take') {
          step(fact.target);
          outcomes.push(outcomeOf(at, decision.act, moment, ` ${decision.reason}`));
        } else if (merged?.kind === 'clean') {
          const to = keepMemoryContent(context.database, merged.bytes);
          if (to !== present) step(to);
          outcomes.push(
            to === present ? goneOutcome(at, moment) : mergedOutcome(at, decision.reason, moment),
          );
        } else {
          kept.push(at);
          outcomes.push(keptOutcome(at, decision.reason, choice === 'merge'));
        }
      }
    }
  }
  return { steps, outcomes, kept };
}

/** Looks only. Undefined where there is nothing to tell. */
export function previewMemory(
  context: OperationContext,
  facts: readonly MemoryFact[],
): MemoryPreview | undefined {
  if (facts.length === 0) return undefined;
  const all = facts.map((fact) => look(context, fact));
  return {
    paths: all.flatMap((looked) =>
      looked.decision.kind === 'apply'
        ? [
            {
              path: looked.fact.path,
              act: looked.decision.act,
              unverified: false,
              ...lineCounts(bytesOf(context, looked.present), bytesOf(context, looked.fact.target)),
            },
          ]
        : [],
    ),
    conflicts: all.flatMap((looked) =>
      looked.decision.kind === 'conflict'
        ? [
            {
              path: looked.fact.path,
              act: looked.decision.act,
              reason: looked.decision.reason,
              merge: mergeability(merge(context, looked)),
            },
          ]
        : [],
    ),
    notRestorable: all.flatMap(({ fact, decision }) =>
      decision.kind === 'notRestorable' ? [{ path: fact.path, reason: decision.reason }] : [],
    ),
  };
}

interface Looked {
  readonly fact: MemoryFact;
  readonly decision: Decision;
  readonly present: string | null;
  /** Of the present file. */
  readonly bytes: Uint8Array | undefined;
}

function look(context: OperationContext, fact: MemoryFact): Looked {
  const file = fileOf(context.home, fact.path);
  const { bytes, problem } = read(file);
  const present = bytes === undefined ? null : hashBytes(bytes);
  const isGone = fact.target !== null && memoryContent(context.database, fact.target) === undefined;
  const hindrance = problem ?? (isGone ? 'What it was before is not kept.' : undefined);
  const decision = decide({
    path: fact.path,
    target: stateOf(fact.target),
    verified: true,
    left: stateOf(fact.left),
    present: problem === undefined ? stateOf(present) : { kind: 'other' },
    unsaved: false,
    hindrance,
    doubt: fact.doubt,
    author: authorOf(context, fact.path, present),
  });
  return { fact, decision, present, bytes };
}

function read(file: string): { readonly bytes?: Uint8Array; readonly problem?: string } {
  try {
    const bytes = readMemoryFile(file);
    return bytes === undefined ? {} : { bytes };
  } catch (error) {
    if (!isUserError(error, 'fileSystem')) throw error;
    return { problem: error.message };
  }
}

/** Who left it as it is, when we know. */
function authorOf(
  { database }: OperationContext,
  at: string,
  present: string | null,
): string | undefined {
  const last = touchesOfPath(database, at).at(-1);
  if (last === undefined || last.after !== present) return undefined;
  const { actor, agent } = last.origin;
  if (actor === 'agent') return `${agentName(agent ?? '') ?? 'An agent'} changed it further since.`;
  return actor === 'person' ? 'You changed it since.' : undefined;
}

function merge(context: OperationContext, { fact, bytes }: Looked): MergeOutcome {
  const impossible: MergeOutcome = { kind: 'impossible', reason: 'There are no three texts.' };
  const [base, theirs] = [bytesOf(context, fact.left), bytesOf(context, fact.target)];
  if (fact.left === null || fact.target === null || fact.doubt !== undefined) return impossible;
  if (bytes === undefined || base === undefined || theirs === undefined) return impossible;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-memory-'));
  try {
    const [mine = '', before = '', after = ''] = [bytes, base, theirs].map((each, n) => {
      const file = path.join(folder, String(n));
      fs.writeFileSync(file, each, { mode: 0o600 });
      return file;
    });
    return mergeFiles(mine, before, after, folder, context.environment);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function mergeability({ kind }: MergeOutcome): Mergeability {
  return kind === 'conflict' ? 'byHand' : kind;
}

/** Empty for no file; undefined where they are not kept. */
function bytesOf({ database }: OperationContext, hash: string | null): Uint8Array | undefined {
  return hash === null ? new Uint8Array() : memoryContent(database, hash);
}

/** Modes and sizes say nothing here. */
function stateOf(hash: string | null): PathState {
  return hash === null ? absent : { kind: 'file', mode: 0o600, size: 0, sha256: hash };
}

export function fileOf(home: string, at: string): string {
  return path.join(memoryFolder(home), ...at.split('/'));
}
