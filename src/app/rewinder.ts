/**
 * The use cases of going back: preview, rewind, redo, recover. Decides who may, gathers what the checkpoint layer needs,
 * and records the operation. One operation at a time per root, across processes.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { makeFolder } from '../base/atomicFile.ts';
import { withLock } from '../base/fileLock.ts';
import { operationFolder, operationsFolder, postImageFolder } from '../base/home.ts';
import { type Journal, listOperations, readJournal, type Step } from '../checkpoint/journal.ts';
import { forgetTurn } from '../checkpoint/liveSession.ts';
import { mergeConflict } from '../checkpoint/mergeConflict.ts';
import { moveCheckpoints } from '../checkpoint/moveCheckpoints.ts';
import { redoSpan } from '../checkpoint/redoSpan.ts';
import { type RewindSpan, rewindFacts } from '../checkpoint/rewindFacts.ts';
import { type PlannedSteps, rewindSteps } from '../checkpoint/rewindSteps.ts';
import {
  closeOperation,
  isPending,
  type Probe,
  recoverOperation,
  runOperation,
} from '../checkpoint/runOperation.ts';
import { messageOf, UserError } from '../core/errors.ts';
import { asOperationId, asSessionId, type OperationId, type Root } from '../core/ids.ts';
import type { OperationReport } from '../core/timeline.ts';
import { inTransaction } from '../session/database.ts';
import {
  addOperation,
  markRewound,
  operationsOf,
  type StoredTurn,
  turnsOf,
} from '../session/timelineStore.ts';
import { closeTurn, type IngestContext } from './ingest.ts';
import type { PendingOperation, RewindOptions } from './timelineApp.ts';

export interface RewindContext extends IngestContext {
  readonly environment: NodeJS.ProcessEnv;
  /** Faults in tests; does nothing in production. */
  readonly probe: Probe;
}

/** Files back to before `turn`. @throws UserError: see `TimelineApp.rewind`. */
export function rewind(
  context: RewindContext,
  turn: StoredTurn,
  options: RewindOptions,
): OperationReport {
  const { root, session } = turn;
  return exclusively(context, root, () => {
    const turns = spanTurns(context, turn);
    const running = turns.filter((t) => t.end === 'running');
    if (running.length > 0 && !options.force) throw stillRunning(running);
    for (const open of running) closeTurn(context, open);
    const span = rewindFacts(root, session, turn.seq, options.unsaved);
    const operation = newOperation(context);
    const label = `Rewound to before turn ${turn.number}`;
    const seqs = turns.map((t) => t.seq);
    return perform(
      context,
      span,
      { operation, kind: 'rewind', label, seqs, turns: turns.map((t) => t.id) },
      options,
    );
  });
}

/** Takes a rewind back. @throws UserError: see `TimelineApp.redo`. */
export function redo(
  context: RewindContext,
  root: Root,
  undoes: OperationId,
  options: RewindOptions,
): OperationReport {
  return exclusively(context, root, () => {
    const journal = redoable(context, root, undoes);
    const session = asSessionId(journal.session);
    const span = redoSpan(context.home, root, journal, options.unsaved);
    const operation = newOperation(context);
    const label = `Undid: ${journal.label}`;
    const turns = turnsOf(context.database, session)
      .filter((t) => journal.seqs.includes(t.seq))
      .map((t) => t.id);
    return perform(
      context,
      span,
      { operation, kind: 'redo', label, seqs: journal.seqs, turns, undoes },
      options,
    );
  });
}

/** The journal of an operation that can be taken back. */
export function redoable(context: RewindContext, root: Root, operation: OperationId): Journal {
  const known = operationsOf(context.database, root).find((o) => o.id === operation);
  if (known?.kind !== 'rewind')
    throw new UserError('notFound', `There is no rewind ${operation} in this project.`, {
      operation,
    });
  if (known.undone)
    throw new UserError('nothingToDo', 'That rewind has been taken back already.', { operation });
  return readJournal(context.home, root, operation);
}

/** Turns a rewind to before `turn` would take back, oldest first. @throws UserError when it was taken back already. */
export function spanTurns(context: IngestContext, turn: StoredTurn): readonly StoredTurn[] {
  if (turn.rewoundBy !== null) {
    throw new UserError(
      'nothingToDo',
      `Turn ${turn.number} has been taken back already. Redo brings it back.`,
      { turn: turn.id },
    );
  }
  return turnsOf(context.database, turn.session).filter(
    (t) => t.seq >= turn.seq && t.rewoundBy === null,
  );
}

/** Operations that a crash left in the middle. */
export function pendingOperations(context: IngestContext, root: Root): readonly PendingOperation[] {
  return listOperations(context.home, root).flatMap((id) => {
    const journal = journalOrNothing(context, root, id);
    if (!journal || !isPending(journal)) return [];
    const { operation, kind, startedAt, steps } = journal;
    return [
      {
        operation,
        kind,
        root,
        startedAt,
        paths: steps.filter((s) => !s.optional).map((s) => s.path),
      },
    ];
  });
}

/** Finishes or rolls back what a crash left. @throws UserError. */
export function recover(
  context: RewindContext,
  root: Root,
  operation: OperationId,
  how: 'finish' | 'rollBack',
): void {
  locked(context, root, () => {
    const before = readJournal(context.home, root, operation);
    if (!isPending(before))
      throw new UserError('nothingToDo', 'That operation is complete.', { operation });
    const { journal, leftAlone } = recoverOperation(context.home, root, operation, how);
    for (const at of leftAlone)
      context.log('warn', `${at} was changed since the crash and left as it is.`);
    if (how === 'finish') record(context, root, journal);
    else moveCheckpoints(root, journal, journal.kind === 'rewind' ? 'back' : 'aside');
  });
}

