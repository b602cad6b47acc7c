/** The use cases of going back: who may, what the checkpoint layer must know, and what is recorded. */
import { inverseOf, type Journal, readJournal } from '../checkpoint/journal.ts';
import { checkpointPlace } from '../checkpoint/places.ts';
import { redoSpan } from '../checkpoint/redoSpan.ts';
import { restoreFacts } from '../checkpoint/restoreFacts.ts';
import { revertFacts } from '../checkpoint/revertFacts.ts';
import { type RewindSpan, rewindFacts } from '../checkpoint/rewindFacts.ts';
import { UserError } from '../core/errors.ts';
import { asSessionId, type OperationId, type Root } from '../core/ids.ts';
import { takenBackLabel } from '../core/operationLabel.ts';
import { momentOf } from '../core/pathOutcome.ts';
import type { OperationReport, PathOutcome } from '../core/timeline.ts';
import {
  operationsOf,
  type StoredTurn,
  takenBackBefore,
  turnById,
  turnsOf,
} from '../session/timelineStore.ts';
import { hasCopy } from './archives.ts';
import { closeTurn, type IngestContext } from './ingest.ts';
import { knownStates } from './knownStates.ts';
import { memoryOfOperation, memoryOfTurns } from './memoryRewind.ts';
import { exclusively, type Intent, type OperationContext, perform } from './operations.ts';
import { reconstructedTarget } from './reconstructed.ts';
import type { RewindOptions, Side } from './timelineApp.ts';
import { hasCheckpoint, sideFile } from './turnFiles.ts';

/** Files back to before a turn. @throws UserError: see `TimelineApp.rewind`. */
export function rewind(
  context: OperationContext,
  asked: StoredTurn,
  options: RewindOptions,
): Promise<OperationReport> {
  const { root, session, seq, number } = asked;
  return exclusively(context, root, async () => {
    const turns = spanTurns(context, fresh(context, asked));
    closeRunning(context, turns, options);
    const span = rewindFacts(
      root,
      session,
      seq,
      knownStates(context, root, session, options.unsaved),
    );
    // Also what only the disk knows: a checkpoint whose turn was lost with the database.
    const seqs = new Set([...turns, ...span.checkpoints].map((one) => one.seq));
    const report = await perform(
      context,
      span,
      {
        kind: 'rewind',
        label: `Rewound to before turn ${number}`,
        moment: 'the turn',
        effect: { kind: 'takeBack', seqs: [...seqs].sort((a, b) => a - b) },
        reverted: revertedBefore(context, asked),
        seq,
        turns: turns.map((t) => t.id),
        ...memoryPart(context, turns, options),
      },
      options,
    );
    return { ...report, paths: [...report.paths, ...neverSaved(turns, report)] };
  });
}

/** What the turns changed and nobody could save: it stays, and the report says so. */
function neverSaved(
  turns: readonly StoredTurn[],
  { paths }: OperationReport,
): readonly PathOutcome[] {
  const told = new Set(paths.map((outcome) => outcome.path));
  return turns
    .flatMap(({ unprotected }) => unprotected)
    .filter(({ path }) => !told.has(path) && told.add(path))
    .map(({ path, reason }) => ({ path, result: 'notRestorable', why: `${reason} It stays.` }));
}

/** Takes one turn out and keeps the later ones; what they changed on top is merged. @throws UserError. */
export function revertTurn(
  context: OperationContext,
  asked: StoredTurn,
  options: RewindOptions,
): Promise<OperationReport> {
  const { root, seq, number } = asked;
  return exclusively(context, root, () => {
    const turn = fresh(context, asked);
    refuseTakenBack(turn);
    closeRunning(context, [turn], options);
    const memory = memoryPart(context, [turn], options);
    return perform(
      context,
      revertSpan(context, turn, options, (memory.memory ?? []).length > 0),
      {
        kind: 'revert',
        label: `Reverted turn ${number}`,
        moment: 'the turn',
        effect: { kind: 'mark', seqs: [seq] },
        reverted: revertedBefore(context, turn),
        seq,
        turns: [turn.id],
        ...memory,
      },
      { conflicts: 'merge', ...options },
    );
  });
}

/**
 * What a revert must know. @param wroteMemory which is something to revert although no file was changed
 * @throws UserError `nothingToDo`, `damaged`.
 */
export function revertSpan(
  context: IngestContext,
  turn: StoredTurn,
  { unsaved }: RewindOptions,
  wroteMemory: boolean,
): RewindSpan {
  refuseTakenBack(turn);
  refusePruned([turn]);
  const { root, session, seq } = turn;
  if (wroteMemory && turn.files.length === 0 && !hasCheckpoint(turn))
    return { root, session, checkpoints: [], facts: [], folders: [] };
  return revertFacts(root, session, seq, knownStates(context, root, session, unsaved));
}

/** One file to its state before or after a turn. @throws UserError. */
export function restoreFile(
  context: OperationContext,
  turn: StoredTurn,
  at: string,
  side: Side,
  options: RewindOptions,
): Promise<OperationReport> {
  const { root, number } = turn;
  return exclusively(context, root, () =>
    perform(
      context,
      restoreSpan(context, fresh(context, turn), at, side, options),
      {
        kind: 'restore',
        label: `Restored ${at} to ${side} turn ${number}`,
        moment: side === 'before' ? 'the turn' : 'later changes',
        effect: { kind: 'none', seqs: [] },
        turns: [],
      },
      options,
    ),
  );
}

