/** What the scripted model answers: turns of steps, the same for every client. */

/** Done with whichever suitable tool the client offers; paths are relative to the project. */
export type Step =
  | { readonly op: 'read' | 'delete'; readonly path: string }
  | { readonly op: 'edit'; readonly path: string; readonly old: string; readonly new: string }
  | { readonly op: 'create'; readonly path: string; readonly content: string }
  | { readonly op: 'shell'; readonly command: string }
  /** Several calls in one answer. */
  | { readonly op: 'multi'; readonly calls: readonly Step[] }
  /** A tool named outright; `{root}` in a string stands for the project's folder. */
  | { readonly op: 'tool'; readonly tool: string; readonly args: Readonly<Record<string, unknown>> }
  /** Ends the turn. */
  | { readonly op: 'text'; readonly text: string };

export interface ScriptedTurn {
  /** What a person would type; the runner's business, not the model's. */
  readonly prompt?: string;
  /** Regular expression on the prompt; the turn without one is taken when no other matches. */
  readonly match?: string;
  readonly steps: readonly Step[];
}

export interface Script {
  readonly turns: readonly ScriptedTurn[];
}

/** The prompts of a script whose turns name theirs. */
export function promptsOf(script: Script): readonly string[] {
  return script.turns.flatMap(({ prompt }) => (prompt === undefined ? [] : [prompt]));
}

/** The step a conversation is at: the turn that its last prompt chooses, so many tool rounds on. */
export function stepAt(script: Script, prompt: string, rounds: number): Step {
  const turn =
    script.turns.find(({ match }) => match !== undefined && new RegExp(match).test(prompt)) ??
    script.turns.find(({ match }) => match === undefined);
  return (
    turn?.steps[Math.min(rounds, turn.steps.length - 1)] ?? {
      op: 'text',
      text: 'Nothing is scripted for this prompt.',
    }
  );
}
