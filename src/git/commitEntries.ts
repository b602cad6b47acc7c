/** What HEAD and the index have at paths, and which paths differ. Reads only; paths are relative to the work tree's top. */
import { type CommitGit, demand } from './commitGit.ts';

/** As git names it in trees and in the index. */
export interface GitEntry {
  /** `100644`, `100755`, `120000`, `160000`, `040000`. */
  readonly mode: string;
  readonly id: string;
}

export interface IndexEntry extends GitEntry {
  /** As `ls-files -v` prints it: `H` for most, `S` for skip-worktree, lower case for assume-unchanged. */
  readonly tag: string;
  /** Above 0: not merged. */
  readonly stage: number;
}

/** Longer lists of paths than this do not fit into a command line everywhere. */
const longestList = 20_000;

/** The entries at these paths themselves, folders included. Empty on an unborn branch. */
export async function headEntries(
  git: CommitGit,
  commit: string | undefined,
  paths: readonly string[],
): Promise<ReadonlyMap<string, GitEntry>> {
  if (commit === undefined || paths.length === 0) return new Map();
  // A folder is shown only so when a path below it is asked for as well.
  const list = ['ls-tree', '-z', '-t', '--full-tree'];
  const args = isShort(paths) ? [...list, commit, '--', ...paths] : [...list, '-r', commit];
  const wanted = new Set(paths);
  const rows = fields(demand(await git({ args }), 'ls-tree'));
  return new Map(
    rows.flatMap((row): [string, GitEntry][] => {
      const [, mode = '', id = '', at = ''] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(row) ?? [];
      return wanted.has(at) ? [[at, { mode, id }]] : [];
    }),
  );
}

/** The entries at these paths and below them. */
export async function indexEntries(
  git: CommitGit,
  paths: readonly string[],
): Promise<ReadonlyMap<string, IndexEntry>> {
  if (paths.length === 0) return new Map();
  const list = ['ls-files', '-z', '-v', '--stage'];
  const args = isShort(paths) ? [...list, '--', ...paths] : list;
  const rows = fields(demand(await git({ args }), 'ls-files'));
  return new Map(
    rows.flatMap((row): [string, IndexEntry][] => {
      const found = /^(\S) (\d+) ([0-9a-f]+) (\d)\t(.*)$/s.exec(row);
      if (found === null) return [];
      const [, tag = '', mode = '', id = '', stage = '', at = ''] = found;
      return [[at, { tag, mode, id, stage: Number(stage) }]];
    }),
  );
}

/** Of these paths, those that the index has as texts with CR at ends of lines. */
export async function withReturns(
  git: CommitGit,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const list = ['ls-files', '-z', '--eol'];
  const args = isShort(paths) ? [...list, '--', ...paths] : list;
  const rows = fields(demand(await git({ args }), 'ls-files'));
  return new Set(
    rows.flatMap((row) =>
      /^i\/(?:crlf|mixed) /.test(row) ? [row.slice(row.indexOf('\t') + 1)] : [],
    ),
  );
}

/** Which of these paths the index has as they are written: for those that may be folders, too. */
export async function inIndex(
  git: CommitGit,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  // One a line: what cannot be asked for is taken to be there.
  const askable = paths.filter((at) => !at.includes('\n'));
  if (paths.length === 0) return new Set();
  const input = askable.map((at) => `:0:${at}\n`).join('');
  const lines = demand(await git({ args: ['cat-file', '--batch-check'], input }), 'cat-file')
    .toString()
    .split('\n');
  const there = askable.filter((_, index) => !/ missing$/.test(lines[index] ?? ' missing'));
  return new Set([...there, ...paths.filter((at) => at.includes('\n'))]);
}

/** Whether files are not merged. */
export async function hasUnmerged(git: CommitGit): Promise<boolean> {
  return demand(await git({ args: ['ls-files', '-z', '-u'] }), 'ls-files').length > 0;
}

/** Of these untracked paths, those that are ignored. */
export async function ignoredPaths(
  git: CommitGit,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  // Behind `./` nothing is taken for pathspec magic.
  const input = paths.map((at) => `./${at}\0`).join('');
  const call = { args: ['check-ignore', '-z', '--stdin'], input, isPlain: true } as const;
  const found = fields(demand(await git(call), 'check-ignore', 1));
  return new Set(found.map((at) => at.slice(2)));
}

/** Paths that the index has in another spelling, where the disk does not tell upper from lower case. */
export async function otherSpellings(
  git: CommitGit,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const folded = new Map(paths.map((at) => [at.toLowerCase(), at]));
  const rows = fields(demand(await git({ args: ['ls-files', '-z'] }), 'ls-files'));
  return new Set(
    rows.flatMap((row) => {
      const given = folded.get(row.toLowerCase());
      return given !== undefined && given !== row ? [given] : [];
    }),
  );
}

export interface DirtyPath {
  /** One that ends in `/` is a repository of its own. */
  readonly path: string;
  readonly isStaged: boolean;
  readonly isUnmerged: boolean;
  /** A submodule with changes inside, and no other commit than the one that is recorded. */
  readonly isInner: boolean;
}

/** Everything in a folder of the repository ('' for all of it) that is not as committed; ignored files apart. */
export async function dirtyPaths(git: CommitGit, below: string): Promise<readonly DirtyPath[]> {
  const args = [
    'status',
    '--porcelain=v2',
    '-z',
    '--untracked-files=all',
    '--no-renames',
    '--ignore-submodules=none',
    ...(below === '' ? [] : ['--', below]),
  ];
  return fields(demand(await git({ args }), 'status')).flatMap((row) => {
    const at = pathAfter[row.charAt(0)];
    if (at === undefined) return [];
    const words = row.split(' ');
    const isUnmerged = row.startsWith('u');
    const isStaged = isUnmerged || (row.startsWith('1') && row.charAt(2) !== '.');
    const isInner = /^S\./.test(words[2] ?? '') && words[0] === '1' && !isStaged;
    return [{ path: words.slice(at).join(' '), isStaged, isUnmerged, isInner }];
  });
}

/** How many words stand before the path, by kind of row. */
const pathAfter: Readonly<Record<string, number>> = { '?': 1, '1': 8, u: 10 };

function fields(bytes: Buffer): readonly string[] {
  return bytes.toString().split('\0').slice(0, -1);
}

function isShort(paths: readonly string[]): boolean {
  return paths.reduce((sum, at) => sum + at.length + 3, 0) < longestList;
}

/** The paths that a commit has below folders of it. */
export async function headBelow(
  git: CommitGit,
  commit: string | undefined,
  folders: readonly string[],
): Promise<readonly string[]> {
  if (commit === undefined || folders.length === 0) return [];
  const args = ['ls-tree', '-z', '-r', '--full-tree', '--name-only', commit, '--', ...folders];
  return fields(demand(await git({ args }), 'ls-tree'));
}
