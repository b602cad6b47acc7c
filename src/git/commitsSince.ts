/** Which commits were made since a turn began, through simple-git: for the warning before a rewind. Reads only. */
import { gitEnvironment, gitVariables } from './runGit.ts';

export type HeadChange =
  | { readonly kind: 'same' }
  /** `ahead`: commits from the old HEAD to the new one. */
  | { readonly kind: 'ahead'; readonly commits: number; readonly branch: string | null }
  /** Another branch, or history that does not contain the old HEAD. */
  | { readonly kind: 'elsewhere'; readonly branch: string | null }
  | { readonly kind: 'unknown' };

/** Never throws: without git, or when the commit is gone, the answer is `unknown`. */
export async function headChange(
  root: string,
  then: { readonly commit: string; readonly branch: string | null },
  environment: NodeJS.ProcessEnv,
): Promise<HeadChange> {
  try {
    // Loaded with the first warning: it is a tenth of what the extension would load otherwise.
    const { simpleGit } = await import('simple-git');
    const git = simpleGit({
      baseDir: root,
      timeout: { block: 5_000 },
      allowEnvironment: gitVariables,
    }).env(gitEnvironment(environment));
    const commit = (await git.revparse(['--verify', '-q', 'HEAD'])).trim();
    const name = (await git.raw(['rev-parse', '--abbrev-ref', 'HEAD'])).trim();
    const branch = name === 'HEAD' ? null : name;
    if (commit === then.commit && branch === then.branch) return { kind: 'same' };
    const base = (await git.raw(['merge-base', then.commit, commit])).trim();
    if (base !== then.commit || branch !== then.branch) return { kind: 'elsewhere', branch };
    const commits = Number(
      (await git.raw(['rev-list', '--count', `${then.commit}..${commit}`])).trim(),
    );
    return { kind: 'ahead', commits, branch };
  } catch {
    // No git, no repository any more, a pruned commit: nothing to warn about can be said for certain.
    return { kind: 'unknown' };
  }
}
