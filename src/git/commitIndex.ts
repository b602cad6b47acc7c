/** Private indexes: the tree of a commit, and the user's index as it is to be after it. */
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, syncFile, syncFolder } from '../base/atomicFile.ts';
import { renameOver } from '../base/renameOver.ts';
import type { GitEntry } from './commitEntries.ts';
import { type CommitGit, demand } from './commitGit.ts';
import { nextIndexFile } from './commitIndexLock.ts';
import type { IndexStep } from './commitJournal.ts';

/** Nothing of the user's index formats, which would leave files in their repository. */
const plain = ['core.splitIndex=false', 'core.untrackedCache=false', 'index.sparse=false'];

/**
 * The tree of a commit with these changes on top.
 * @param folder ours, of this repository
 * @param commit undefined on an unborn branch
 */
export async function treeWith(
  git: CommitGit,
  folder: string,
  commit: string | undefined,
  changes: readonly IndexStep[],
): Promise<string> {
  makeFolder(folder);
  const index = path.join(folder, 'tree-index');
  fs.rmSync(index, { force: true });
  const run = async (args: readonly string[], input = '') =>
    demand(await git({ args, input, index, settings: plain }), args[0] ?? '');
  await run(commit === undefined ? ['read-tree', '--empty'] : ['read-tree', commit]);
  await run(['update-index', '-z', '--index-info'], indexInfo(changes));
  const tree = (await run(['write-tree', '--missing-ok'])).toString().trim();
  fs.rmSync(index, { force: true });
  return tree;
}

/**
 * Replaces the user's index by itself with these entries changed. Its lock must be held.
 * @param folder ours, of this repository
 * @returns what puts the new index in its place
 */
export async function prepareIndex(
  git: CommitGit,
  folder: string,
  { indexFile, nonce }: { readonly indexFile: string; readonly nonce: string },
  steps: readonly IndexStep[],
): Promise<(probe: (at: string) => void) => void> {
  const next = path.join(folder, 'next-index');
  fs.rmSync(next, { force: true });
  const mode = fs.statSync(indexFile, { throwIfNoEntry: false })?.mode;
  if (mode !== undefined) fs.copyFileSync(indexFile, next);
  const args = ['update-index', '-z', '--index-info'];
  demand(await git({ args, input: indexInfo(steps), index: next }), 'update-index');
  return (probe) => {
    const beside = nextIndexFile(indexFile, nonce);
    fs.copyFileSync(next, beside);
    if (mode !== undefined) fs.chmodSync(beside, mode & 0o7777);
    syncFile(beside);
    probe('copied');
    renameOver(beside, indexFile);
    syncFolder(path.dirname(indexFile));
    fs.rmSync(next, { force: true });
  };
}

/** Removals first: a folder may come where a file was. */
function indexInfo(changes: readonly IndexStep[]): string {
  const row = (at: string, { mode, id }: GitEntry) => `${mode} ${id}\t${at}\0`;
  const gone = changes.flatMap(({ path: at, before, after }) =>
    after === null && before !== null
      ? [row(at, { mode: '0', id: before.id.replace(/./g, '0') })]
      : [],
  );
  const there = changes.flatMap(({ path: at, after }) => (after === null ? [] : [row(at, after)]));
  return [...gone, ...there].join('');
}
