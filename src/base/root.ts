/** Which folder a store belongs to, and where our home store keeps what belongs to it. */
import fs from 'node:fs';
import path from 'node:path';
import { UserError } from '../core/errors.ts';
import { fingerprint, type Root } from '../core/ids.ts';

/**
 * The root whose store covers `folder`: the top of its git work tree, else the nearest ancestor that holds a checkpoint
 * store, else the folder itself. The user's home and the file system's root are nobody's root unless they are named
 * outright and hold a store or a repository themselves. memcode looks in the same order, so that both use one store.
 * @throws UserError `notFound` when there is no such folder.
 */
export function rootOf(folder: string, userHome: string): Root {
  const start = realFolder(folder);
  const home = fs.existsSync(userHome) ? fs.realpathSync.native(userHome) : userHome;
  for (const marker of ['.git', '.memcode/checkpoints']) {
    for (let at: string = start; ; at = path.dirname(at)) {
      if (at === path.dirname(at) || (at === home && at !== start)) break;
      if (fs.existsSync(path.join(at, marker))) return at as Root;
    }
  }
  return start as Root;
}

/** The real path of an existing folder. @throws UserError `notFound`. */
export function realFolder(folder: string): Root {
  try {
    const real = fs.realpathSync.native(folder);
    if (fs.statSync(real).isDirectory()) return real as Root;
  } catch (error) {
    throw new UserError('notFound', `There is no folder ${folder}.`, { folder }, error);
  }
  throw new UserError('notFound', `${folder} is not a folder.`, { folder });
}

/** Name of a root's folder below `<home>/roots`: readable, unique in practice, checked against `root.json` inside it. */
export function rootId(root: Root): string {
  const name =
    path
      .basename(root)
      .replace(/[^A-Za-z0-9._-]/g, '_')
      .slice(0, 40) || 'root';
  return `${name}-${fingerprint(root)}`;
}
