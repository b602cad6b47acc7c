/**
 * Plays a scenario without a client: hands recorded hook payloads, their paths and texts filled in, to the hook, and does
 * between them on disk what the agent would have done.
 */
import { readFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { projectFolder } from '../tools/paths.ts';
import type { ScenarioStep, ScenarioTurn } from './scenario.ts';

/** Runs the hook with this on its standard input. */
export type CallHook = (payload: object) => Promise<void>;

export interface ReplayOptions {
  readonly workspace: string;
  readonly session: string;
  readonly callHook: CallHook;
}

/** One session with all turns of the scenario. */
export async function replay(
  turns: readonly ScenarioTurn[],
  { workspace, session, callHook }: ReplayOptions,
): Promise<void> {
  const common = { session_id: session, cwd: workspace };
  const call = (recorded: string, filled: object = {}): Promise<void> =>
    callHook({
      ...recordedPayload(recorded),
      ...common,
      timestamp: new Date().toISOString(),
      ...filled,
    });
  await call('SessionStart');
  for (const { prompt, steps } of turns) {
    await call('BeforeAgent', { prompt });
    let reply = '';
    for (const step of steps) {
      if (step.op === 'text') {
        reply = step.text;
        continue;
      }
      const tool = tools[step.op];
      const tool_input = inputOf(step, workspace);
      await call(`BeforeTool.${tool}`, { tool_input });
      await perform(step, workspace);
      await call(`AfterTool.${tool}`, {
        tool_input,
        tool_response: { llmContent: 'Done.', returnDisplay: '' },
      });
    }
    await call('AfterAgent', { prompt, prompt_response: reply });
  }
  await call('SessionEnd');
}

type Doing = Exclude<ScenarioStep, { readonly op: 'text' }>;

const tools = {
  edit: 'replace',
  create: 'write_file',
  shell: 'run_shell_command',
} as const;

function inputOf(step: Doing, workspace: string): object {
  switch (step.op) {
    case 'edit':
      return {
        file_path: path.join(workspace, step.path),
        instruction: 'as asked',
        old_string: step.old,
        new_string: step.new,
      };
    case 'create':
      return { file_path: path.join(workspace, step.path), content: step.content };
    case 'shell':
      return { command: step.command, description: 'as asked' };
  }
}

/** Shell commands of a scenario only look; they are not run. */
async function perform(step: Doing, workspace: string): Promise<void> {
  if (step.op === 'shell') return;
  const file = path.join(workspace, step.path);
  await fs.mkdir(path.dirname(file), { recursive: true });
  if (step.op === 'create') return fs.writeFile(file, step.content);
  const before = await fs.readFile(file, 'utf8');
  if (!before.includes(step.old)) throw new Error(`${step.path} does not hold ${step.old}`);
  return fs.writeFile(
    file,
    before.replace(step.old, () => step.new),
  );
}

function recordedPayload(name: string): object {
  const file = path.join(projectFolder, 'test/fixtures/payloads/gemini', `${name}.json`);
  return JSON.parse(readFileSync(file, 'utf8'));
}
