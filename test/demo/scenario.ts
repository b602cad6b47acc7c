/** What the agent of the demo is asked and what it does: the script of the model server, with the prompts. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

export type Step =
  | { readonly op: 'read'; readonly path: string }
  | { readonly op: 'edit'; readonly path: string; readonly old: string; readonly new: string }
  | { readonly op: 'create'; readonly path: string; readonly content: string }
  | { readonly op: 'shell'; readonly command: string }
  | { readonly op: 'text'; readonly text: string };

export interface ScenarioTurn {
  readonly prompt: string;
  /** What the model server knows the prompt by. */
  readonly match: string;
  /** The last one is the reply. */
  readonly steps: readonly Step[];
}

export const scenarioFile = path.join(import.meta.dirname, 'scenario.json');

export function readScenario(): readonly ScenarioTurn[] {
  const { turns }: { turns: readonly ScenarioTurn[] } = JSON.parse(
    readFileSync(scenarioFile, 'utf8'),
  );
  return turns;
}
