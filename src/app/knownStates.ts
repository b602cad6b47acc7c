/**
 * What else is known of a path's present state when it is not what the session's agent left there: a result of our own
 * operations (nobody's work is lost with it), or the work of another session (which a conflict names).
 */
import { sameKey } from '../checkpoint/canonicalKey.ts';
import type { Journal } from '../checkpoint/journal.ts';
import { keptBytes } from '../checkpoint/keptBytes.ts';
import type { KnownStates } from '../checkpoint/rewindFacts.ts';
import { agentName } from '../core/agentName.ts';
import type { Root, SessionId } from '../core/ids.ts';
import { asTurnId } from '../core/ids.ts';
import { cutGraphemes } from '../core/label.ts';
import { compareStates, type PathState } from '../core/state.ts';
import { statement } from '../session/statements.ts';
import { operationsOf, turnById } from '../session/timelineStore.ts';
import type { IngestContext } from './ingest.ts';
import { journalsOf } from './operations.ts';
import { checkpointOf } from './turnFiles.ts';

export function knownStates(
  context: IngestContext,
  root: Root,
  session: SessionId,
  unsaved: ReadonlySet<string> = new Set(),
): KnownStates {
  // Read at the first need only: there may be many operations, and mostly everything is as the agent left it.
  let results: OwnResults | undefined;
  const own = () => {
    results ??= ownResults(context, root);
    return results;
  };
  const takenBack = takenBackIn(context, root, session);
  const has = (results: Results, path: string, state: PathState) =>
    (results.get(path) ?? []).some((other) => compareStates(other, state) === 'same');
  return {
    unsaved,
    isTakenBack: (seq) => takenBack.has(seq),
    isWrittenByUs: (path, state) => has(own().written, path, state),
    isMergedByUs: (path, state) => has(own().merged, path, state),
    broughtBack: (path, state) => broughtBack(own().rejoined.get(path) ?? [], state),
    authorOf: (path, present) => authorOf(context, root, session, path, present),
    keptBytes: keptBytes(context.home, root),
  };
}

/**
 * Turns whose pre-images do not count: those a rewind took back. The pre-images of a reverted turn are still the earliest
 * for what came later, until a rewind goes back to before it; it bears the mark of the revert all the same.
 */
function takenBackIn(context: IngestContext, root: Root, session: SessionId): ReadonlySet<number> {
  const marked = statement(
    context.database,
    'SELECT t.seq, o.kind FROM turns t JOIN operations o ON o.id = t.rewound_by WHERE t.session = ?',
  ).all(session);
  const marks = marked.map((row) => ({
    seq: Number(row['seq']),
    isRewound: row['kind'] === 'rewind',
  }));
  const rewound = marks.filter(({ isRewound }) => isRewound).map(({ seq }) => seq);
  const reverted = marks.filter(({ isRewound }) => !isRewound).map(({ seq }) => seq);
  if (reverted.length === 0) return new Set(rewound);
  const passed = new Set(
    rewindsInForce(context, root, session).flatMap(({ effect }) => effect.seqs),
  );
  return new Set([...rewound, ...reverted.filter((seq) => passed.has(seq))]);
}

function rewindsInForce(
  context: IngestContext,
  root: Root,
  session: SessionId,
): readonly Journal[] {
  const standing = operationsOf(context.database, root).filter(
    (operation) =>
      operation.kind === 'rewind' && !operation.undone && operation.session === session,
  );
  const ids = new Set(standing.map((operation) => operation.id));
  return journalsOf(context, root).filter((journal) => ids.has(journal.operation));
}

type Results = ReadonlyMap<string, readonly PathState[]>;

interface OwnResults {
  readonly written: Results;
  readonly merged: Results;
  readonly rejoined: ReadonlyMap<string, readonly Rejoined[]>;
}

/** What an undo merged, and the turns that came back with it. */
interface Rejoined {
  readonly from: PathState;
  readonly to: PathState;
  readonly seqs: readonly number[];
}

/** Of this undo, and of those whose result it merged with. */
function broughtBack(all: readonly Rejoined[], state: PathState): readonly number[] | undefined {
  const index = all.findLastIndex(({ to }) => compareStates(to, state) === 'same');
  const found = all[index];
  if (found === undefined) return undefined;
  return [...found.seqs, ...(broughtBack(all.slice(0, index), found.from) ?? [])];
}

/** What our operations wrote. What an undo put back was there before and may be anybody's, so it does not count. */
function ownResults(context: IngestContext, root: Root): OwnResults {
  const written = new Map<string, PathState[]>();
  const merged = new Map<string, PathState[]>();
  const rejoined = new Map<string, Rejoined[]>();
  for (const journal of journalsOf(context, root)) {
    if (journal.phase !== 'done') continue;
    const isUndo = journal.kind === 'redo';
    const { kind, seqs } = journal.effect;
    const isBack = isUndo && (kind === 'bringBack' || kind === 'unmark');
    for (const step of journal.steps) {
      if (step.merged === 'person' || (isUndo && step.merged === undefined)) continue;
      if (isBack) {
        const { path, from, to } = step;
        rejoined.set(path, [...(rejoined.get(path) ?? []), { from, to, seqs }]);
        continue;
      }
      const results = step.merged === 'agents' ? merged : written;
      results.set(step.path, [...(results.get(step.path) ?? []), step.to]);
    }
  }
  return { written, merged, rejoined };
}

/** A sentence naming the turn of another session that left the path as it is now. */
function authorOf(
  context: IngestContext,
  root: Root,
  session: SessionId,
  path: string,
  present: PathState,
): string | undefined {
  const rows = statement(
    context.database,
    `SELECT t.id FROM touches x JOIN turns t ON t.id = x.turn
       WHERE x.path = ? AND t.root = ? AND t.session <> ? ORDER BY t.started_at DESC LIMIT 5`,
  ).all(path, root, session);
  for (const row of rows) {
    const turn = turnById(context.database, asTurnId(String(row['id'])));
    const checkpoint = turn && checkpointOf(turn);
    if (!turn || !checkpoint || 'problems' in checkpoint) continue;
    const after = checkpoint.manifest.files.find((file) => sameKey(file.path, path))?.after;
    if (after && compareStates(after, present) === 'same') {
      const title = cutGraphemes(sessionTitle(context, turn.session), 60);
      return `Turn ${turn.number} of “${title}” (${agentName(turn.agent) ?? turn.agent}) wrote it since.`;
    }
  }
  return undefined;
}

function sessionTitle({ database }: IngestContext, session: SessionId): string {
  const row = statement(database, 'SELECT title FROM sessions WHERE id = ?').get(session);
  return String(row?.['title'] ?? session);
}
