/**
 * Runs git for commits of agents' work: asynchronously, with input, on a private index where one is named, and without
 * anything of the user's that would run or ask (hooks, fsmonitor, prompts, network).
 */
import { spawn } from 'node:child_process';
import type { GitResult } from './runGit.ts';
import { gitEnvironment } from './runGit.ts';

export interface CommitGitCall {
  readonly args: readonly string[];
  readonly input?: string | Uint8Array;
  /** `GIT_INDEX_FILE`. */
  readonly index?: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** For commands that know no literal paths. */
  readonly isPlain?: true;
  /** Further settings, `name=value`, for this run alone. */
  readonly settings?: readonly string[];
}

/** Never rejects. `code` is undefined when git could not be started or was ended. */
export type CommitGit = (call: CommitGitCall) => Promise<GitResult>;

export interface CommitGitPlace {
  /** Where git runs. */
  readonly folder: string;
  /** An empty folder of ours, in place of the user's hooks. */
  readonly hooks: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** Less than it takes until our lock is given to somebody else. */
const timeout = 90_000;

export function commitGit({ folder, hooks, environment }: CommitGitPlace): CommitGit {
  const always = [
    'core.fsmonitor=false',
    `core.hooksPath=${hooks}`,
    'core.quotePath=false',
    'core.safecrlf=false',
    'i18n.commitEncoding=UTF-8',
  ];
  return ({ args, input, index, variables, isPlain, settings = [] }) =>
    run(
      folder,
      [
        ...(isPlain ? [] : ['--literal-pathspecs']),
        ...[...always, ...settings].flatMap((setting) => ['-c', setting]),
        ...args,
      ],
      {
        ...gitEnvironment(environment),
        GIT_NO_LAZY_FETCH: '1',
        ...(index !== undefined && { GIT_INDEX_FILE: index }),
        ...variables,
      },
      input ?? '',
    );
}

function run(
  cwd: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  input: string | Uint8Array,
): Promise<GitResult> {
  return new Promise((resolve) => {
    const child = spawn('git', args, { cwd, env, timeout, windowsHide: true });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    const end = (code: number | undefined, problem?: string) =>
      resolve({
        code,
        stdout: Buffer.concat(stdout),
        stderr: problem ?? Buffer.concat(stderr).toString(),
      });
    child.on('error', (error) => end(undefined, error.message));
    child.on('close', (code) => end(code ?? undefined));
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    // A git that ends without reading is told by its exit code.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** Whether git itself is missing, or the folder it was to run in. */
export function couldNotStart({ code, stderr }: GitResult): boolean {
  return code === undefined && stderr.includes('ENOENT');
}

export class GitFailure extends Error {
  override readonly name = 'GitFailure';
}

/** @throws GitFailure unless git ended with 0 or another code that is no failure here. */
export function demand(result: GitResult, what: string, ...alsoFine: readonly number[]): Buffer {
  const { code, stdout, stderr } = result;
  if (code === 0 || (code !== undefined && alsoFine.includes(code))) return stdout;
  const said = stderr.trim().split('\n')[0] ?? '';
  throw new GitFailure(`git ${what}: ${said === '' ? `exit ${code ?? 'without a code'}` : said}`);
}
