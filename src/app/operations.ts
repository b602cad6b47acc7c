/**
 * Carries out one planned operation of any kind and records it; finishes or rolls back what a crash left. One operation
 * at a time per root, across processes.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../base/atomicFile.ts';
import { carriedBy } from '../base/carriedAlong.ts';
import { keepLock, withLock, withLockHeld } from '../base/fileLock.ts';
import { operationFolder, operationsFolder, postImageFolder } from '../base/home.ts';
import { addNote } from '../checkpoint/agentNotes.ts';
import {
  type Effect,
  hasJournal,
  inverseOf,
  type Journal,
  listOpenOperations,
  listOperations,
  readJournal,
} from '../checkpoint/journal.ts';
import { forgetTurn } from '../checkpoint/liveSession.ts';
import { mergeConflict } from '../checkpoint/mergeConflict.ts';
import { moveCheckpoints } from '../checkpoint/moveCheckpoints.ts';
import type { RewindSpan } from '../checkpoint/rewindFacts.ts';
import { rewindSteps } from '../checkpoint/rewindSteps.ts';
import {
  closeOperation,
  discardOperation,
  isPending,
  type Probe,
  recoverOperation,
  runOperation,
} from '../checkpoint/runOperation.ts';
import { withoutReverted } from '../checkpoint/withoutReverted.ts';
import { messageOf, UserError } from '../core/errors.ts';
import {
  asOperationId,
  asSessionId,
  type OperationId,
  type Root,
  type SessionId,
} from '../core/ids.ts';
import type { Moment } from '../core/pathOutcome.ts';
import type { OperationReport } from '../core/timeline.ts';
import { inTransaction } from '../session/database.ts';
import { addOperation, forgetOperation, markRewound, turnsOf } from '../session/timelineStore.ts';
import { type IngestContext, ingest } from './ingest.ts';
import type { PendingOperation, RewindOptions } from './timelineApp.ts';

export interface OperationContext extends IngestContext {
  readonly environment: NodeJS.ProcessEnv;
  /** Faults in tests; does nothing in production. */
  readonly probe: Probe;
}

export interface Intent {
  readonly kind: Journal['kind'];
  /** A sentence for the list of operations. */
  readonly label: string;
  /** What the files go back to, for the report. */
  readonly moment: Moment;
  /** What becomes of the turns when nothing is kept; `owner` is filled in for a new operation. */
  readonly effect: Omit<Effect, 'owner'> & { readonly owner?: OperationId };
  readonly turns: OperationReport['turns'];
  readonly undoes?: OperationId;
  /** Of the turn it is asked for, where it takes turns back. */
  readonly seq?: number;
  /** Seqs of reverted turns before the span, which stay reverted. */
  readonly reverted?: readonly number[];
}

/** All or nothing. With conflicts kept the turns stay in force, so that the same can be asked for again. */
export function perform(
  context: OperationContext,
  span: RewindSpan,
  intent: Intent,
  options: RewindOptions,
): Promise<OperationReport> {
  return performAs(context, newOperation(context.now()), span, intent, options);
}

/**
 * The same for a span whose bytes are brought into the operation's own folder first.
 * @param gather makes the span, with its sources in the folder that is given
 */
export async function performWith(
  context: OperationContext,
  root: Root,
  gather: (folder: string) => Promise<RewindSpan>,
  intent: Intent,
  options: RewindOptions,
): Promise<OperationReport> {
  const operation = newOperation(context.now());
  const bytes = bytesFolder(context.home, root, operation);
  makeFolder(bytes);
  try {
    return await performAs(context, operation, await gather(bytes), intent, options);
  } finally {
    if (!hasJournal(context.home, root, operation)) discardOperation(context.home, root, operation);
  }
}

/** Bytes that an operation brings and nobody else keeps. Whoever finishes it needs them; afterwards nobody does. */
const bytesFolder = (home: string, root: Root, operation: OperationId): string =>
  path.join(operationFolder(home, root, operation), 'bytes');

