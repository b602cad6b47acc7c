/** The user's index as it is to be after a commit, made on a private copy. */
import fs from 'node:fs';
import path from 'node:path';
import { syncFile, syncFolder } from '../base/atomicFile.ts';
import { renameOver } from '../base/renameOver.ts';
import type { GitEntry } from './commitEntries.ts';
import { type CommitGit, demand } from './commitGit.ts';
import { nextIndexFile } from './commitIndexLock.ts';
import type { IndexStep } from './commitJournal.ts';

/**
 * The user's index with these entries changed, beside it. Its lock must be held.
 * @returns what puts the new index in its place
 */
export async function prepareIndex(
  git: CommitGit,
  { indexFile, nonce }: { readonly indexFile: string; readonly nonce: string },
  steps: readonly IndexStep[],
): Promise<() => void> {
  const next = nextIndexFile(indexFile, nonce);
  const mode = fs.statSync(indexFile, { throwIfNoEntry: false })?.mode;
  if (mode !== undefined) fs.copyFileSync(indexFile, next, fs.constants.COPYFILE_FICLONE);
  const args = ['update-index', '-z', '--index-info'];
  demand(await git({ args, input: indexInfo(steps), index: next }), 'update-index');
  if (mode !== undefined) fs.chmodSync(next, mode & 0o7777);
  syncFile(next);
  return () => {
    renameOver(next, indexFile);
    syncFolder(path.dirname(indexFile));
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
