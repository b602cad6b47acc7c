/** Opens what was left to be merged by hand, one merge editor a file; a plain diff where that does not work. */
import * as vscode from 'vscode';
import type { OperationId } from '../core/ids.ts';
import { tellQuietly } from './dialogs.ts';
import type { HandMerge } from './handMerge.ts';
import { momentText } from './localizer.ts';
import { openMergeEditor } from './mergeEditor.ts';
import { rootUri, workUri } from './rootUri.ts';
import { type Compared, openWorkingDiff } from './turnDiffs.ts';
import { storedUri } from './turnFileSystem.ts';

/**
 * One after the other: each editor is prepared while it is the active one.
 * @param operation the one that left them, and saved what was there
 */
export async function openHandMerges(
  merges: readonly HandMerge[],
  operation: OperationId,
  compared: Compared,
): Promise<void> {
  for (const merge of merges) await openOne(merge, operation, compared);
}

async function openOne(
  { path: file, base, old, moment }: HandMerge,
  operation: OperationId,
  compared: Compared,
): Promise<void> {
  const { root } = compared;
  const folder = rootUri(root);
  const when = momentText(vscode.l10n, moment);
  const isOpen = await openMergeEditor({
    base: storedUri(base, folder),
    mine: storedUri({ operation, path: file }, folder),
    old: storedUri(old, folder),
    oldDetail: when,
    result: workUri(root, file),
  });
  if (isOpen) return;
  await openWorkingDiff(old, when, compared);
  const message = vscode.l10n.t(
    'The merge editor could not be opened for {0}. The arrows in this diff take single changes back.',
    file,
  );
  void tellQuietly(message, []); // has no button, so there is no answer to wait for
}