async function performAs(
  context: OperationContext,
  operation: OperationId,
  span: RewindSpan,
  intent: Intent,
  options: RewindOptions,
): Promise<OperationReport> {
  const { home, environment } = context;
  const { root } = span;
  const scratch = path.join(operationFolder(home, root, operation), 'merged');
  const postImages = postImageFolder(home, root);
  const places = { scratch, postImages, environment };
  const planned = rewindSteps(withoutReverted(span, intent.reverted ?? [], places), {
    ...options,
    moment: intent.moment,
    merge: (facts) => mergeConflict(root, facts, places),
  });
  const complete = planned.kept.length === 0;
  const { kind, label, effect, undoes, turns, seq } = intent;
  const report = { kind, complete, paths: planned.outcomes, turns: complete ? turns : [] };
  if (planned.steps.length === 0 && !complete) return { ...report, operation: null };
  const journal: Journal = {
    format: 1,
    operation,
    kind,
    root,
    session: span.session,
    startedAt: context.now(),
    phase: 'prepared',
    label,
    steps: planned.steps,
    effect: complete
      ? { owner: operation, ...effect }
      : { kind: 'none', seqs: [], owner: operation },
    ...(undoes !== undefined && complete && { undoes }),
    ...(seq !== undefined && !complete && { partly: { seq, kept: planned.kept } }),
  };
  const alive = keepingLock(context, root);
  const applied = await runOperation(home, root, journal, alive.probe);
  try {
    record(alive, root, applied);
  } catch (error) {
    await undoUnrecorded(alive, root, applied, error);
    throw error;
  }
  tellAgent(context, journal);
  return { ...report, operation };
}

/** Operations that a crash left in the middle. */
export function pendingOperations(context: IngestContext, root: Root): readonly PendingOperation[] {
  return read(context, root, listOpenOperations(context.home, root))
    .filter(isPending)
    .map(({ operation, kind, startedAt, steps }) => ({
      operation,
      kind,
      root,
      startedAt,
      paths: steps.filter((s) => !s.optional).map((s) => s.path),
    }));
}

/** Finishes or rolls back what a crash left. @throws UserError. */
export async function recover(
  context: OperationContext,
  root: Root,
  operation: OperationId,
  how: 'finish' | 'rollBack',
): Promise<void> {
  await locked(context, root, async () => {
    const before = readJournal(context.home, root, operation);
    if (!isPending(before))
      throw new UserError('nothingToDo', 'That operation is complete.', { operation });
    const alive = keepingLock(context, root);
    // The records first: as long as the journal is not closed, either way can be taken again.
    if (how === 'rollBack') takeBackRecords(alive, root, before);
    const { journal, leftAlone } = await recoverOperation(
      context.home,
      root,
      operation,
      how,
      alive.probe,
    );
    for (const at of leftAlone)
      context.log('warn', `${at} was changed since the crash and left as it is.`);
    if (how === 'rollBack') {
      if (leftAlone.length === 0) discardOperation(context.home, root, operation);
      return;
    }
    record(alive, root, journal);
    tellAgent(context, journal);
  });
}

/**
 * Runs `work` while no other operation of this root runs and none is left half done, with everything taken in that hooks
 * left until now: a turn that is not known yet must not stay behind when those around it go. @throws UserError.
 */
export function exclusively<T>(
  context: OperationContext,
  root: Root,
  work: () => T | Promise<T>,
): Promise<T> {
  return locked(context, root, () => {
    const [pending] = pendingOperations(context, root);
    if (pending) {
      throw new UserError(
        'interrupted',
        `An earlier ${pending.kind} was cut short. Finish it or roll it back first: "memcode-timeline doctor --finish" or "--roll-back".`,
        { operation: pending.operation },
      );
    }
    ingest(context);
    return work();
  });
}

/** Every journal of a root that can be read. A damaged one must not block everything; doctor names it. */
export function journalsOf(context: IngestContext, root: Root): readonly Journal[] {
  return read(context, root, listOperations(context.home, root));
}

function read(
  context: IngestContext,
  root: Root,
  operations: readonly OperationId[],
): readonly Journal[] {
  return operations.flatMap((id) => {
    try {
      return [readJournal(context.home, root, id)];
    } catch (error) {
      context.log('warn', messageOf(error));
      return [];
    }
  });
}

/** After the files: checkpoints moved, rows in the database, journal closed. Each part can be repeated. */
function record(context: OperationContext, root: Root, journal: Journal): void {
  const session = asSessionId(journal.session);
  const { operation, kind, startedAt, label, steps, undoes, effect, partly } = journal;
  context.probe('move');
  const closedLater = operationFolder(context.home, root, operation);
  if (takes(effect)) forgetTurn(context.home, session, effect.seqs, carriedBy(closedLater));
  moveCheckpoints(root, session, withoutOthers(context, session, effect), closedLater);
  context.probe('record');
  inTransaction(context.database, () => {
    const paths = steps.filter((step) => !step.optional).map((step) => step.path);
    const row = { id: operation, root, session, kind, at: startedAt, label, paths };
    addOperation(context.database, { ...row, undoes: undoes ?? null, ...(partly && { partly }) });
    markTurns(context, session, effect);
  });
  context.probe('close');
  closeOperation(context.home, root, journal);
  fs.rmSync(bytesFolder(context.home, root, operation), { recursive: true, force: true });
}

