/** What the exit statuses of the CLI mean, and which error gives which: the one table. */
import type { ErrorCode } from '../core/errors.ts';

/** 0 done · 1 refused or failed, nothing half done · 2 wrong usage · 3 done, but conflicts were kept. */
export type ExitStatus = 0 | 1 | 2 | 3;

/** Codes that `--json` shows under `error.code`; `bug` is none of the person's errors but one of ours. */
export type CliErrorCode = ErrorCode | 'bug';

const statuses: Readonly<Record<CliErrorCode, ExitStatus>> = {
  usage: 2,
  notFound: 1,
  outsideRoot: 1,
  damaged: 1,
  running: 1,
  interrupted: 1,
  conflicts: 1,
  nothingToDo: 1,
  locked: 1,
  late: 1,
  fileSystem: 1,
  database: 1,
  config: 1,
  secret: 1,
  full: 1,
  refused: 1,
  unsupported: 1,
  bug: 1,
};

export function exitStatusOf(code: CliErrorCode): ExitStatus {
  return statuses[code];
}
