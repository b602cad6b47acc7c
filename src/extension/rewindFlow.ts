/**
 * The conversation around a rewind: look, ask, rewind. Decides what is asked and what an answer means; asking, progress and
 * editors are arguments, so it runs without VS Code.
 */
import type { RewindOptions, TimelineApp } from '../app/timelineApp.ts';
import { isUserError, UserError } from '../core/errors.ts';
import type { TurnId } from '../core/ids.ts';
import type { RewindPreview, TurnSummary } from '../core/timeline.ts';
import { askOfPlan } from './afterPreview.ts';
import { carryOut } from './carryOut.ts';
import type { FlowContext, FlowOutcome, TurnInRoot } from './flowContext.ts';
import { mergeOfTurns } from './handMerge.ts';
import type { Localizer } from './localizer.ts';
import { memoryQuestion, withMemory, wroteMemory } from './memoryQuestion.ts';
import { changesSomething } from './planTexts.ts';
import { rewindQuestion, runningQuestion } from './rewindTexts.ts';

/**
 * Rewinds to before a turn, after a question. Undefined: the person cancelled, or looks at the preview.
 * @throws UserError as `TimelineApp.rewind`; `fileSystem` when an editor cannot be saved first.
 */
export async function rewindFlow(
  target: TurnInRoot,
  context: FlowContext,
): Promise<FlowOutcome | undefined> {
  const { app, l10n, ask, editors } = context;
  const { root, turn } = target;
  const { id, number } = turn;
  let force = false;
  for (;;) {
    const unsaved = editors.unsaved(root);
    const preview = await previewOf(app, id, { unsaved, force });
    const running = preview === 'running' ? turn : preview.turns.find(isRunning);
    if (preview === 'running' || (running !== undefined && !force)) {
      if ((await ask(runningQuestion(running ?? turn, 'rewind', l10n))) !== 'force')
        return undefined;
      force = true;
      continue;
    }
    if (!changesSomething(preview) && !wroteMemory(preview.memory))
      throw nothingToRewind(preview, l10n);
    const answer = await askOfPlan(rewindQuestion(preview, unsaved, l10n), preview, context);
    if (answer === 'preview') await context.showPreview({ kind: 'rewind', preview });
    if (answer === 'preview' || answer === undefined) return undefined;
    const memory = wroteMemory(preview.memory)
      ? await ask(memoryQuestion(preview.memory, l10n))
      : 'keep';
    if (memory === undefined) return undefined;
    const isForced = force;
    const chooser = {
      title: l10n.t('Rewind to Before Turn {0}', number),
      go: l10n.t('Rewind with These Choices'),
    };
    return carryOut(
      {
        root,
        plan: memory === 'take-back' ? withMemory(preview, preview.memory) : preview,
        standing: 'keep',
        chooser: answer === 'choose' ? chooser : undefined,
        busy: l10n.t('Rewinding to before turn {0}…', number),
        act: { kind: 'rewind', turn: number },
        look: (open) => app.preview(id, { unsaved: open, force: isForced }),
        old: (path) => mergeOfTurns(preview.turns, path)?.old,
        handMerge: (path) => mergeOfTurns(preview.turns, path),
        perform: (options) =>
          app.rewind(id, { ...options, memory, memoryDecided: true, force: isForced }),
      },
      context,
    );
  }
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
