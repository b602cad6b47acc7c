/** The paragraphs of a question that name what a rewind, revert or undo would change. Pure. */
import type { ConflictPath, PlannedAct, PlannedPath } from '../core/timeline.ts';
import type { Plan } from './conflictChoice.ts';
import type { ShownPreview } from './flowContext.ts';
import { countFiles, type Localizer, lineSum } from './localizer.ts';
import { firstFew } from './shortText.ts';

/** Names listed per paragraph. */
const listLength = 10;

/** What becomes of conflicts that nobody chooses for: they are kept, or merged where that is possible. */
export type Standing = 'keep' | 'merge';

/** @param unsaved paths of the plan whose editors hold unsaved changes. */
export function planParagraphs(
  plan: Plan,
  unsaved: ReadonlySet<string>,
  standing: Standing,
  l10n: Localizer,
): readonly string[] {
  const changes = plan.paths.filter((path) => path.act !== 'none');
  const inEditor = plan.conflicts.filter((conflict) => unsaved.has(conflict.path));
  const onDisk = plan.conflicts.filter((conflict) => !unsaved.has(conflict.path));
  const unverified = changes.filter((path) => path.unverified).map((path) => path.path);
  return [
    ...paragraph(
      l10n.t('Changes {0}:', countFiles(l10n, changes.length)),
      changes.map((path) => changeLine(path, l10n)),
      l10n,
    ),
    ...conflictParagraphs(inEditor, onDisk, standing, l10n),
    ...paragraph(
      l10n.t('Cannot be restored, and stay as they are:'),
      plan.notRestorable.map((item) => `${item.path}: ${item.reason}`),
      l10n,
    ),
    ...paragraph(l10n.t('Stored without a checksum, so not verified:'), unverified, l10n),
  ];
}

/** Beside the preview: what it is of, and what is not in it. */
export function previewSentence(shown: ShownPreview, l10n: Localizer): string {
  const { conflicts } = shown.kind === 'rewind' ? shown.preview : shown.plan;
  const kept =
    shown.kind === 'revert' ? conflicts.filter(({ merge }) => merge === 'impossible') : conflicts;
  const head = previewHead(shown, l10n);
  if (kept.length === 0) return head;
  const { few, more } = firstFew(
    kept.map(({ path }) => path),
    3,
  );
  const names = few.join(', ');
  const list = more > 0 ? l10n.t('{0} and {1} more', names, more) : names;
  return `${head} ${l10n.t('Not among it, since kept unless you choose otherwise: {0}.', list)}`;
}

function previewHead(shown: ShownPreview, l10n: Localizer): string {
  switch (shown.kind) {
    case 'rewind':
      return l10n.t(
        'This is what a rewind to before turn {0} would change.',
        shown.preview.turn.number,
      );
    case 'revert':
      return l10n.t('This is what would be taken out with turn {0}.', shown.turn.number);
    case 'snapshot':
      return l10n.t('This is what going back to {0} would change.', shown.name);
    case 'undo':
      return l10n.t('This is what undoing “{0}” would change.', shown.operation.label);
  }
}

/** Without conflicts that would be kept there may be nothing to show. */
export function hasPreview({ paths }: Plan): boolean {
  return paths.some(({ act }) => act !== 'none');
}

export function changesSomething(plan: Plan): boolean {
  return plan.conflicts.length > 0 || hasPreview(plan);
}

function conflictParagraphs(
  inEditor: readonly ConflictPath[],
  onDisk: readonly ConflictPath[],
  standing: Standing,
  l10n: Localizer,
): readonly string[] {
  const titles = standing === 'keep' ? keepTitles(l10n) : mergeTitles(l10n);
  const line = (conflict: ConflictPath): string =>
    standing === 'keep' ? conflictLine(conflict) : mergeLine(conflict, l10n);
  return [
    ...paragraph(
      titles.inEditor(inEditor.length),
      inEditor.map((conflict) => conflict.path),
      l10n,
    ),
    ...paragraph(titles.onDisk(onDisk.length), onDisk.map(line), l10n),
  ];
}

interface Titles {
  readonly inEditor: (count: number) => string;
  readonly onDisk: (count: number) => string;
}

function keepTitles(l10n: Localizer): Titles {
  return {
    inEditor: (count) =>
      count === 1
        ? l10n.t(
            '1 editor has unsaved changes. Its file is left alone unless you choose otherwise:',
          )
        : l10n.t(
            '{0} editors have unsaved changes. Their files are left alone unless you choose otherwise:',
            count,
          ),
    onDisk: (count) =>
      count === 1
        ? l10n.t('1 file may hold changes of yours. It is kept unless you choose otherwise:')
        : l10n.t(
            '{0} files may hold changes of yours. They are kept unless you choose otherwise:',
            count,
          ),
  };
}

function mergeTitles(l10n: Localizer): Titles {
  return {
    inEditor: (count) =>
      count === 1
        ? l10n.t('1 editor has unsaved changes. It is saved, and its text is merged:')
        : l10n.t('{0} editors have unsaved changes. They are saved, and merged:', count),
    onDisk: (count) =>
      count === 1
        ? l10n.t('1 file was changed further. That stays; only what this turn did is taken out:')
        : l10n.t(
            '{0} files were changed further. That stays; only what this turn did is taken out:',
            count,
          ),
  };
}

function paragraph(title: string, lines: readonly string[], l10n: Localizer): readonly string[] {
  if (lines.length === 0) return [];
  const { few, more } = firstFew(lines, listLength);
  const rest = more > 0 ? [l10n.t('and {0} more', more)] : [];
  return [
    [title, ...few.map((line) => `  ${line}`), ...rest.map((line) => `  ${line}`)].join('\n'),
  ];
}

function changeLine(path: PlannedPath, l10n: Localizer): string {
  const lines = lineSum(path.added, path.removed);
  return actLine(path.act, lines === '' ? path.path : `${path.path} (${lines})`, l10n);
}

function actLine(act: PlannedAct, path: string, l10n: Localizer): string {
  switch (act) {
    case 'create':
      return l10n.t('create {0}', path);
    case 'delete':
      return l10n.t('delete {0}', path);
    case 'write':
      return l10n.t('restore {0}', path);
    case 'none':
      return path;
  }
}

function conflictLine(conflict: ConflictPath): string {
  return `${conflict.path}: ${conflict.reason}`;
}

function mergeLine(conflict: ConflictPath, l10n: Localizer): string {
  const line = conflictLine(conflict);
  switch (conflict.merge) {
    case 'byHand':
      return l10n.t('{0} The changes overlap: the merge editor opens.', line);
    case 'impossible':
      return l10n.t('{0} It cannot be merged, and is kept.', line);
    default:
      return line;
  }
}
