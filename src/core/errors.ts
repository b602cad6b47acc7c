/** The one error class for what a person may be shown; anything else is a bug. Recognise by `isUserError(e, code)`. */

export type ErrorCode =
  | 'usage' // wrong arguments
  | 'notFound' // no such session, turn, path, operation
  | 'outsideRoot' // a path that leaves the root
  | 'damaged' // a manifest, blob or journal that cannot be trusted
  | 'running' // the agent is still working on the turn
  | 'interrupted' // an earlier rewind was cut short and must be finished or rolled back first
  | 'conflicts' // conflicts and the caller asked to fail on them
  | 'nothingToDo' // nothing to rewind or redo
  | 'locked' // another process holds the lock
  | 'late' // it would have taken longer than its caller can wait
  | 'fileSystem' // a read or write failed
  | 'database' // the database cannot be opened or written
  | 'config' // an agent's configuration file cannot be understood
  | 'secret' // a text holds what looks like a key or a password, and is not kept
  | 'full' // it would go beyond a limit
  | 'refused' // a person has switched it off or cannot be asked, or what goes on in their repository forbids it
  | 'unsupported'; // this runtime or platform cannot do it

export class UserError extends Error {
  override readonly name = 'UserError';
  readonly code: ErrorCode;
  /** Facts for the caller: the path, the session, the seq. Never file contents. */
  readonly data: Readonly<Record<string, unknown>>;

  /** @param message a sentence for a person: what happened, and what to do about it. */
  constructor(
    code: ErrorCode,
    message: string,
    data: Readonly<Record<string, unknown>> = {},
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.data = data;
  }
}

/** By property, not by class: bundles and realms may hold two copies of the class. */
export function isUserError(error: unknown, code?: ErrorCode): error is UserError {
  if (!(error instanceof Error) || error.name !== 'UserError' || !('code' in error)) return false;
  return code === undefined || error.code === code;
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** `ENOENT` and the like; undefined for anything that is not a system error. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}
