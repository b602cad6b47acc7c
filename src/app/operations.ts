/**
 * Carries out one planned operation of any kind and records it; finishes or rolls back what a crash left. One operation
 * at a time per root, across processes.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { makeFolder } from '../base/atomicFile.ts';
import { keepLock, withLock, withLockHeld } from '../base/fileLock.ts';
import { operationFolder, operationsFolder, postImageFolder } from '../base/home.ts';
import {
  type Effect,
  hasJournal,
  type Journal,
  listOpenOperations,
  listOperations,
  readJournal,
} from '../checkpoint/journal.ts';
import { keptBytes } from '../checkpoint/keptBytes.ts';
import { mergeConflict } from '../checkpoint/mergeConflict.ts';
import type { RewindSpan } from '../checkpoint/rewindFacts.ts';
import { rewindSteps } from '../checkpoint/rewindSteps.ts';
import {
  discardOperation,
  isPending,
  type Probe,
  recoverOperation,
  runOperation,
} from '../checkpoint/runOperation.ts';
import { withoutReverted } from '../checkpoint/withoutReverted.ts';
import { messageOf, UserError } from '../core/errors.ts';
import { asOperationId, type OperationId, type Root } from '../core/ids.ts';
import { keptOutcome, type Moment } from '../core/pathOutcome.ts';
import type { OperationReport } from '../core/timeline.ts';
import { type IngestContext, ingest } from './ingest.ts';
import { type MemoryFact, planMemory } from './memoryRewind.ts';
import { followMemory } from './memorySteps.ts';
import { bytesFolder, record, takeBackRecords, tellAgent } from './recordOperation.ts';
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
  /** Seqs of reverted turns before the span, which stay reverted. Undefined: states are brought back as they were. */
  readonly reverted?: readonly number[];
  /** What it does to memory. */
  readonly memory?: readonly MemoryFact[];
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
  const places = { scratch, postImages, environment, keptBytes: keptBytes(home, root) };
  const { reverted } = intent;
  const whole = reverted === undefined ? span : withoutReverted(span, reverted, places);
  const planned = rewindSteps(whole, {
    ...options,
    moment: intent.moment,
    merge: (facts) => mergeConflict(root, facts, places),
  });
  const memory = planMemory(context, intent.memory ?? [], options, intent.moment);
  const undecided = options.memoryDecided ? [] : memory.kept;
  const complete = planned.kept.length + undecided.length === 0;
  const { kind, label, effect, undoes, turns, seq } = intent;
  const report = {
    kind,
    complete,
    paths: planned.outcomes,
    turns: complete ? turns : [],
    ...(intent.memory && { memory: memory.outcomes }),
  };
  if (planned.steps.length + memory.steps.length === 0 && !complete)
    return { ...report, operation: null };
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
    ...(seq !== undefined &&
      !complete && { partly: { seq, seqs: effect.seqs, kept: planned.kept } }),
    ...(memory.steps.length > 0 && { memory: memory.steps }),
  };
  const alive = keepingLock(context, root);
  const applied = await runOperation(home, root, journal, alive.probe);
  let leftAlone: readonly string[];
  try {
    leftAlone = record(alive, root, applied);
  } catch (error) {
    await undoUnrecorded(alive, root, applied, error);
    throw error;
  }
  tellAgent(context, journal);
  await followMemory(context, journal);
  const outcomes = memory.outcomes.map((outcome) =>
    leftAlone.includes(outcome.path)
      ? keptOutcome(outcome.path, 'It was changed meanwhile.', false)
      : outcome,
  );
  return { ...report, ...(intent.memory && { memory: outcomes }), operation };
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
    await followMemory(context, journal);
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
