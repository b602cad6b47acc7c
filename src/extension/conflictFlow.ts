/** Choosing what becomes of each file in conflict, in quick picks. Nothing happens before the last pick. No vscode. */
import type { ConflictPath } from '../core/timeline.ts';
import {
  chooserEntries,
  type FileChoice,
  type FileChoices,
  fileEntries,
  sameChoice,
} from './conflictChoice.ts';
import type { Localizer } from './localizer.ts';
import type { Pick } from './question.ts';

export interface ChooserContext {
  readonly l10n: Localizer;
  readonly pick: Pick;
  /** Shows the present state beside the old one. */
  compare(path: string): Promise<void>;
}

export interface ChooserTexts {
  /** `Rewind to Before Turn 3` */
  readonly title: string;
  /** Label of the entry that goes on. */
  readonly go: string;
}

/**
 * @param standing what each file begins with
 * @returns a choice for every conflict; undefined: the person cancelled.
 */
export async function chooseForEach(
  conflicts: readonly ConflictPath[],
  standing: FileChoice,
  texts: ChooserTexts,
  context: ChooserContext,
): Promise<FileChoices | undefined> {
  const { l10n, pick } = context;
  let choices = sameChoice(conflicts, standing);
  let next = conflicts[0]?.path;
  for (;;) {
    const picked = await pick(chooserEntries(conflicts, choices, next, texts.go, l10n), {
      title: texts.title,
      placeholder: l10n.t('Choose for each file, then go on'),
      empty: l10n.t('No file is in conflict.'),
      stays: true,
    });
    switch (picked?.kind) {
      case undefined:
        return undefined;
      case 'go':
        return choices;
      case 'all':
        choices = sameChoice(conflicts, picked.choice);
        next = undefined;
        break;
      case 'compare':
        await context.compare(picked.conflict.path);
        next = picked.conflict.path;
        break;
      case 'file': {
        const { path } = picked.conflict;
        const choice = await chooseForOne(picked.conflict, choices.get(path) ?? standing, context);
        next = choice === undefined ? path : pathAfter(conflicts, path);
        if (choice !== undefined) choices = new Map([...choices, [path, choice]]);
      }
    }
  }
}

function chooseForOne(
  conflict: ConflictPath,
  chosen: FileChoice,
  { l10n, pick }: ChooserContext,
): Promise<FileChoice | undefined> {
  return pick(fileEntries(conflict, chosen, l10n), {
    title: conflict.path,
    placeholder: conflict.reason,
    empty: l10n.t('No file is in conflict.'),
    stays: true,
  });
}

/** Undefined after the last one. */
function pathAfter(conflicts: readonly ConflictPath[], path: string): string | undefined {
  return conflicts[conflicts.findIndex((conflict) => conflict.path === path) + 1]?.path;
}
