/** Errors on their way between processes: a `UserError` stays one, with its code and facts. */
import {
  type ErrorCode,
  isUserError,
  messageOf,
  systemCode,
  UserError,
} from '../../core/errors.ts';
import type { PlainError } from './messages.ts';

export function toPlainError(error: unknown): PlainError {
  const name = error instanceof Error ? error.name : 'Error';
  const code = systemCode(error);
  return {
    name,
    message: messageOf(error),
    ...(code !== undefined && { code }),
    ...(isUserError(error) && { data: error.data }),
  };
}

/** @returns an error as it was thrown in the other process, without its stack. */
export function fromPlainError({ name, message, code, data }: PlainError): Error {
  if (name === 'UserError') return new UserError(code as ErrorCode, message, data);
  const error = new Error(message);
  error.name = name;
  return code === undefined ? error : Object.assign(error, { code });
}
