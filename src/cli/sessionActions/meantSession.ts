/** Which session an action of `sessions` means: the one it names, else `--session`, else the one used last. */
import { UserError } from '../../core/errors.ts';
import type { SessionSummary } from '../../core/timeline.ts';
import type { CliContext, Opened } from '../cliContext.ts';
import { findSession } from '../selection.ts';
import type { VerbCall } from '../verb.ts';

/** @throws UserError `notFound`, `usage`. */
export function meantSession(
  opened: Opened,
  call: VerbCall,
  { settings }: CliContext,
): SessionSummary {
  return findSession(opened, call.argument(1) ?? settings.session);
}

/** @throws UserError `usage` for what is no positive whole number. */
export function wholeNumber(text: string, name: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UserError('usage', `${name} must be a whole number, not ${text}.`);
}
