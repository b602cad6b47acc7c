/** Runs git as the specs want it: argument arrays, no inherited `GIT_*`, no prompts, no locks taken for reading. */
import { execFile, spawnSync } from 'node:child_process';

export interface GitResult {
  /** Exit code; undefined when git could not be started or was ended. */
  readonly code: number | undefined;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Never throws. @param environment of the caller's process; `GIT_*` in it is dropped (agents set some). */
export function runGit(
  folder: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): GitResult {
  const result = spawnSync('git', args, {
    cwd: folder,
    env: gitEnvironment(environment),
    timeout: 30_000,
    maxBuffer: 256 * 1024 * 1024,
    windowsHide: true,
  });
  return {
    code: result.status ?? undefined,
    stdout: result.stdout ?? Buffer.alloc(0),
    stderr: result.error?.message ?? result.stderr?.toString() ?? '',
  };
}

/** What git prints, without waiting for it; undefined when it fails. @param environment as for `runGit` */
export function askGit(
  folder: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(
      'git',
      args,
      {
        cwd: folder,
        env: gitEnvironment(environment),
        timeout: 30_000,
        maxBuffer: 256 * 1024 * 1024,
        windowsHide: true,
      },
      (error, stdout) => resolve(error ? undefined : stdout),
    );
  });
}

/** Names git reads beside its own `GIT_*`: programs it would start for us, and where it would look for its settings. */
const alsoGits = /^(?:EDITOR|VISUAL|PAGER|SSH_ASKPASS|PREFIX)$/i;

/** What `gitEnvironment` adds: simple-git refuses to pass on a `GIT_*` that is not named to it. */
export const gitVariables: readonly string[] = ['GIT_TERMINAL_PROMPT', 'GIT_OPTIONAL_LOCKS'];

/** The caller's environment without what would redirect git, plus what makes its answers stable. */
export function gitEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(environment).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !/^GIT_/i.test(entry[0]) && !alsoGits.test(entry[0]),
  );
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
  };
}
