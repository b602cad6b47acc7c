/**
 * What new commits have to change so that others are taken back, newest first. Where a later commit changed a file too, its
 * part stays: a three-way merge. Reads, and writes objects that nothing points to; says at which paths it cannot be done.
 */
import { readBlobBytes, writeBlob } from '../git/commitBlobs.ts';
import {
  type GitEntry,
  headBelow,
  headEntries,
  indexEntries,
  inIndex,
} from '../git/commitEntries.ts';
import { type CommitGit, demand } from '../git/commitGit.ts';
import type { CommitChange } from '../git/commitPaths.ts';
import { inTheWay, parentsOf, sameEntry } from '../project/commitDecision.ts';
import type { CommitPlace } from './autoCommitFacts.ts';
import { merge } from './autoCommitHunks.ts';

export type RevertPlace = Pick<CommitPlace, 'git' | 'folder' | 'environment'>;

export interface RevertStep {
  readonly changes: readonly CommitChange[];
  /** Ids of the trees on the way, as `treeWith` wants them. */
  readonly folders: ReadonlyMap<string, string>;
  /** Paths whose later changes overlap with what is to be taken back, or that are in the way. */
  readonly refused: readonly string[];
}

const treeMode = '040000';

/**
 * What takes `commit` back on top of `tip`.
 * @param paths of the commit, relative to the top of the work tree
 */
export async function revertStep(
  place: RevertPlace,
  tip: string,
  commit: string,
  paths: readonly string[],
): Promise<RevertStep> {
  const { git } = place;
  const parent = await parentOf(git, commit);
  const parents = [...new Set(paths.flatMap(parentsOf))];
  const [now, made, before] = await Promise.all([
    headEntries(git, tip, [...paths, ...parents]),
    headEntries(git, commit, paths),
    headEntries(git, parent, paths),
  ]);
  const changes: CommitChange[] = [];
  const refused: string[] = [];
  for (const at of paths) {
    const sides = { now: fileAt(now, at), made: fileAt(made, at), before: fileAt(before, at) };
    const after = await revertedEntry(place, sides);
    if (after === undefined) refused.push(at);
    else if (!sameEntry(after, sides.now)) changes.push({ path: at, before: sides.now, after });
  }
  const trees = [...now].filter(([, { mode }]) => mode === treeMode);
  const where = changes.map(({ path }) => path).filter((at) => now.get(at)?.mode === treeMode);
  const inside = await headBelow(git, tip, where);
  refused.push(...obstructed(changes, (at) => fileAt(now, at) !== null, inside));
  return { changes, refused, folders: new Map(trees.map(([at, { id }]) => [at, id])) };
}

interface Sides {
  readonly now: GitEntry | null;
  readonly made: GitEntry | null;
  readonly before: GitEntry | null;
}

/** Undefined when it cannot be told apart from what came later. */
async function revertedEntry(
  place: RevertPlace,
  { now, made, before }: Sides,
): Promise<GitEntry | null | undefined> {
  if (sameEntry(now, made)) return before;
  if (sameEntry(now, before)) return before;
  if (now === null || made === null || before === null) return undefined;
  if (![now, made, before].every(({ mode }) => mode.startsWith('100'))) return undefined;
  const mode = made.mode === before.mode ? now.mode : before.mode;
  const [mine, base, theirs] = await Promise.all(
    [now, made, before].map(({ id }) => readBlobBytes(place.git, id)),
  );
  const merged = mine && base && theirs && merge(place, mine, base, theirs);
  return merged && { mode, id: await writeBlob(place.git, merged) };
}

function fileAt(entries: ReadonlyMap<string, GitEntry>, at: string): GitEntry | null {
  const entry = entries.get(at);
  return entry === undefined || entry.mode === treeMode ? null : entry;
}

/** A folder is there with something in it that stays, or a file where a folder is to come. */
function obstructed(
  changes: readonly CommitChange[],
  isTaken: (path: string) => boolean,
  names: readonly string[],
): ReadonlySet<string> {
  return inTheWay(changes, isTaken, (at) => names.filter((name) => name.startsWith(`${at}/`)));
}

async function parentOf(git: CommitGit, commit: string): Promise<string | undefined> {
  const args = ['rev-parse', '-q', '--verify', `${commit}^`];
  return (
    demand(await git({ args }), 'rev-parse', 1)
      .toString()
      .trim() || undefined
  );
}

/** Several steps as one: from what HEAD has to what the last of them leaves. */
export function combined(steps: readonly RevertStep[]): readonly CommitChange[] {
  const all = new Map<string, CommitChange>();
  for (const change of steps.flatMap(({ changes }) => changes)) {
    const { before } = all.get(change.path) ?? change;
    all.set(change.path, { ...change, before });
  }
  return [...all.values()];
}

/** Paths where the user's index has something else than HEAD, or what the entries would have to give way to. */
export async function stagedAt(
  git: CommitGit,
  changes: readonly CommitChange[],
): Promise<readonly string[]> {
  const paths = changes.map(({ path }) => path);
  const added = changes.filter(({ after }) => after !== null).map(({ path }) => path);
  const [index, taken] = await Promise.all([
    indexEntries(git, paths),
    inIndex(git, [...new Set(added.flatMap(parentsOf))]),
  ]);
  const names = [...index.keys()];
  const inWay = obstructed(changes, (at) => taken.has(at) || names.includes(at), names);
  return changes
    .filter(({ path, before }) => {
      const entry = index.get(path) ?? null;
      // Lower case: assume-unchanged. `S`: not checked out.
      const isPlain = entry === null || (entry.stage === 0 && entry.tag === 'H');
      return !isPlain || !sameEntry(entry, before) || inWay.has(path);
    })
    .map(({ path }) => path);
}
