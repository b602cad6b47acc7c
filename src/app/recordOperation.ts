/**
 * What an operation leaves besides the files: checkpoints in their places, memory, rows in the database, a word to the agent. Every
 * part can be repeated, and taken back.
 */
import fs from 'node:fs';
import path from 'node:path';
import { operationFolder } from '../base/home.ts';
import { addNote } from '../checkpoint/agentNotes.ts';
import { type Effect, inverseOf, type Journal } from '../checkpoint/journal.ts';
import { forgetTurn } from '../checkpoint/liveSession.ts';
import { moveCheckpoints } from '../checkpoint/moveCheckpoints.ts';
import { closeOperation } from '../checkpoint/runOperation.ts';
import { messageOf } from '../core/errors.ts';
import { asSessionId, type OperationId, type Root, type SessionId } from '../core/ids.ts';
import { memoryLabel } from '../core/memoryLabel.ts';
import { inTransaction } from '../session/database.ts';
import { addOperation, forgetOperation, markRewound, turnsOf } from '../session/timelineStore.ts';
import { applyMemory, takeBackMemory } from './memorySteps.ts';
import type { OperationContext } from './operations.ts';

/** Bytes that an operation brings and nobody else keeps. Whoever finishes it needs them; afterwards nobody does. */
export const bytesFolder = (home: string, root: Root, operation: OperationId): string =>
  path.join(operationFolder(home, root, operation), 'bytes');

/**
 * After the files: checkpoints moved, rows in the database, journal closed. Each part can be repeated.
 * @returns what of memory was changed meanwhile, and left
 */
export function record(context: OperationContext, root: Root, journal: Journal): readonly string[] {
  const session = asSessionId(journal.session);
  const { operation, kind, startedAt, label, steps, undoes, effect, partly } = journal;
  context.probe('move');
  const closedLater = operationFolder(context.home, root, operation);
  if (takes(effect)) forgetTurn(context.home, session, effect.seqs);
  moveCheckpoints(root, session, withoutOthers(context, session, effect), closedLater);
  const leftAlone = applyMemory(context, journal);
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
  return leftAlone;
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
export function takeBackRecords(context: OperationContext, root: Root, journal: Journal): void {
  const session = asSessionId(journal.session);
  const inverse = inverseOf(journal.effect);
  context.probe('move back');
  moveCheckpoints(root, session, inverse);
  takeBackMemory(context, journal);
  context.probe('forget');
  inTransaction(context.database, () => {
    forgetOperation(context.database, journal.operation);
    markTurns(context, session, inverse);
  });
}

/** The agent hears of it with its next prompt. Losing the note is no reason to undo a finished operation. */
export function tellAgent(
  context: OperationContext,
  { session, label, steps, memory = [] }: Journal,
): void {
  const files = steps.filter((step) => !step.optional).map((step) => step.path);
  const paths = [...files, ...memory.map(({ path: at }) => `memory: ${memoryLabel(at)}`)];
  if (paths.length === 0) return;
  try {
    addNote(context.home, asSessionId(session), { label, paths });
  } catch (error) {
    context.log('warn', `The agent will not be told of "${label}": ${messageOf(error)}`);
  }
}
