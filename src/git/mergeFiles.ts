/** Three-way merge of file contents with git's own merge machinery. */
import { runGit } from './runGit.ts';

export type MergeOutcome =
  | { readonly kind: 'clean'; readonly bytes: Uint8Array }
  | { readonly kind: 'conflict' }
  /** Binary files, no git, unreadable input. */
  | { readonly kind: 'impossible'; readonly reason: string };

/**
 * `git merge-file -p mine base theirs`: applies the change base -> theirs to mine.
 * @param mine absolute files, all three; read only
 */
export function mergeFiles(
  mine: string,
  base: string,
  theirs: string,
  folder: string,
  environment: NodeJS.ProcessEnv,
): MergeOutcome {
  const { code, stdout, stderr } = runGit(
    folder,
    ['merge-file', '-p', mine, base, theirs],
    environment,
  );
  if (code === 0) return { kind: 'clean', bytes: stdout };
  // Exit code: number of conflicts, at most 127; 255 for errors such as binary input.
  if (code !== undefined && code > 0 && code < 128) return { kind: 'conflict' };
  return { kind: 'impossible', reason: stderr.trim().split('\n')[0] || 'git could not merge it.' };
}
