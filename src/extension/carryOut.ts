/** What every way of going back has in common once it is asked for: choices for conflicts, then the act. No vscode. */
import type { RewindOptions } from '../app/timelineApp.ts';
import type { Root } from '../core/ids.ts';
import type { ConflictPath, OperationReport } from '../core/timeline.ts';
import { type FileChoice, type FileChoices, type Plan, sameChoice } from './conflictChoice.ts';
import { type ChooserTexts, chooseForEach } from './conflictFlow.ts';
import { decideConflicts } from './decideConflicts.ts';
import type { FlowContext, FlowOutcome } from './flowContext.ts';
import type { HandMerge } from './handMerge.ts';
import type { Act } from './reportTexts.ts';
import type { StoredFile } from './turnUri.ts';

export interface GoingBack {
  readonly root: Root;
  /** The one that was asked about. */
  readonly plan: Plan;
  /** What becomes of conflicts that nobody chooses for. */
  readonly standing: FileChoice;
  /** Present when the person wants to choose for each file. */
  readonly chooser: ChooserTexts | undefined;
  /** A sentence, while it goes on. */
  readonly busy: string;
  readonly act: Act;
  /** The plan as it is now, without changing anything. */
  look(unsaved: ReadonlySet<string>): Promise<Plan>;
  /** What a path goes back to, to be looked at. */
  old(path: string): StoredFile | undefined;
  /** Undefined where nobody can tell the sides of a merge. */
  handMerge(path: string): HandMerge | undefined;
  perform(options: RewindOptions): Promise<OperationReport>;
}

/**
 * Undefined: the person cancelled while choosing.
 * @throws UserError as `perform` and `look`; `fileSystem` when an editor cannot be saved first.
 */
export async function carryOut(
  going: GoingBack,
  context: FlowContext,
): Promise<FlowOutcome | undefined> {
  const { root, plan, act } = going;
  const choices = await choicesFor(going, context);
  if (choices === undefined) return undefined;
  return context.busy(going.busy, async () => {
    const { options, byHand } = await decideConflicts(root, choices, { ...context, ...going });
    const partial = plan.notRestorable.length > 0;
    return { report: await going.perform({ ...options, partial }), act, byHand };
  });
}

async function choicesFor(
  going: GoingBack,
  context: FlowContext,
): Promise<FileChoices | undefined> {
  const { plan, standing, chooser } = going;
  const conflicts = plan.conflicts.map((conflict) => withSides(conflict, going));
  if (chooser === undefined) return sameChoice(conflicts, standing);
  return chooseForEach(conflicts, standing, chooser, {
    ...context,
    async compare(path) {
      const old = going.old(path);
      if (old !== undefined) await context.compare(old);
    },
  });
}

/** Without its sides only what is known to merge by itself can be merged. */
function withSides(conflict: ConflictPath, { handMerge }: GoingBack): ConflictPath {
  return conflict.merge === 'clean' || handMerge(conflict.path) !== undefined
    ? conflict
    : { ...conflict, merge: 'impossible' };
}
