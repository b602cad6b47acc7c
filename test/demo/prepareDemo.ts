/** Makes the demo: a sample project in its own folder with its own home, on which an agent has just worked. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { projectFolder } from '../tools/paths.ts';
import { mustRun } from '../tools/runCommand.ts';
import { replay } from './replay.ts';
import { readScenario } from './scenario.ts';

export interface Demo {
  /** Holds everything else here. */
  readonly folder: string;
  readonly workspace: string;
  /** What `~` is for the agent, so that nobody's settings are touched. */
  readonly home: string;
  readonly timelineHome: string;
}

/** @param folder empty; made if it is not there. The bundles must have been built. */
export async function prepareDemo(folder: string): Promise<Demo> {
  const demo = await makeSample(folder);
  await playTurns(demo);
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

/** Without the person's git settings, which may sign, run hooks or ask. */
async function commitAll(workspace: string): Promise<void> {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: os.devNull, GIT_CONFIG_NOSYSTEM: '1' };
  const identity = ['-c', 'user.name=Demo', '-c', 'user.email=demo@example.invalid'];
  const git = (...args: string[]): Promise<string> => mustRun('git', args, { cwd: workspace, env });
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '--all');
  await git(...identity, 'commit', '--quiet', '--message', 'Count words');
}

async function playTurns(demo: Demo): Promise<void> {
  await replay(readScenario(), {
    workspace: demo.workspace,
    session: '5d0c1f8e-6a53-4c55-9d5c-0f6f0a7d7c11',
    callHook: (payload) => runHook(demo, payload),
  });
}

async function runHook(demo: Demo, payload: object): Promise<void> {
  const child = spawn(
    process.execPath,
    [path.join(projectFolder, 'dist/hook.cjs'), 'hook', 'gemini'],
    {
      cwd: demo.workspace,
      env: { ...process.env, ...demoEnvironment(demo) },
      stdio: ['pipe', 'ignore', 'inherit'],
    },
  );
  child.stdin.end(JSON.stringify(payload));
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`The hook ended with ${status}.`);
}
