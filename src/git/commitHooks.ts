/**
 * Hooks that stand in settings rather than in a folder: git runs them since 2.54, wherever its hooks folder is. What is
 * done for an agent's commit runs none of the user's.
 */
import { type CommitGit, demand } from './commitGit.ts';

/** Names of hooks among the keys of settings, as `git config --list` prints them. */
export function hookNames(keys: Iterable<string>): readonly string[] {
  const names = [...keys].flatMap((key) => /^hook\.(.+)\.[a-z-]+$/s.exec(key)?.[1] ?? []);
  return [...new Set(names)];
}

/** All that git has in its settings where it runs. @throws GitFailure. */
export async function configuredHooks(git: CommitGit): Promise<readonly string[]> {
  const args = ['config', '--list', '-z', '--name-only'];
  return hookNames(
    demand(await git({ args }), 'config')
      .toString()
      .split('\0'),
  );
}

/** The same git with these hooks switched off. */
export function withoutHooks(git: CommitGit, names: readonly string[]): CommitGit {
  if (names.length === 0) return git;
  const pairs = names.flatMap((name, n) => [
    [`GIT_CONFIG_KEY_${n}`, `hook.${name}.enabled`],
    [`GIT_CONFIG_VALUE_${n}`, 'false'],
  ]);
  const off = { GIT_CONFIG_COUNT: String(names.length), ...Object.fromEntries(pairs) };
  return (call) => git({ ...call, variables: { ...off, ...call.variables } });
}
