/**
 * The conversation around a rewind: look, ask, rewind. Decides what is asked and what an answer means; asking, progress and
 * editors are arguments, so it runs without VS Code.
 */
import type { RewindOptions, TimelineApp } from '../app/timelineApp.ts';
import { isUserError, UserError } from '../core/errors.ts';
import type { Root, TurnId } from '../core/ids.ts';
import type {
  ConflictPath,
  OperationReport,
  RewindPreview,
  TurnSummary,
} from '../core/timeline.ts';
import type { Localizer } from './localizer.ts';
import type { Ask } from './question.ts';
import {
  type ConflictAnswer,
  changesSomething,
  rewindQuestion,
  runningQuestion,
} from './rewindTexts.ts';

/** Open editors, as paths relative to a root. */
export interface Editors {
  /** Those with unsaved changes. */
  unsaved(root: Root): ReadonlySet<string>;
  /** Saves these and returns the ones that are still unsaved. */
  save(root: Root, paths: readonly string[]): Promise<readonly string[]>;
}

export interface FlowContext {
  readonly app: TimelineApp;
  readonly l10n: Localizer;
  readonly ask: Ask;
  readonly editors: Editors;
  /** Runs the task and shows that it runs. */
  busy<T>(sentence: string, task: () => Promise<T>): Promise<T>;
  /** Shows the present beside what the rewind would make of it, and offers to go on from there. */
  showPreview(preview: RewindPreview): Promise<void>;
}

export interface RewindTarget {
  readonly turn: TurnSummary;
  readonly root: Root;
}

/**
 * Rewinds to before a turn, after a question. Undefined: the person cancelled, or looks at the preview.
 * @throws UserError as `TimelineApp.rewind`; `fileSystem` when an editor cannot be saved first.
 */
export async function rewindFlow(
  target: RewindTarget,
  context: FlowContext,
): Promise<OperationReport | undefined> {
  const { app, l10n, ask, editors } = context;
  const turn = target.turn.id;
  let force = false;
  for (;;) {
    const unsaved = editors.unsaved(target.root);
    const preview = await previewOf(app, turn, { unsaved, force });
    const running = preview === 'running' ? target.turn : preview.turns.find(isRunning);
    if (preview === 'running' || (running !== undefined && !force)) {
      if ((await ask(runningQuestion(running ?? target.turn, l10n))) !== 'force') return undefined;
      force = true;
      continue;
    }
    if (!changesSomething(preview)) throw nothingToRewind(preview, l10n);
    const answer = await ask(rewindQuestion(preview, unsaved, l10n));
    if (answer === undefined) return undefined;
    if (answer === 'preview') {
      await context.showPreview(preview);
      return undefined;
    }
    const sentence = l10n.t('Rewinding to before turn {0}…', target.turn.number);
    return context.busy(sentence, async () => {
      const options = await answeredOptions(target.root, preview.conflicts, answer, context);
      const partial = preview.notRestorable.length > 0;
      return app.rewind(turn, { ...options, force, partial });
    });
  }
}

/**
 * Options for an answer to a question about these conflicts. Taking the old state saves their unsaved editors first:
 * then the redo point holds that text too, and the editors follow the disk by themselves. Whatever came up since
 * the question was asked is kept.
 * @throws UserError `fileSystem` when an editor cannot be saved.
 */
export async function answeredOptions(
  root: Root,
  conflicts: readonly ConflictPath[],
  answer: ConflictAnswer,
  { editors, l10n }: Pick<FlowContext, 'editors' | 'l10n'>,
): Promise<RewindOptions> {
  if (answer === 'take') {
    const open = editors.unsaved(root);
    const toSave = conflicts.map(({ path }) => path).filter((path) => open.has(path));
    const stuck = toSave.length === 0 ? [] : await editors.save(root, toSave);
    if (stuck.length > 0) {
      throw new UserError(
        'fileSystem',
        l10n.t('Nothing was changed: {0} could not be saved first.', stuck.join(', ')),
        { paths: stuck },
      );
    }
  }
  const unsaved = editors.unsaved(root);
  const choices = new Map(
    conflicts
      .filter(({ path }) => answer === 'keep' || !unsaved.has(path))
      .map(({ path }) => [path, answer]),
  );
  return { conflicts: 'keep', choices, unsaved };
}

function nothingToRewind({ notRestorable }: RewindPreview, l10n: Localizer): UserError {
  const [first] = notRestorable;
  return first === undefined
    ? new UserError('nothingToDo', l10n.t('There is nothing to rewind from this turn on.'))
    : new UserError(
        'damaged',
        l10n.t('Nothing can be rewound. {0}: {1}', first.path, first.reason),
        { paths: notRestorable.map(({ path }) => path) },
      );
}

async function previewOf(
  app: TimelineApp,
  turn: TurnId,
  options: RewindOptions,
): Promise<RewindPreview | 'running'> {
  try {
    return await app.preview(turn, options);
  } catch (error) {
    if (isUserError(error, 'running') && !options.force) return 'running';
    throw error;
  }
}

function isRunning(turn: TurnSummary): boolean {
  return turn.end === 'running';
}
