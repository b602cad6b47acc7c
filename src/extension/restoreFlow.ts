/** Bringing one file back to what it was before or after a turn: at once, unless something would be lost. No vscode. */
import { UserError } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import type { ConflictPath, TurnSummary } from '../core/timeline.ts';
import { carryOut } from './carryOut.ts';
import type { FileChoice, Plan } from './conflictChoice.ts';
import type { FlowContext, FlowOutcome } from './flowContext.ts';
import { mergeOfRestore } from './handMerge.ts';
import { type Localizer, momentText } from './localizer.ts';
import { changesSomething } from './planTexts.ts';
import { restoreQuestion } from './rewindTexts.ts';
import type { TurnFile } from './turnUri.ts';

export interface RestoreTarget {
  readonly turn: TurnSummary;
  readonly old: TurnFile;
  readonly root: Root;
}

/**
 * Undefined: the person cancelled, or looks at the difference first.
 * @throws UserError as `TimelineApp.restoreFile`; `nothingToDo` when the file is in that state already.
 */
export async function restoreFlow(
  { turn, old, root }: RestoreTarget,
  context: FlowContext,
): Promise<FlowOutcome | undefined> {
  const { app, l10n, editors } = context;
  const { path, side } = old;
  const look = (unsaved: ReadonlySet<string>): Promise<Plan> =>
    app.previewRestore(turn.id, path, side, { unsaved });
  const plan = await look(editors.unsaved(root));
  const refusal = plan.notRestorable[0];
  if (refusal !== undefined) {
    throw new UserError(
      'damaged',
      l10n.t('{0} cannot be restored: {1}', refusal.path, refusal.reason),
      { path },
    );
  }
  if (!changesSomething(plan)) throw alreadyThere(old, turn, l10n);
  const merge = mergeOfRestore(app.turns(turn.session), old, turn.number);
  const [conflict] = plan.conflicts;
  const choice =
    conflict === undefined
      ? 'take'
      : await choiceFor(merge === undefined ? unmergeable(conflict) : conflict, turn, old, context);
  if (choice === undefined) return undefined;
  return carryOut(
    {
      root,
      plan,
      standing: choice,
      chooser: undefined,
      busy: l10n.t('Restoring {0}…', path),
      act: { kind: 'restore', path, side, turn: turn.number },
      look,
      old: () => old,
      handMerge: () => merge,
      perform: (options) => app.restoreFile(turn.id, path, side, options),
    },
    context,
  );
}

async function choiceFor(
  conflict: ConflictPath,
  turn: TurnSummary,
  old: TurnFile,
  context: FlowContext,
): Promise<FileChoice | undefined> {
  const moment = { side: old.side, turn: turn.number };
  const answer = await context.ask(restoreQuestion(conflict, moment, context.l10n));
  if (answer !== 'compare') return answer;
  await context.compare(old);
  return undefined;
}

function unmergeable(conflict: ConflictPath): ConflictPath {
  return { ...conflict, merge: 'impossible' };
}

function alreadyThere({ path, side }: TurnFile, { number }: TurnSummary, l10n: Localizer) {
  const when = momentText(l10n, { side, turn: number });
  return new UserError('nothingToDo', l10n.t('{0} is what it was {1} already.', path, when), {
    path,
  });
}
