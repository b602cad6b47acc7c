/** What git has at the agent's paths, and what is to become of each of them. Reads only. */
import fs from 'node:fs';
import path from 'node:path';
import type { AutoCommitMode, LeftOutReason } from '../core/autoCommit.ts';
import { compareStates, type PathState } from '../core/state.ts';
import { type BlobSource, blobIds, convertedPaths, rawBlobId } from '../git/commitBlobs.ts';
import {
  type GitEntry,
  headBelow,
  headEntries,
  ignoredPaths,
  indexEntries,
  inIndex,
  otherSpellings,
} from '../git/commitEntries.ts';
import type { CommitGit } from '../git/commitGit.ts';
import { type CommitRepository, holds } from '../git/commitRepository.ts';
import {
  decidePath,
  inTheWay,
  type PathDecision,
  type PathFacts,
  parentsOf,
} from '../project/commitDecision.ts';
import { type AgentChange, isNoFile } from './autoCommitChanges.ts';
import type { SideState } from './turnFiles.ts';

/** Where a commit is made. */
export interface CommitPlace {
  readonly git: CommitGit;
  readonly repository: CommitRepository;
  /** Ours, of this repository. */
  readonly folder: string;
  /** Of paths relative to the root: '' or a folder with `/` at its end. */
  readonly prefix: string;
  /** The project's folder inside the repository: '' or such a folder. */
  readonly below: string;
  readonly mode: AutoCommitMode;
  readonly environment: NodeJS.ProcessEnv;
}

export interface DecidedChange {
  readonly change: AgentChange;
  readonly facts: PathFacts;
  readonly decision: PathDecision;
  /** Git changes the bytes on their way. */
  readonly isConverted: boolean;
}

export interface Decisions {
  readonly changes: readonly DecidedChange[];
  /** Ids of the trees of the folders on the way to them, as far as HEAD has them. */
  readonly folders: ReadonlyMap<string, string>;
}

/** Bytes; what is larger stays out of commits. */
export const largestCommitted = 50 * 1024 * 1024;

/**
 * @param commit undefined on an unborn branch
 * @param isCurrent whether what the agent left is still there, or gave way to other agents' work only
 */
export async function decideChanges(
  place: CommitPlace,
  commit: string | undefined,
  changes: readonly AgentChange[],
  isCurrent: (change: AgentChange) => boolean,
): Promise<Decisions> {
  const { git, prefix, repository } = place;
  const paths = changes.map((change) => prefix + change.path);
  const parents = [...new Set(paths.flatMap(parentsOf))];
  const [head, index, converted] = await Promise.all([
    headEntries(git, commit, [...paths, ...parents]),
    indexEntries(git, paths),
    convertedPaths(git, repository.settings, paths),
  ]);
  const nested = nestedFinder(repository.topLevel, head);
  // Of a path in another repository git can say nothing here.
  const isNew = (at: string) => !head.has(at) && !index.has(at) && nested(at) === undefined;
  const added = paths.filter(isNew);
  const [ignored, misspelt, taken] = await Promise.all([
    ignoredPaths(git, added),
    otherSpellings(git, repository.settings.ignoreCase ? added : []),
    inIndex(git, [...new Set(added.flatMap(parentsOf))]),
  ]);
  const faultOf = (change: AgentChange, at: string): LeftOutReason | undefined => {
    if (!at.startsWith(place.below)) return 'outsideProject';
    const repositoryInside =
      nested(at) ?? (head.get(at)?.mode === '160000' ? 'submodule' : undefined);
    if (repositoryInside !== undefined) return repositoryInside;
    if (change.fault !== undefined) return change.fault;
    if (!isCurrent(change)) return 'changedByOthers';
    if (misspelt.has(at)) return 'spelling';
    if (ignored.has(at)) return 'ignored';
    return [change.before, change.after].some(isTooLarge) ? 'tooLarge' : undefined;
  };
  const earlier = await earlierEntries(place, commit, changes);
  const faults = changes.map((change, n) => faultOf(change, paths[n] ?? ''));
  const sound = changes.filter((_, n) => faults[n] === undefined);
  const [before, after] = await Promise.all(
    (['before', 'after'] as const).map((side) => {
      const sources = sound.flatMap((change) => blobSource(prefix + change.path, change[side]));
      return blobIds(git, repository.settings, converted, sources);
    }),
  );
  const all = changes.map((change, n): DecidedChange => {
    const at = paths[n] ?? '';
    const fault = faults[n];
    const atHead = head.get(at);
    const headEntry = atHead === undefined || atHead.mode === treeMode ? null : atHead;
    const entry = (
      state: SideState | undefined,
      ids: ReadonlyMap<string, string | undefined> | undefined,
    ) => (fault === undefined ? entryOf(place, state?.state, ids?.get(at), headEntry) : undefined);
    const facts: PathFacts = {
      path: at,
      isSparse: repository.settings.isSparse,
      head: headEntry,
      index: index.get(at) ?? null,
      base: change.committedIn === undefined ? entry(change.before, before) : earlier(change),
      after: entry(change.after, after),
      ...(fault !== undefined && { fault }),
    };
    return { change, facts, decision: decidePath(facts), isConverted: converted(at) };
  });
  const headTrees = await headBelow(
    git,
    commit,
    paths.filter((at) => head.get(at)?.mode === treeMode),
  );
  const names = [...index.keys(), ...headTrees];
  const decided = withoutObstacles(
    all,
    (at) => taken.has(at) || isBlob(head.get(at)) || names.includes(at),
    (at) => names.filter((name) => name.startsWith(`${at}/`)),
  );
  const trees = [...head].filter(([, { mode }]) => mode === treeMode);
  return { changes: decided, folders: new Map(trees.map(([at, { id }]) => [at, id])) };
}

