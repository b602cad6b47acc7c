/** The work tree of a model run: what is there, told in strings that compare, and how writers change it. */
import fs from 'node:fs';
import path from 'node:path';
import type { Act, Change } from './modelSteps.ts';

/** `absent`, `file 644 bytes`, `link target` or `folder 755`. */
export type State = string;

/** Path -> state. What is not in it is absent. */
export type Look = ReadonlyMap<string, State>;

export const absent: State = 'absent';
export const stateIn = (look: Look, name: string): State => look.get(name) ?? absent;
export const isFolder = (state: State): boolean => state.startsWith('folder ');

/** Everything below a folder but our own store in it. */
export function lookAt(root: string): Look {
  return new Map(walk(root, ['.memcode'], (file, stat) => stateOf(file, stat)));
}

/** Path -> inode and time of the last write. Folders' times move with their entries. */
export function stampsAt(root: string): Look {
  return new Map(
    walk(root, ['.memcode'], (_, stat) =>
      stat.isDirectory() ? `folder ${stat.ino}` : `${stat.ino} ${stat.mtimeNs}`,
    ),
  );
}

/** Everything, our store too: equal when nothing was written. */
export function allAt(root: string): Look {
  return new Map(
    walk(root, [], (file, stat) => `${stateOf(file, stat)} ${stat.ino} ${stat.mtimeNs}`),
  );
}

function stateOf(file: string, stat: fs.BigIntStats): State {
  const mode = (stat.mode & 0o7777n).toString(8);
  if (stat.isSymbolicLink()) return `link ${fs.readlinkSync(file)}`;
  if (stat.isDirectory()) return `folder ${mode}`;
  return `file ${mode} ${fs.readFileSync(file, 'latin1')}`;
}

function walk(
  root: string,
  skip: readonly string[],
  tell: (file: string, stat: fs.BigIntStats) => string,
): [string, string][] {
  const found: [string, string][] = [];
  const visit = (folder: string, prefix: string): void => {
    for (const name of fs.readdirSync(folder).sort()) {
      if (prefix === '' && skip.includes(name)) continue;
      const file = path.join(folder, name);
      const stat = fs.lstatSync(file, { bigint: true });
      found.push([prefix + name, tell(file, stat)]);
      if (stat.isDirectory()) visit(file, `${prefix}${name}/`);
    }
  };
  visit(root, '');
  return found;
}

/** Paths that differ, sorted. */
export function changedBetween(before: Look, after: Look): readonly string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => stateIn(before, name) !== stateIn(after, name)).sort();
}

/** What a tool that makes this change names before it. */
export function announced(root: string, [name, change]: Act): readonly string[] {
  if (change === 'folder') return [name, `${name}/q`];
  const inside = change === 'file' ? [...lookAt(root)].map(([key]) => key) : [];
  return [name, ...inside.filter((key) => key.startsWith(`${name}/`))];
}

/**
 * The names a path has inside the root once links are followed: of the path itself and of what writing to it writes to.
 * None for what lies outside, or behind a link that leads nowhere.
 */
export function keysOf(root: string, name: string): readonly string[] {
  const keys: string[] = [];
  for (let at = path.join(root, name), links = 0; links < 5; links++) {
    const real = realPlace(at);
    if (real === undefined) return keys;
    const key = path.relative(root, real);
    if (!key.startsWith('..')) keys.push(key);
    if (!lstat(real)?.isSymbolicLink()) return keys;
    at = path.resolve(path.dirname(real), fs.readlinkSync(real));
  }
  return keys;
}

/** The path with the links of its folders followed. */
function realPlace(file: string): string | undefined {
  const missing = [path.basename(file)];
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const stat = lstat(folder);
    if (stat?.isSymbolicLink() && !fs.existsSync(folder)) return undefined;
    if (stat) return path.join(fs.realpathSync(folder), ...missing);
    missing.unshift(path.basename(folder));
  }
}

/** Bytes of a new file: lines far enough from each other that changes of single ones merge. */
export const freshText = (token: string): string =>
  `${token} x\nsame 1\nsame 2\n${token} y\nsame 4\nsame 5\n${token} z\n`;

