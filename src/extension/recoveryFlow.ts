/** The question about an operation that a crash cut short. No vscode. */
import type { PendingOperation, TimelineApp } from '../app/timelineApp.ts';
import type { OperationKind } from '../core/timeline.ts';
import { countFiles, type Localizer } from './localizer.ts';
import type { Tell } from './question.ts';

export interface RecoveryContext {
  readonly app: TimelineApp;
  readonly l10n: Localizer;
  readonly tell: Tell;
}

/** Asks about each operation in turn and does as told; one that gets no answer stays as it is. @throws UserError. */
export async function recoveryFlow(
  pending: readonly PendingOperation[],
  { app, l10n, tell }: RecoveryContext,
): Promise<void> {
  for (const { operation, kind, paths, root } of pending) {
    const files = countFiles(l10n, paths.length);
    const message = cutShort(kind, files, root, l10n);
    const how = await tell<'finish' | 'rollBack'>(message, [
      { id: 'finish', label: l10n.t('Finish') },
      { id: 'rollBack', label: l10n.t('Roll Back') },
    ]);
    if (how !== undefined) await app.recover(operation, how);
  }
}

function cutShort(kind: OperationKind, files: string, root: string, l10n: Localizer): string {
  switch (kind) {
    case 'rewind':
      return l10n.t(
        'A rewind of {0} in {1} was cut short. Finish it, or put everything back?',
        files,
        root,
      );
    case 'revert':
      return l10n.t(
        'A revert of {0} in {1} was cut short. Finish it, or put everything back?',
        files,
        root,
      );
    case 'restore':
      return l10n.t(
        'A restore of {0} in {1} was cut short. Finish it, or put everything back?',
        files,
        root,
      );
    case 'redo':
      return l10n.t(
        'An undo of {0} in {1} was cut short. Finish it, or put everything back?',
        files,
        root,
      );
  }
}
