/** A folder as bytes and lstat tell it, in a form that compares with one deep comparison. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

export type Tree = Readonly<Record<string, string>>;

/** Path -> kind, mode, content or target. `skip` are names at the top that are left out. */
export function treeOf(root: string, skip: readonly string[] = ['.memcode']): Tree {
  return walk(root, skip, (file, stat) => {
    const mode = (stat.mode & 0o7777n).toString(8);
    if (stat.isSymbolicLink()) return `link ${fs.readlinkSync(file)}`;
    if (stat.isDirectory()) return `folder ${mode}`;
    if (!stat.isFile()) return 'special';
    return `file ${mode} ${contentOf(file, stat.size)}`;
  });
}

/** Path -> inode and time of the last write: equal for what nobody rewrote. Folders' times move with their entries. */
export function stampsOf(root: string, skip: readonly string[] = ['.memcode']): Tree {
  return walk(root, skip, (_, stat) =>
    stat.isDirectory() ? `folder ${stat.ino}` : `${stat.ino} ${stat.mtimeNs}`,
  );
}

/** Permission bits of everything below a folder, and of itself at `.`. */
export function modesOf(folder: string): Tree {
  const top = (fs.lstatSync(folder).mode & 0o7777).toString(8);
  const below = walk(folder, [], (_, stat) => (stat.mode & 0o7777n).toString(8));
  return { '.': top, ...below };
}

function walk(
  root: string,
  skip: readonly string[],
  tell: (file: string, stat: fs.BigIntStats) => string,
): Tree {
  const found: [string, string][] = [];
  const visit = (folder: string, prefix: string) => {
    for (const name of fs.readdirSync(folder).sort()) {
      if (prefix === '' && skip.includes(name)) continue;
      const file = path.join(folder, name);
      const stat = fs.lstatSync(file, { bigint: true });
      found.push([prefix + name, tell(file, stat)]);
      if (stat.isDirectory()) visit(file, `${prefix}${name}/`);
    }
  };
  visit(root, '');
  return Object.fromEntries(found);
}

function contentOf(file: string, size: bigint): string {
  const bytes = fs.readFileSync(file);
  return size <= 200n
    ? JSON.stringify(bytes.toString('latin1'))
    : createHash('sha256').update(bytes).digest('hex');
}
