/** Which of some commits are still in the history that is checked out. Reads only. */
import { runGit } from './runGit.ts';

/** Older ones are not looked for. */
const mostCommits = 20_000;

/** Never throws: without git, none. */
export function commitsInHead(
  root: string,
  commits: readonly string[],
  environment: NodeJS.ProcessEnv,
): ReadonlySet<string> {
  if (commits.length === 0) return new Set();
  const args = ['rev-list', `--max-count=${mostCommits}`, 'HEAD'];
  const { code, stdout } = runGit(root, args, environment);
  const known = new Set(code === 0 ? stdout.toString().split('\n') : []);
  return new Set(commits.filter((commit) => known.has(commit)));
}
