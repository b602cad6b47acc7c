/** Makes the demo: a sample project in its own folder with its own home, on which an agent has just worked. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { clients } from '../agents/clients.ts';
import { installClient } from '../agents/installClient.ts';
import { runClient } from '../agents/runClient.ts';
import { projectFolder } from '../tools/paths.ts';
import { mustRun } from '../tools/runCommand.ts';
import { replay } from './replay.ts';
import { readScenario, type ScenarioTurn } from './scenario.ts';

export interface Demo {
  /** Holds everything else here. */
  readonly folder: string;
  readonly workspace: string;
  /** What `~` is for the agent, so that nobody's settings are touched. */
  readonly home: string;
  readonly timelineHome: string;
}

export interface DemoOptions {
  /** Empty; made if it is not there. */
  readonly folder: string;
  /** client: the real Gemini CLI where it can be installed. replay: never. */
  readonly agent: 'client' | 'replay';
  /** Is told what is going on, in whole sentences. */
  readonly say: (sentence: string) => void;
}

/** The bundles must have been built. */
export async function prepareDemo({ folder, agent, say }: DemoOptions): Promise<Demo> {
  const demo = await makeSample(folder);
  await connectGemini(demo);
  const turns = readScenario();
  if (agent === 'client' && (await canInstall(say))) await workWithClient(demo, turns, say);
  else await replayTurns(demo, turns);
  return demo;
}

/** The sample project as the agent finds it: a git repository with one commit. */
export async function makeSample(folder: string): Promise<Demo> {
  await fs.mkdir(folder, { recursive: true });
  const root = await fs.realpath(folder);
  const home = path.join(root, 'home');
  const demo = {
    folder: root,
    workspace: path.join(root, 'tally'),
    home,
    timelineHome: path.join(home, '.memcode/timeline'),
  };
  await fs.mkdir(home, { recursive: true });
  await fs.cp(path.join(import.meta.dirname, 'sample'), demo.workspace, { recursive: true });
  await commitAll(demo.workspace);
  return demo;
}

export function demoEnvironment(demo: Demo): Record<string, string> {
  return { HOME: demo.home, USERPROFILE: demo.home, MEMCODE_TIMELINE_HOME: demo.timelineHome };
}

/** Through our own CLI, as a person would. */
export async function connectGemini(demo: Demo): Promise<void> {
  clients.gemini.prepare(demo.home, demo.workspace);
  await runCli(demo, ['connect', 'gemini', '--yes']);
}

/** The hooks of one more start of the agent, in the same session unless told otherwise; needs `connectGemini`. */
export async function replayTurns(
  demo: Demo,
  turns: readonly ScenarioTurn[],
  session = '5d0c1f8e-6a53-4c55-9d5c-0f6f0a7d7c11',
): Promise<void> {
  await replay(turns, {
    workspace: demo.workspace,
    session,
    callHook: (payload) => callHook(demo, payload),
  });
}

/** Without the person's git settings, which may sign, run hooks or ask. */
async function commitAll(workspace: string): Promise<void> {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: os.devNull, GIT_CONFIG_NOSYSTEM: '1' };
  const identity = ['-c', 'user.name=Demo', '-c', 'user.email=demo@example.invalid'];
  const git = (...args: string[]): Promise<string> => mustRun('git', args, { cwd: workspace, env });
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '--all');
  await git(...identity, 'commit', '--quiet', '--message', 'Count words');
}

async function canInstall(say: DemoOptions['say']): Promise<boolean> {
  const { package: name, version } = clients.gemini;
  try {
    await installClient(clients.gemini);
    return true;
  } catch (error) {
    say(`${name}@${version} could not be installed, so recorded hook calls are replayed instead:`);
    say(error instanceof Error ? error.message : String(error));
    return false;
  }
}

async function workWithClient(
  demo: Demo,
  turns: readonly ScenarioTurn[],
  say: DemoOptions['say'],
): Promise<void> {
  say(`Gemini CLI ${clients.gemini.version} works on it, with a scripted model:`);
  const run = await runClient({
    client: 'gemini',
    project: demo.workspace,
    home: demo.home,
    script: { turns },
    prompts: turns.map(({ prompt }) => prompt),
    env: { MEMCODE_TIMELINE_HOME: demo.timelineHome },
    onTurn: (prompt, index) => say(`  turn ${index + 1} of ${turns.length}: ${prompt}`),
  });
  const { turns: recorded }: { turns: readonly object[] } = JSON.parse(
    await runCli(demo, ['list', '--json']),
  );
  if (recorded.length === turns.length) return;
  const last = run.turns.at(-1)?.output.slice(-2000);
  throw new Error(`${recorded.length} turns were recorded. Gemini CLI ended with:\n${last}`);
}

function runCli(demo: Demo, args: readonly string[]): Promise<string> {
  const program = path.join(projectFolder, 'dist/cli.cjs');
  return mustRun(process.execPath, [program, ...args], {
    cwd: demo.workspace,
    env: { ...process.env, ...demoEnvironment(demo) },
  });
}

/** As the agent would: the launcher that `connect` wrote. */
async function callHook(demo: Demo, payload: object): Promise<void> {
  const windows = process.platform === 'win32';
  const launcher = path.join(demo.timelineHome, 'bin', 'memcode-timeline');
  const child = spawn(windows ? `${launcher}.cmd` : launcher, ['hook', 'gemini'], {
    cwd: demo.workspace,
    env: { ...process.env, ...demoEnvironment(demo) },
    stdio: ['pipe', 'ignore', 'inherit'],
    shell: windows,
  });
  child.stdin.end(JSON.stringify(payload));
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`The hook ended with ${status}.`);
}