/**
 * Makes a change where it can be made, and nothing where it cannot.
 * @param token a word nobody wrote before; all new bytes hold it
 * @param earlier bytes that were at the path once
 */
export function makeChange(
  root: string,
  [name, change]: Act,
  token: string,
  earlier: string | undefined,
): void {
  const file = path.join(root, name);
  const stat = lstat(file);
  if (!canReach(root, name) || change === 'none') return;
  if (change.startsWith('link ')) {
    if (stat?.isDirectory()) return;
    fs.rmSync(file, { force: true });
    makeParents(file);
    fs.symlinkSync(change.slice('link '.length), file);
    return;
  }
  switch (change as Exclude<Change, `link ${string}`>) {
    case 'write':
      if (stat?.isDirectory()) return;
      fs.rmSync(file, { force: true });
      put(file, freshText(token));
      return;
    case 'old':
      if (stat?.isDirectory() || earlier === undefined) return;
      fs.rmSync(file, { force: true });
      put(file, earlier);
      return;
    case 'folder':
      if (stat?.isDirectory()) return;
      fs.rmSync(file, { force: true });
      put(path.join(file, 'q'), freshText(token));
      return;
    case 'file':
      if (!stat?.isDirectory()) return;
      fs.rmSync(file, { recursive: true });
      put(file, freshText(token));
      return;
    case 'delete':
      fs.rmSync(file, { recursive: true, force: true });
      return;
    case 'prune':
      fs.rmSync(file, { recursive: true, force: true });
      if (stat) removeEmptyParents(root, file);
      return;
    case 'chmod':
      if (fs.existsSync(file) && fs.statSync(file).isFile())
        fs.chmodSync(file, nextMode(fs.statSync(file).mode & 0o777));
      return;
    case 'line0':
    case 'line1':
    case 'line2':
      rewrite(file, (text) => replaceLine(text, Number(change.slice(4)) * 3, token), token);
      return;
    case 'append':
      rewrite(file, (text) => `${text}${token}\n`, token);
      return;
    case 'same':
      if (fs.existsSync(file) && fs.statSync(file).isFile())
        fs.writeFileSync(file, fs.readFileSync(file));
      return;
    case 'none':
      return;
  }
}

/** False below something that is no folder, or behind a link that leads nowhere. */
function canReach(root: string, name: string): boolean {
  let at = root;
  for (const segment of name.split('/').slice(0, -1)) {
    at = path.join(at, segment);
    if (!lstat(at)) return true;
    if (!fs.existsSync(at) || !fs.statSync(at).isDirectory()) return false;
  }
  return true;
}

/** Writes through a link, as most tools do. */
function rewrite(file: string, edit: (text: string) => string, token: string): void {
  if (fs.existsSync(file)) {
    if (fs.statSync(file).isFile()) fs.writeFileSync(file, edit(fs.readFileSync(file, 'latin1')));
    return;
  }
  const stat = lstat(file);
  const target = stat?.isSymbolicLink()
    ? path.resolve(path.dirname(file), fs.readlinkSync(file))
    : undefined;
  if (target === undefined) put(file, freshText(token));
  else if (!lstat(target) && lstat(path.dirname(target))?.isDirectory())
    fs.writeFileSync(file, freshText(token));
}

function put(file: string, text: string): void {
  makeParents(file);
  fs.writeFileSync(file, text);
}

function makeParents(file: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
}

function removeEmptyParents(root: string, file: string): void {
  for (let folder = path.dirname(file); folder !== root; folder = path.dirname(folder)) {
    if (lstat(folder)?.isSymbolicLink() || fs.readdirSync(folder).length > 0) return;
    fs.rmdirSync(folder);
  }
}

function replaceLine(text: string, index: number, token: string): string {
  const lines = text.split('\n');
  return lines.map((line, i) => (i === index ? token : line)).join('\n');
}

function nextMode(mode: number): number {
  if (mode === 0o644) return 0o755;
  return mode === 0o755 ? 0o600 : 0o644;
}

function lstat(file: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false });
  } catch {
    // Below a file.
    return undefined;
  }
}
