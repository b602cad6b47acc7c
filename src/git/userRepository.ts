/** Where the parts of the user's repository lie, found without starting git. Reads only. */
import fs from 'node:fs';
import path from 'node:path';
import { readIfExists } from '../base/atomicFile.ts';

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
