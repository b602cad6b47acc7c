/** Writing files on somebody's behalf needs a workspace they trust; looking does not. */
import * as vscode from 'vscode';
import { UserError } from '../core/errors.ts';

/** @throws UserError `unsupported` in a workspace that is not trusted. */
export function needTrust(): void {
  if (vscode.workspace.isTrusted) return;
  throw new UserError(
    'unsupported',
    vscode.l10n.t('Recording and rewinding need a trusted workspace.'),
  );
}
