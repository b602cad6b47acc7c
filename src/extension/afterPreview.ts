/** What is still asked of somebody who goes on from a preview: nothing, where it showed all there is to decide. No vscode. */
import type { Plan } from './conflictChoice.ts';
import type { FlowContext, ShownPreview } from './flowContext.ts';
import type { Question } from './question.ts';
import type { PlanAnswer } from './rewindTexts.ts';

/** Asks what a plan's question asks. After its preview only what that left open, or all of it when the plan is another now. */
export async function askOfPlan(
  question: Question<PlanAnswer>,
  plan: Plan,
  { ask, seen }: Pick<FlowContext, 'ask' | 'seen'>,
): Promise<PlanAnswer | undefined> {
  if (seen === undefined || !isSame(planOf(seen), plan)) return ask(question);
  if (isSettled(plan)) return 'go';
  return ask({ ...question, choices: question.choices.filter(({ id }) => id !== 'preview') });
}

/** Nothing is asked any more once it was seen. */
export function asksNoMore(shown: ShownPreview): boolean {
  return isSettled(planOf(shown)) && !(shown.kind === 'rewind' && shown.preview.memory);
}

function planOf(shown: ShownPreview): Plan {
  return shown.kind === 'rewind' ? shown.preview : shown.plan;
}

function isSettled({ conflicts, notRestorable }: Plan): boolean {
  return conflicts.length + notRestorable.length === 0;
}

function isSame(one: Plan, other: Plan): boolean {
  return textOf(one) === textOf(other);
}

function textOf({ paths, conflicts, notRestorable }: Plan): string {
  return JSON.stringify([paths, conflicts, notRestorable]);
}
