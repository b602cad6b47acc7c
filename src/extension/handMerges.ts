/** Opens what was left to be merged by hand, one merge editor a file; a plain diff where that does not work. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { Root } from '../core/ids.ts';
import { tellQuietly } from './dialogs.ts';
import type { HandMerge } from './handMerge.ts';
import { openMergeEditor } from './mergeEditor.ts';
import { PresentCopies } from './presentCopies.ts';
import { openWorkingDiff } from './turnDiffs.ts';
import { turnUri } from './turnFileSystem.ts';

export class HandMerges implements vscode.Disposable {
  readonly #copies = new PresentCopies();

  /** One after the other: each editor is prepared while it is the active one. */
  async open(merges: readonly HandMerge[], root: Root): Promise<void> {
    for (const merge of merges) await this.#openOne(merge, root);
  }

  dispose(): void {
    this.#copies.dispose();
  }

  async #openOne({ path: file, base, old, moment }: HandMerge, root: Root): Promise<void> {
    const result = vscode.Uri.file(path.join(root, file));
    const folder = vscode.Uri.file(root);
    const isOpen = await openMergeEditor({
      base: turnUri(base, folder),
      mine: await this.#copies.keep(result),
      old: turnUri(old, folder),
      oldDetail:
        moment.side === 'before'
          ? vscode.l10n.t('before turn {0}', moment.turn)
          : vscode.l10n.t('after turn {0}', moment.turn),
      result,
    });
    if (isOpen) return;
    await openWorkingDiff(old, moment.turn, root);
    // Nobody waits for the answer: it has no button.
    void tellQuietly(
      vscode.l10n.t(
        'The merge editor could not be opened for {0}. The arrows in this diff take single changes back.',
        file,
      ),
      [],
    );
  }
}
