/** Runs a real client on a project, one process a turn, against the scripted model and in a home of its own. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { type Client, type ClientName, clients } from './clients.ts';
import { installClient } from './installClient.ts';
import { type ModelServer, startModelServer } from './model/modelServer.ts';
import type { Script } from './model/script.ts';

export interface RunOptions {
  readonly client: ClientName;
  /** Where the client works; absolute real path. */
  readonly project: string;
  /** The client's home: its settings, with our hooks, and its sessions. */
  readonly home: string;
  readonly script: Script;
  /** One turn each, all in one session. */
  readonly prompts: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Called before each turn. */
  readonly onTurn?: (prompt: string, index: number) => void;
}

export interface TurnRun {
  readonly prompt: string;
  /** Says little: clients report success when a hook blocked every tool. Look at the files. */
  readonly status: number;
  readonly output: string;
}

export interface ClientRun {
  readonly turns: readonly TurnRun[];
  /** What the client sent to the model. */
  readonly requests: ModelServer['requests'];
}

/** A turn that takes longer is ended, with everything it started; milliseconds. */
const patience = 120_000;

/** @throws when the client cannot be installed. */
export async function runClient(options: RunOptions): Promise<ClientRun> {
  const client = clients[options.client];
  const program = await installClient(client);
  const temporary = path.join(options.home, 'tmp');
  fs.mkdirSync(temporary, { recursive: true });
  client.prepare(options.home, options.project);
  await using model = await startModelServer(options.script, options.project);
  const turns: TurnRun[] = [];
  for (const [index, prompt] of options.prompts.entries()) {
    options.onTurn?.(prompt, index);
    const args = client.args(prompt, model.url, index > 0);
    const env = environment(client, model.url, options, temporary);
    turns.push({ prompt, ...(await run(program, args, options.project, env)) });
  }
  return { turns, requests: model.requests };
}

/** Nothing of ours but what is named: no key, no setting, no store of the person who runs this. */
function environment(
  client: Client,
  modelUrl: string,
  options: RunOptions,
  temporary: string,
): NodeJS.ProcessEnv {
  const folders = [path.dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'];
  return {
    HOME: options.home,
    TMPDIR: temporary,
    PATH: folders.join(path.delimiter),
    TERM: 'dumb',
    LANG: 'C.UTF-8',
    ...client.env(modelUrl),
    ...options.env,
  };
}

function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<{ status: number; output: string }> {
  const { promise, resolve } = Promise.withResolvers<{ status: number; output: string }>();
  // A process group of its own: some clients start themselves again as a child.
  const child = spawn(program, args, {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const endGroup = (): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch (error) {
      const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH';
      if (!isGone) throw error;
    }
  };
  const timer = setTimeout(endGroup, patience);
  process.once('exit', endGroup);
  let output = '';
  const collect = (chunk: string): void => {
    output += chunk;
  };
  child.stdout.setEncoding('utf8').on('data', collect);
  child.stderr.setEncoding('utf8').on('data', collect);
  const finish = (status: number): void => {
    clearTimeout(timer);
    process.off('exit', endGroup);
    resolve({ status, output });
  };
  child.on('error', (error) => {
    collect(error.message);
    finish(127);
  });
  child.on('close', (status) => finish(status ?? 1));
  return promise;
}
