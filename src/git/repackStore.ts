/** Maintenance of a repository of ours by git itself, and the sweeping of what crashes left. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { isMissing, listIfExists } from '../base/atomicFile.ts';
import { systemCode } from '../core/errors.ts';
import { gitEnvironment } from './runGit.ts';

const run = promisify(execFile);
/** No snapshot takes longer than this between its pack and its ref. */
const staleAfter = 60 * 60 * 1000;

/**
 * `roll` joins small packs and drops nothing; `full` makes one pack of what refs reach and drops the rest.
 * @returns false when there is no git. @throws Error when git fails; the repository is whole then too.
 */
export async function repackStore(
  folder: string,
  how: 'roll' | 'full',
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const args = how === 'full' ? ['-a', '-d'] : ['--geometric=2', '-d'];
  try {
    await run(
      'git',
      ['-c', 'repack.writeBitmaps=false', '--git-dir', folder, 'repack', '-q', ...args],
      {
        cwd: folder,
        env: gitEnvironment(environment),
        windowsHide: true,
        ...(signal && { signal }),
      },
    );
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Temporaries and keep marks of processes that died. */
export function sweepPacks(folder: string, now: number): void {
  const packs = path.join(folder, 'objects', 'pack');
  for (const { name } of listIfExists(packs)) {
    if (!name.startsWith('tmp_') && !name.endsWith('.keep')) continue;
    const file = path.join(packs, name);
    try {
      if (now - fs.statSync(file).mtimeMs > staleAfter) fs.rmSync(file, { force: true });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}
