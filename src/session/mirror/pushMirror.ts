/** Pushes a mirror to the remote that a person named. Only then does anything leave the machine; never by force. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { messageOf } from '../../core/errors.ts';
import { gitEnvironment } from '../../git/runGit.ts';
import { type Mirror, mirrorBranches } from './mirrorRepository.ts';

const run = promisify(execFile);
const timeout = 120_000;

/** Branches and where they stand: what the remote has after a push. */
export function branchState(mirror: Mirror): string {
  return [...mirrorBranches(mirror)].map(([name, id]) => `${name} ${id}`).join('\n');
}

/** @returns undefined when it went well, else why not. */
export async function pushMirror(
  mirror: Mirror,
  remote: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const refs = [...mirrorBranches(mirror).keys()].map((name) => `refs/heads/${name}`);
  if (refs.length === 0) return undefined;
  const options = ['core.hooksPath=no-hooks', 'push.gpgSign=false', 'protocol.ext.allow=never'];
  const args = [
    ...options.flatMap((option) => ['-c', option]),
    '--git-dir',
    mirror.git,
    'push',
    '--quiet',
    '--',
    remote,
    ...refs,
  ];
  try {
    await run('git', args, {
      cwd: mirror.folder,
      env: gitEnvironment(environment),
      timeout,
      windowsHide: true,
      ...(signal && { signal }),
    });
    return undefined;
  } catch (error) {
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    return (stderr || messageOf(error)).slice(0, 500);
  }
}
