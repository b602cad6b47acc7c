/** What else may explain a change that was found around a shell command: another session's work, or the user's editor. */
import fs from 'node:fs';
import path from 'node:path';
import { listIfExists } from '../base/atomicFile.ts';
import { liveFolders } from '../base/home.ts';
import { listOperations, readJournal, type Step } from '../checkpoint/journal.ts';
import { type LiveShell, readLive } from '../checkpoint/liveSession.ts';
import type { ManifestRow } from '../checkpoint/manifest.ts';
import { checkpointsFolder, manifestName, seqOfName } from '../checkpoint/places.ts';
import { readManifestFile } from '../checkpoint/readManifest.ts';
import { sessionFolders } from '../checkpoint/readSession.ts';
import { isUserError } from '../core/errors.ts';
import {
  asSessionId,
  type OperationId,
  type Root,
  type SessionId,
  sessionFolder,
} from '../core/ids.ts';
import { compareStates, type PathState } from '../core/state.ts';
import { type EditorSave, editorSavesSince } from './editorSaves.ts';

/** How far back the newest turns of another session are looked at. */
const turnsLookedAt = 5;
/** A command of another session that began longer ago is taken for dead. */
const longestCommand = 3_600_000;
/** So many of their manifests are noted before a command; of others only the time tells. */
const mostNoted = 100;
/** Milliseconds by which clocks of a file system lag. */
const lag = 2_000;

export interface Claims {
  /** Another session ran a command in the same time: which of them changed a path is not certain. */
  readonly isShared: boolean;
  /** Path to what other sessions recorded of it in that time. */
  readonly rows: ReadonlyMap<string, readonly ManifestRow[]>;
  readonly saves: ReadonlyMap<string, readonly EditorSave[]>;
  /** What operations of ours left in that time. */
  readonly written: ReadonlyMap<string, readonly PathState[]>;
}

/**
 * @param since, now milliseconds since 1970. @param seen what `manifestsOfOthers` said then, where somebody asked.
 * @throws system errors.
 */
export function claimsSince(
  home: string,
  root: Root,
  session: SessionId,
  { since, now, seen }: { since: number; now: number; seen: LiveShell['others'] },
): Claims {
  return {
    isShared: runsElsewhere(home, root, session, now - longestCommand),
    rows: rowsOfOthers(root, session, since, new Map(seen)),
    saves: editorSavesSince(home, root, since),
    written: writtenSince(home, root, since),
  };
}

/** What other sessions have recorded until now: the newest manifests, and what tells one state of them from another. */
export function manifestsOfOthers(root: Root, own: SessionId): NonNullable<LiveShell['others']> {
  return newestManifests(root, own)
    .map(({ place, stamp }) => [place, stamp] as const)
    .slice(0, mostNoted);
}

export type Verdict = 'ours' | 'others' | 'mixed' | 'uncertain';

/** Whose a change is. @param before, after with hashes of files */
export function verdictOf(
  claims: Claims,
  { path: at, before, after }: { path: string; before: PathState; after: PathState },
): Verdict {
  const rows = claims.rows.get(at) ?? [];
  const claiming = rows.filter(
    (row) => row.after === undefined || compareStates(row.after, after) === 'same',
  );
  // Two commands that both may have done it: each says so.
  if (claiming.length > 0) return claiming.every((row) => row.uncertain) ? 'uncertain' : 'others';
  const written = claims.written.get(at) ?? [];
  if (written.some((state) => compareStates(state, after) === 'same')) return 'others';
  const saves = claims.saves.get(at) ?? [];
  if (after.kind === 'file' && saves.some((save) => save.sha256 === after.sha256)) return 'others';
  if (saves.length > 0 || written.length > 0) return 'mixed';
  // It is not as they left it: the command went on from there, or they did.
  const isBase = rows.some((row) => row.after && compareStates(row.after, before) === 'same');
  if (rows.length > 0 && !isBase) return 'mixed';
  return claims.isShared ? 'uncertain' : 'ours';
}

/** A rewind meanwhile, for instance. Operations that cannot be read are left to the doctor. */
function writtenSince(
  home: string,
  root: Root,
  since: number,
): ReadonlyMap<string, readonly PathState[]> {
  // Their ids begin with their times.
  const first = new Date(since).toISOString().replace(/[-:.]/g, '');
  const written = new Map<string, PathState[]>();
  for (const operation of listOperations(home, root).filter((id) => id >= first))
    for (const { path: at, to } of stepsOf(home, root, operation))
      written.set(at, [...(written.get(at) ?? []), to]);
  return written;
}

function stepsOf(home: string, root: Root, operation: OperationId): readonly Step[] {
  try {
    return readJournal(home, root, operation).steps;
  } catch (error) {
    if (isUserError(error)) return [];
    throw error;
  }
}

function runsElsewhere(home: string, root: Root, own: SessionId, recent: number): boolean {
  return listIfExists(liveFolders(home)).some((entry) => {
    if (!entry.isDirectory() || entry.name === sessionFolder(own)) return false;
    const live = readLiveOf(home, entry.name);
    if (live?.root !== root || live.session === own) return false;
    return (
      (live.shells ?? []).some((shell) => shell.at > recent && !shell.untold) ||
      (live.background !== undefined && live.background.at > recent)
    );
  });
}

/** The folder's name is the session's, or an encoded form of it: then the state says whose it is. */
function readLiveOf(home: string, name: string): ReturnType<typeof readLive> {
  if (!name.startsWith('~')) return readLive(home, asSessionId(name));
  try {
    const file = path.join(liveFolders(home), name, 'state.json');
    const { session }: { session?: unknown } = JSON.parse(fs.readFileSync(file, 'utf8'));
    return typeof session === 'string' ? readLive(home, asSessionId(session)) : undefined;
  } catch {
    // It is being made, or damaged, which the doctor tells.
    return undefined;
  }
}

function rowsOfOthers(
  root: Root,
  own: SessionId,
  since: number,
  seen: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly ManifestRow[]> {
  const rows = new Map<string, ManifestRow[]>();
  for (const { place, stamp, at } of newestManifests(root, own)) {
    const before = seen.get(place);
    if (before === undefined ? at < since - lag : before === stamp) continue;
    for (const row of readManifestFile(path.join(checkpointsFolder(root), place)).value?.files ??
      [])
      rows.set(row.path, [...(rows.get(row.path) ?? []), row]);
  }
  return rows;
}

interface NewestManifest {
  /** `<session folder>/<seq>` */
  readonly place: string;
  readonly stamp: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

function newestManifests(root: Root, own: SessionId): readonly NewestManifest[] {
  return sessionFolders(root)
    .filter((name) => name !== sessionFolder(own))
    .flatMap((name) => {
      const folder = path.join(checkpointsFolder(root), name);
      const seqs = listIfExists(folder)
        .map((entry) => seqOfName(entry.name))
        .filter((seq) => seq !== undefined)
        .sort((a, b) => b - a);
      return seqs.slice(0, turnsLookedAt).flatMap((seq) => {
        const file = path.join(folder, String(seq), manifestName);
        const stat = fs.statSync(file, { bigint: true, throwIfNoEntry: false });
        if (stat === undefined) return [];
        const stamp = `${stat.ino} ${stat.mtimeNs} ${stat.size}`;
        return [{ place: `${name}/${seq}`, stamp, at: Number(stat.mtimeMs) }];
      });
    })
    .sort((a, b) => b.at - a.at);
}
