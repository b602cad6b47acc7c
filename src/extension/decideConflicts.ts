/** Turns what a person chose for conflicts into the options of the app. Saves editors, nothing else. No vscode. */
import type { RewindOptions } from '../app/timelineApp.ts';
import { UserError } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import type { ConflictChoice } from '../core/timeline.ts';
import type { FileChoices, Plan } from './conflictChoice.ts';
import type { FlowContext } from './flowContext.ts';
import type { HandMerge } from './handMerge.ts';

export interface DecideContext extends Pick<FlowContext, 'editors' | 'l10n'> {
  /** The plan as it is now, without changing anything. */
  look(unsaved: ReadonlySet<string>): Promise<Plan>;
  /** Undefined where nobody can tell the sides of a merge. */
  handMerge(path: string): HandMerge | undefined;
}

export interface Decided {
  readonly options: RewindOptions;
  readonly byHand: readonly HandMerge[];
}

/**
 * Files that change have their unsaved editors saved first: then the redo point holds that text too, it takes part in
 * merges, and the editors follow the disk by themselves. Whatever came up since the question was asked is kept.
 * @throws UserError `fileSystem` when an editor cannot be saved; as `look`.
 */
export async function decideConflicts(
  root: Root,
  choices: FileChoices,
  context: DecideContext,
): Promise<Decided> {
  await saveFirst(root, choices, context);
  const unsaved = context.editors.unsaved(root);
  const changing = [...choices].filter(([path, choice]) => choice !== 'keep' && !unsaved.has(path));
  const byHand = changing.some(([, choice]) => choice === 'merge')
    ? handMerges(new Map(changing), await context.look(unsaved), context)
    : [];
  const decided = new Map<string, ConflictChoice>([
    ...[...choices.keys()].map((path) => [path, 'keep'] as const),
    ...changing,
  ]);
  return {
    options: {
      conflicts: 'keep',
      choices: decided,
      byHand: new Set(byHand.map(({ path }) => path)),
      unsaved,
    },
    byHand,
  };
}

async function saveFirst(
  root: Root,
  choices: FileChoices,
  { editors, l10n }: DecideContext,
): Promise<void> {
  const open = editors.unsaved(root);
  const toSave = [...choices].flatMap(([path, choice]) =>
    choice !== 'keep' && open.has(path) ? [path] : [],
  );
  const stuck = toSave.length === 0 ? [] : await editors.save(root, toSave);
  if (stuck.length === 0) return;
  throw new UserError(
    'fileSystem',
    l10n.t('Nothing was changed: {0} could not be saved first.', stuck.join(', ')),
    { paths: stuck },
  );
}

function handMerges(
  choices: FileChoices,
  { conflicts }: Plan,
  { handMerge }: DecideContext,
): readonly HandMerge[] {
  return conflicts.flatMap(({ path, merge }) =>
    choices.get(path) === 'merge' && merge === 'byHand' ? (handMerge(path) ?? []) : [],
  );
}