/** What the commits have that changes go on from. Undefined for one that is not in the history any more. */
async function earlierEntries(
  { git, prefix }: CommitPlace,
  head: string | undefined,
  changes: readonly AgentChange[],
): Promise<(change: AgentChange) => GitEntry | null | undefined> {
  const commits = [...new Set(changes.flatMap(({ committedIn }) => committedIn ?? []))];
  const found = new Map<string, ReadonlyMap<string, GitEntry>>();
  for (const each of commits) {
    if (head === undefined || !(await holds(git, head, each))) continue;
    const of = changes.filter(({ committedIn }) => committedIn === each);
    found.set(
      each,
      await headEntries(
        git,
        each,
        of.map(({ path: at }) => prefix + at),
      ),
    );
  }
  return ({ committedIn = '', path: at }) => {
    const entries = found.get(committedIn);
    return entries && (entries.get(prefix + at) ?? null);
  };
}

const treeMode = '040000';

function isBlob(entry: GitEntry | undefined): boolean {
  return entry !== undefined && entry.mode !== treeMode;
}

function withoutObstacles(
  all: readonly DecidedChange[],
  isTaken: (path: string) => boolean,
  below: (path: string) => readonly string[],
): readonly DecidedChange[] {
  const changes = all.flatMap(({ decision, facts: { path: at, after } }) =>
    decision.kind === 'commit' && after !== undefined ? [{ path: at, after }] : [],
  );
  const refused = inTheWay(changes, isTaken, below);
  return all.map((each) =>
    refused.has(each.facts.path)
      ? { ...each, decision: { kind: 'leave', reason: 'inTheWay' } as const }
      : each,
  );
}

/** Whether a folder on the way to a path is a repository of its own. */
export function nestedFinder(
  topLevel: string,
  head: ReadonlyMap<string, GitEntry> = new Map(),
): (path: string) => LeftOutReason | undefined {
  const known = new Map<string, LeftOutReason | undefined>();
  const look = (folder: string): LeftOutReason | undefined => {
    if (head.get(folder)?.mode === '160000') return 'submodule';
    return fs.existsSync(path.join(topLevel, folder, '.git')) ? 'nestedRepository' : undefined;
  };
  return (at) => {
    for (const folder of parentsOf(at)) {
      if (!known.has(folder)) known.set(folder, look(folder));
      const found = known.get(folder);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

function isTooLarge(side: SideState | undefined): boolean {
  return side?.state.kind === 'file' && side.state.size > largestCommitted;
}

export function blobSource(at: string, side: SideState | undefined): BlobSource[] {
  return side?.file === undefined ? [] : [{ path: at, from: { file: side.file } }];
}

/** What git would have for a state; undefined when that cannot be told. */
function entryOf(
  { repository: { settings } }: CommitPlace,
  state: PathState | undefined,
  blob: string | undefined,
  head: GitEntry | null,
): GitEntry | null | undefined {
  if (state === undefined || state.kind === 'other') return undefined;
  if (isNoFile(state)) return null;
  if (state.kind === 'symlink')
    return { mode: '120000', id: rawBlobId(Buffer.from(state.target), settings) };
  if (state.kind !== 'file' || blob === undefined) return undefined;
  const told = (state.mode & 0o100) === 0 ? '100644' : '100755';
  const kept = head?.mode.startsWith('100') ? head.mode : '100644';
  return { mode: settings.fileMode ? told : kept, id: blob };
}

/** Whether two states are one for a commit. */
export function isSameState(a: PathState, b: PathState): boolean {
  return (isNoFile(a) && isNoFile(b)) || compareStates(a, b) === 'same';
}