/** A turn that bears another operation's mark is that one's: its checkpoint would be lost to whoever takes the mark off. */
function withoutOthers({ database }: OperationContext, session: SessionId, effect: Effect): Effect {
  if (effect.kind !== 'takeBack') return effect;
  const others = turnsOf(database, session, Math.min(...effect.seqs)).filter(
    ({ rewoundBy }) => rewoundBy !== null && rewoundBy !== effect.owner,
  );
  const isOther = (seq: number) => others.some((turn) => turn.seq === seq);
  return { ...effect, seqs: effect.seqs.filter((seq) => !isOther(seq)) };
}

function takes({ kind }: Effect): boolean {
  return kind === 'takeBack' || kind === 'mark';
}

function markTurns({ database }: OperationContext, session: SessionId, effect: Effect): void {
  if (effect.kind !== 'none')
    markRewound(database, session, effect.seqs, effect.owner, takes(effect));
}

/** The inverse of `record`, whatever part of it was done. */
function takeBackRecords(context: OperationContext, root: Root, journal: Journal): void {
  const session = asSessionId(journal.session);
  const inverse = inverseOf(journal.effect);
  context.probe('move back');
  moveCheckpoints(root, session, inverse);
  context.probe('forget');
  inTransaction(context.database, () => {
    forgetOperation(context.database, journal.operation);
    markTurns(context, session, inverse);
  });
}

/** The agent hears of it with its next prompt. Losing the note is no reason to undo a finished operation. */
function tellAgent(context: OperationContext, { session, label, steps }: Journal): void {
  const paths = steps.filter((step) => !step.optional).map((step) => step.path);
  if (paths.length === 0) return;
  try {
    addNote(context.home, asSessionId(session), { label, paths });
  } catch (error) {
    context.log('warn', `The agent will not be told of "${label}": ${messageOf(error)}`);
  }
}

/** The files are changed but it cannot be recorded: put everything back, so that nothing is half done. */
async function undoUnrecorded(
  context: OperationContext,
  root: Root,
  journal: Journal,
  cause: unknown,
): Promise<void> {
  try {
    const { operation } = journal;
    const none = () => undefined;
    takeBackRecords({ ...context, probe: none }, root, journal);
    const { leftAlone } = await recoverOperation(context.home, root, operation, 'rollBack', none);
    if (leftAlone.length === 0) discardOperation(context.home, root, operation);
  } catch (error) {
    throw new UserError(
      'interrupted',
      `The operation could not be recorded (${messageOf(cause)}), and could not be put back (${messageOf(error)}). Run "memcode-timeline doctor".`,
      { operation: journal.operation },
      cause,
    );
  }
}

const operationLock = (home: string, root: Root): string =>
  path.join(operationsFolder(home, root), 'lock');

/** Does `work` now, unless an operation is going on in this root: then not at all. */
export function unlessBusy(context: IngestContext, root: Root, work: () => void): void {
  makeFolder(operationsFolder(context.home, root));
  withLock(operationLock(context.home, root), { wait: 0 }, work);
}

/** Milliseconds; far below the age at which others take the holder of a lock for dead. */
const signOfLife = 1_000;

/** The steps of long work show that the holder of the lock is alive. */
function keepingLock(context: OperationContext, root: Root): OperationContext {
  const lock = operationLock(context.home, root);
  let shownAt = 0;
  const probe = (at: string) => {
    if (performance.now() - shownAt > signOfLife) {
      keepLock(lock);
      shownAt = performance.now();
    }
    context.probe(at);
  };
  return { ...context, probe };
}

async function locked<T>(
  context: OperationContext,
  root: Root,
  work: () => T | Promise<T>,
): Promise<T> {
  makeFolder(operationsFolder(context.home, root));
  const done = await withLockHeld(operationLock(context.home, root), { wait: 2_000 }, work);
  if (done) return done.value;
  throw new UserError(
    'locked',
    'Another rewind is going on in this project. Try again when it is done.',
  );
}

/** Sortable by time, unique. */
function newOperation(now: number): OperationId {
  return asOperationId(
    `${new Date(now).toISOString().replace(/[-:.]/g, '')}-${randomUUID().slice(0, 8)}`,
  );
}