interface Intent {
  readonly operation: OperationId;
  readonly kind: Journal['kind'];
  readonly label: string;
  readonly seqs: readonly number[];
  readonly turns: OperationReport['turns'];
  readonly undoes?: OperationId;
}

function perform(
  context: RewindContext,
  span: RewindSpan,
  intent: Intent,
  options: RewindOptions,
): OperationReport {
  const { home, environment } = context;
  const { root } = span;
  const { operation, kind } = intent;
  const scratch = path.join(operationFolder(home, root, operation), 'merged');
  const planned = rewindSteps(span, {
    ...options,
    moment: kind === 'rewind' ? 'the turn' : 'the rewind',
    merge: (facts) =>
      mergeConflict(root, facts, { scratch, postImages: postImageFolder(home, root), environment }),
  });
  const complete = planned.kept.length === 0;
  const report = { kind, complete, paths: planned.outcomes, turns: complete ? intent.turns : [] };
  if (planned.steps.length === 0 && !complete) return { ...report, operation: null };
  const journal = journalOf(context, span, intent, planned);
  record(context, root, runOperation(home, root, journal, context.probe));
  return { ...report, operation };
}

function journalOf(
  context: RewindContext,
  span: RewindSpan,
  intent: Intent,
  planned: PlannedSteps,
): Journal {
  const { operation, kind, label, undoes, seqs } = intent;
  return {
    format: 1,
    operation,
    kind,
    root: span.root,
    session: span.session,
    startedAt: context.now(),
    phase: 'prepared',
    label,
    steps: planned.steps,
    // With conflicts kept the turns stay in force: the same rewind can be asked for again.
    seqs: planned.kept.length === 0 ? seqs : [],
    ...(undoes !== undefined && planned.kept.length === 0 && { undoes }),
  };
}

/** After the files: checkpoints aside (or back), rows in the database, journal closed. Each part can be repeated. */
function record(context: RewindContext, root: Root, journal: Journal): void {
  const direction = journal.kind === 'rewind' ? 'aside' : 'back';
  try {
    context.probe('move');
    forgetTurn(context.home, asSessionId(journal.session), journal.seqs);
    moveCheckpoints(root, journal, direction);
    context.probe('record');
    inTransaction(context.database, () => {
      const { operation, session, kind, startedAt, label, steps, undoes, seqs } = journal;
      const paths = steps.filter((step) => !step.optional).map((step: Step) => step.path);
      addOperation(context.database, {
        id: operation,
        root,
        session: asSessionId(session),
        kind,
        at: startedAt,
        label,
        paths,
        undoes: undoes ?? null,
      });
      markRewound(
        context.database,
        asSessionId(session),
        seqs,
        kind === 'rewind' ? operation : null,
      );
    });
  } catch (error) {
    undoUnrecorded(context, root, journal, error);
    throw error;
  }
  closeOperation(context.home, root, journal);
}

/** The files are changed but it cannot be recorded: put everything back, so that nothing is half done. */
function undoUnrecorded(
  context: RewindContext,
  root: Root,
  journal: Journal,
  cause: unknown,
): void {
  try {
    moveCheckpoints(root, journal, journal.kind === 'rewind' ? 'back' : 'aside');
    recoverOperation(context.home, root, journal.operation, 'rollBack');
  } catch (error) {
    throw new UserError(
      'interrupted',
      `The operation could not be recorded (${messageOf(cause)}), and could not be put back (${messageOf(error)}). Run "memcode-timeline doctor".`,
      { operation: journal.operation },
      cause,
    );
  }
}

function exclusively<T>(context: RewindContext, root: Root, work: () => T): T {
  return locked(context, root, () => {
    const [pending] = pendingOperations(context, root);
    if (pending) {
      throw new UserError(
        'interrupted',
        `An earlier ${pending.kind} was cut short. Finish it or roll it back first: "memcode-timeline doctor --finish" or "--roll-back".`,
        { operation: pending.operation },
      );
    }
    return work();
  });
}

function locked<T>(context: RewindContext, root: Root, work: () => T): T {
  const folder = operationsFolder(context.home, root);
  makeFolder(folder);
  const done = withLock(path.join(folder, 'lock'), { wait: 2_000 }, work);
  if (done) return done.value;
  throw new UserError(
    'locked',
    'Another rewind is going on in this project. Try again when it is done.',
  );
}

function journalOrNothing(
  context: IngestContext,
  root: Root,
  id: OperationId,
): Journal | undefined {
  try {
    return readJournal(context.home, root, id);
  } catch (error) {
    // A damaged record of an old operation must not block every rewind; doctor names it.
    context.log('warn', messageOf(error));
    return undefined;
  }
}

function stillRunning(turns: readonly StoredTurn[]): UserError {
  const numbers = turns.map((t) => t.number).join(', ');
  return new UserError(
    'running',
    `The agent has not finished turn ${numbers}. Stop it first, or force the rewind if it is gone.`,
    { turns: turns.map((t) => t.id) },
  );
}

/** Sortable by time, unique. */
function newOperation(context: RewindContext): OperationId {
  return asOperationId(
    `${new Date(context.now()).toISOString().replace(/[-:.]/g, '')}-${randomUUID().slice(0, 8)}`,
  );
}
