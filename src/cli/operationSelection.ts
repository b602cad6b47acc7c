/** Which operation a person means. */
import { UserError } from '../core/errors.ts';
import type { OperationSummary } from '../core/timeline.ts';
import type { Opened } from './cliContext.ts';
import { findSession, one } from './selection.ts';

export interface NumberedOperation extends OperationSummary {
  /** What people name it by: 1 is the oldest of its root. Later operations do not change it. */
  readonly number: number;
}

/** Newest first; only those of the session when one is named. @throws UserError as `findSession`. */
export function operationsIn(
  opened: Opened,
  session: string | undefined,
): readonly NumberedOperation[] {
  const { app, root } = opened;
  const all = app.operations(root);
  const numbered = all.map((operation, at) => ({ number: all.length - at, ...operation }));
  if (session === undefined) return numbered;
  const { id } = findSession(opened, session);
  return numbered.filter((operation) => operation.session === id);
}

export function canBeTakenBack({ undone, pruned }: OperationSummary): boolean {
  return !undone && !pruned;
}

/**
 * The operation of that number, id or unique beginning of an id. Digits alone are always a number.
 * @throws UserError `notFound`, or `usage` naming the matches when there are several.
 */
export function findOperation(
  opened: Opened,
  session: string | undefined,
  wanted: string,
): OperationSummary {
  const operations = operationsIn(opened, session);
  const found = /^\d+$/.test(wanted)
    ? operations.find(({ number }) => number === Number(wanted))
    : one(operations, wanted, 'operation', ({ label }) => label);
  if (found !== undefined) return found;
  const { root } = opened;
  throw new UserError(
    'notFound',
    `There is no operation ${wanted} in ${root}. See: memcode-timeline operations`,
    { root, operation: wanted },
  );
}
