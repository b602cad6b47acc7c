/** Where the parts of the user's repository lie, found without starting git. Reads only. */
import fs from 'node:fs';
import path from 'node:path';
import { readIfExists } from '../base/atomicFile.ts';
import { coreValueIn } from './configText.ts';

export interface UserRepository {
  /** Of this work tree: holds `index` and `HEAD`. */
  readonly gitFolder: string;
  /** Shared by all work trees: holds `objects`, `config` and `info`. */
  readonly commonFolder: string;
}

/** Undefined when `root` is not the top of a work tree. */
export function userRepository(root: string): UserRepository | undefined {
  const dot = path.join(root, '.git');
  const stat = fs.statSync(dot, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const target = stat.isDirectory()
    ? dot
    : /^gitdir: (.+)$/m.exec(readIfExists(dot) ?? '')?.[1]?.trim();
  if (target === undefined) return undefined;
  const gitFolder = path.resolve(root, target);
  const common = readIfExists(path.join(gitFolder, 'commondir'))?.trim();
  return { gitFolder, commonFolder: common ? path.resolve(gitFolder, common) : gitFolder };
}

/**
 * The real path of the one work tree that a repository's folder says is its own (`core.worktree`, as git writes it for submodules);
 * undefined when it says none, or one that is not there.
 */
export function workTreeOf(gitFolder: string): string | undefined {
  const named = coreValueIn(readIfExists(path.join(gitFolder, 'config')) ?? '', 'worktree');
  const tree = named && path.resolve(gitFolder, named);
  return tree && fs.existsSync(tree) ? fs.realpathSync.native(tree) : undefined;
}