/** What a restore of one file must know. @throws UserError `damaged` when the state cannot be had. */
export function restoreSpan(
  context: IngestContext,
  turn: StoredTurn,
  at: string,
  side: Side,
  { unsaved }: RewindOptions,
): RewindSpan {
  const { root, session } = turn;
  const target =
    (turn.imported && reconstructedTarget(context, turn, at, side)) ||
    sideFile(context.home, turn, at, side);
  if ('reason' in target)
    throw new UserError('damaged', `${at} cannot be restored: ${target.reason}`, { path: at });
  return restoreFacts(root, session, at, target, knownStates(context, root, session, unsaved));
}

/** Takes an operation back. @throws UserError: see `TimelineApp.redo`. */
export function redo(
  context: OperationContext,
  root: Root,
  undoes: OperationId,
  options: RewindOptions,
): Promise<OperationReport> {
  return exclusively(context, root, () => {
    const journal = redoable(context, root, undoes);
    const { effect, kind, label } = journal;
    const turns = turnsOf(context.database, asSessionId(journal.session));
    const memory = memoryOfOperation(context, undoes);
    return perform(
      context,
      undoSpan(context, root, journal, options),
      {
        kind: 'redo',
        label: takenBackLabel(label),
        moment: momentOf(kind),
        effect: inverseOf(effect),
        turns: turns.filter((t) => effect.seqs.includes(t.seq)).map((t) => t.id),
        undoes,
        ...(memory.length > 0 && { memory }),
      },
      options,
    );
  });
}

/** What the turns wrote to memory, where it is to be taken back too. */
function memoryPart(
  context: OperationContext,
  turns: readonly StoredTurn[],
  { memory }: RewindOptions,
): Pick<Intent, 'memory'> {
  if (memory !== 'take-back') return {};
  const turnIds = turns.map(({ id }) => id);
  return { memory: memoryOfTurns(context, turnIds) };
}

/** What taking an operation back must know. */
export function undoSpan(
  context: IngestContext,
  root: Root,
  journal: Journal,
  { unsaved }: RewindOptions,
): RewindSpan {
  const known = knownStates(context, root, asSessionId(journal.session), unsaved);
  return redoSpan(context.home, root, journal, known);
}

/** The journal of an operation that can be taken back. */
export function redoable(context: OperationContext, root: Root, operation: OperationId): Journal {
  const known = operationsOf(context.database, root).find((o) => o.id === operation);
  if (!known)
    throw new UserError('notFound', `There is no operation ${operation} in this project.`, {
      operation,
    });
  if (known.pruned)
    throw new UserError(
      'nothingToDo',
      'What that operation saved was removed to keep within the limits.',
      {
        operation,
      },
    );
  if (known.undone)
    throw new UserError('nothingToDo', 'That operation has been taken back already.', {
      operation,
    });
  return readJournal(context.home, root, operation);
}

/** Turns a rewind to before `turn` would take back, oldest first. @throws UserError when it was taken back already. */
export function spanTurns(context: IngestContext, turn: StoredTurn): readonly StoredTurn[] {
  refuseTakenBack(turn);
  const span = turnsOf(context.database, turn.session, turn.seq).filter(
    (t) => t.root === turn.root && t.rewoundBy === null,
  );
  // Imported turns further on saved nothing that could be missed: what they changed shows as conflicts.
  refusePruned(span.filter((t) => (t.imported ? t.id === turn.id : t.files.length > 0)));
  refuseLost(context, span);
  return span;
}

/** Turns before this one that are reverted; their checkpoints are still in place. */
export function revertedBefore(context: IngestContext, turn: StoredTurn): readonly number[] {
  return takenBackBefore(context.database, turn);
}

/** A turn that changed files must still have its record: without it nobody knows what to put back. */
function refuseLost({ home }: IngestContext, turns: readonly StoredTurn[]): void {
  const lost = turns.find(
    (turn) => !hasCheckpoint(turn) && (turn.files.length > 0 || hasCopy(home, turn)),
  );
  if (lost === undefined) return;
  throw new UserError(
    'damaged',
    `The checkpoint of turn ${lost.number} is gone (${checkpointPlace(lost.root, lost.session, lost.seq)}), so files cannot go back to before it. Nothing was changed. Run "memcode-timeline doctor --repair": there may be a copy.`,
    { turn: lost.id, seq: lost.seq },
  );
}

/** The turn as it is now: another process may have taken it back since the caller looked. */
function fresh(context: IngestContext, turn: StoredTurn): StoredTurn {
  return turnById(context.database, turn.id) ?? turn;
}

function refusePruned(turns: readonly StoredTurn[]): void {
  const gone = turns.find((t) => t.prunedAt !== null);
  if (gone === undefined) return;
  const why = gone.imported
    ? `Turn ${gone.number} was imported: nothing of it was saved`
    : `The saved states of turn ${gone.number} were removed to keep within the limits`;
  throw new UserError('damaged', `${why}, so files cannot go back to before it.`, {
    turn: gone.id,
  });
}

function refuseTakenBack(turn: StoredTurn): void {
  if (turn.rewoundBy === null) return;
  throw new UserError(
    'nothingToDo',
    `Turn ${turn.number} has been taken back already. Undo that operation to bring it back.`,
    { turn: turn.id },
  );
}

function closeRunning(
  context: OperationContext,
  turns: readonly StoredTurn[],
  options: RewindOptions,
): void {
  const running = turns.filter((t) => t.end === 'running');
  if (running.length > 0 && !options.force) {
    const numbers = running.map((t) => t.number).join(', ');
    throw new UserError(
      'running',
      `The agent has not finished turn ${numbers}. Stop it first, or force it if the agent is gone.`,
      { turns: running.map((t) => t.id) },
    );
  }
  for (const open of running) closeTurn(context, open);
}
