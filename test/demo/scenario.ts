/** What the agent of the demo is asked and what it does: the script of the model server, with the prompts. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Step } from '../agents/model/script.ts';

/** The steps a scenario keeps to. */
export type ScenarioStep = Extract<
  Step,
  | { readonly op: 'edit' }
  | { readonly op: 'create' }
  | { readonly op: 'shell' }
  | { readonly op: 'text' }
>;

export interface ScenarioTurn {
  readonly prompt: string;
  /** What the model server knows the prompt by. */
  readonly match: string;
  /** The last one is the reply. */
  readonly steps: readonly ScenarioStep[];
}

export function readScenario(): readonly ScenarioTurn[] {
  const file = path.join(import.meta.dirname, 'scenario.json');
  const { turns }: { turns: readonly ScenarioTurn[] } = JSON.parse(readFileSync(file, 'utf8'));
  return turns;
}
