/**
 * Carries out the part of an operation that changes memory, and takes it back again. Both can be repeated: a step is done
 * when the file is as it should be and the operation's touch of it is there.
 */
import { withLock } from '../base/fileLock.ts';
import { hashBytes } from '../base/hash.ts';
import { memoryFolder } from '../base/home.ts';
import type { Journal, MemoryStep } from '../checkpoint/journal.ts';
import { isUserError, messageOf, UserError } from '../core/errors.ts';
import { putMemoryFile, readMemoryFile } from '../memory/memoryFile.ts';
import { memoryLock } from '../memory/memoryPlaces.ts';
import { inTransaction } from '../session/database.ts';
import {
  addMemoryTouch,
  dropMemoryTouch,
  memoryContent,
  touchesOfOperation,
} from '../session/memoryTouches.ts';
import { fileOf } from './memoryRewind.ts';
import type { OperationContext } from './operations.ts';

/** Milliseconds. */
const patience = 20_000;

/**
 * What somebody changed since the plan was made stays as it is. @returns the paths of that
 * @throws UserError `locked`, `damaged`; system errors.
 */
export function applyMemory(context: OperationContext, journal: Journal): readonly string[] {
  const { operation } = journal;
  const leftAlone: string[] = [];
  alone(context, journal.memory, (steps) => {
    const done = new Set(touchesOfOperation(context.database, operation).map(({ path }) => path));
    for (const step of steps) {
      const hash = presentAt(fileOf(context.home, step.path));
      if (hash === step.to && done.has(step.path)) continue;
      if (hash !== step.from && hash !== step.to) {
        context.log('warn', `${step.path} of memory was changed meanwhile and left as it is.`);
        leftAlone.push(step.path);
        continue;
      }
      const after = bytesOf(context, step.to);
      context.probe('memory');
      if (!done.has(step.path))
        inTransaction(context.database, () =>
          addMemoryTouch(context.database, {
            at: context.now(),
            origin: { actor: 'undo' },
            operation,
            path: step.path,
            before: bytesOf(context, step.from),
            after,
          }),
        );
      if (hash !== step.to)
        putMemoryFile(memoryFolder(context.home), fileOf(context.home, step.path), after);
    }
  });
  return leftAlone;
}

/** The inverse, whatever part of it was done. */
export function takeBackMemory(context: OperationContext, journal: Journal): void {
  alone(context, journal.memory, (steps) => {
    const byPath = new Map(steps.map((step) => [step.path, step]));
    for (const touch of touchesOfOperation(context.database, journal.operation)) {
      const step = byPath.get(touch.path);
      const file = fileOf(context.home, touch.path);
      if (step !== undefined && presentAt(file) === step.to && step.to !== step.from)
        putMemoryFile(memoryFolder(context.home), file, bytesOf(context, step.from));
      dropMemoryTouch(context.database, touch.id);
    }
  });
}

/** A hash; null: no file. Undefined for what is no file of memory: nobody's state, and no reason to be stuck in the middle. */
function presentAt(file: string): string | null | undefined {
  try {
    const bytes = readMemoryFile(file);
    return bytes === undefined ? null : hashBytes(bytes);
  } catch (error) {
    if (!isUserError(error, 'fileSystem')) throw error;
    return undefined;
  }
}

/** The page of notes follows. Only what is derived: losing it is no reason to fail. */
export async function followMemory(context: OperationContext, { memory }: Journal): Promise<void> {
  if (memory === undefined || memory.length === 0) return;
  try {
    const { followFiles } = await import('./memoryKeeper.ts');
    await followFiles(
      context,
      memory.map(({ path }) => path),
    );
  } catch (error) {
    context.log('warn', `The page of notes was not brought up to date: ${messageOf(error)}`);
  }
}

function alone(
  { home }: OperationContext,
  steps: readonly MemoryStep[] | undefined,
  work: (steps: readonly MemoryStep[]) => void,
): void {
  if (steps === undefined || steps.length === 0) return;
  const done = withLock(memoryLock(memoryFolder(home)), { wait: patience }, () => work(steps));
  if (done === undefined)
    throw new UserError('locked', 'Another process is writing to memory. Try again.');
}

function bytesOf({ database }: OperationContext, hash: string | null): Uint8Array | null {
  if (hash === null) return null;
  const bytes = memoryContent(database, hash);
  if (bytes === undefined)
    throw new UserError('damaged', 'What a file of memory was before is not kept.', { hash });
  return bytes;
}
