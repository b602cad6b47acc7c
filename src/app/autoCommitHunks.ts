/** The agent's part of a file that had somebody else's uncommitted changes: a three-way merge onto what is committed. */
import fs from 'node:fs';
import path from 'node:path';
import type { LeftOutReason } from '../core/autoCommit.ts';
import { readBlobBytes, writeBlob } from '../git/commitBlobs.ts';
import type { CommitChange } from '../git/commitPaths.ts';
import { mergeFiles } from '../git/mergeFiles.ts';
import type { CommitPlace, DecidedChange } from './autoCommitFacts.ts';

/** The file on the disk stays as it is. What is staged stays staged, with the agent's part below it. */
export async function separateHunks(
  place: CommitPlace,
  { facts, change, isConverted }: DecidedChange,
): Promise<CommitChange | { readonly leave: LeftOutReason }> {
  const { head, index, base, after } = facts;
  const { before: old, after: left } = change;
  const reason: LeftOutReason = index === null ? 'userStaged' : 'changedBefore';
  const isKnown = head !== null && index !== null && base && after;
  // What a late change began with is in a commit, not in a file.
  if (!isKnown || isConverted || change.committedIn !== undefined) return { leave: reason };
  const isText = [head.mode, index.mode, base.mode, after.mode].every((mode) =>
    mode.startsWith('100'),
  );
  if (!isText || index.stage > 0 || old.file === undefined || left?.file === undefined)
    return { leave: reason };
  const { git } = place;
  const mine = await readBlobBytes(git, head.id);
  const merged = merge(place, mine, fs.readFileSync(old.file), fs.readFileSync(left.file));
  if (merged === undefined) return { leave: 'overlaps' };
  const entry = {
    mode: base.mode === after.mode ? head.mode : after.mode,
    id: await writeBlob(git, merged),
  };
  const result: CommitChange = { path: facts.path, before: head, after: entry };
  if (index.id === head.id && index.mode === head.mode) return result;
  const staged = merge(place, await readBlobBytes(git, index.id), mine, merged);
  if (staged === undefined) return { leave: 'overlaps' };
  return {
    ...result,
    staged: {
      before: { mode: index.mode, id: index.id },
      after: { mode: index.mode, id: await writeBlob(git, staged) },
    },
  };
}

/** Three ways: the change from base to theirs, applied to mine. Undefined when they overlap or are no texts. */
export function merge(
  { folder, environment }: Pick<CommitPlace, 'folder' | 'environment'>,
  mine: Uint8Array,
  base: Uint8Array,
  theirs: Uint8Array,
): Uint8Array | undefined {
  const files = [mine, base, theirs].map((bytes, n) => {
    const file = path.join(folder, `merge-${n}`);
    fs.writeFileSync(file, bytes, { mode: 0o600 });
    return file;
  });
  try {
    const [first = '', second = '', third = ''] = files;
    const result = mergeFiles(first, second, third, folder, environment);
    return result.kind === 'clean' ? result.bytes : undefined;
  } finally {
    for (const file of files) fs.rmSync(file, { force: true });
  }
}
