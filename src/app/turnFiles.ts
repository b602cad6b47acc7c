/** The files of one turn as its checkpoint tells them: contents of both sides, and the summary of what changed. */
import fs from 'node:fs';
import path from 'node:path';
import { hashFile } from '../base/hash.ts';
import { postImageFolder } from '../base/home.ts';
import { blobOfRow } from '../checkpoint/blobOfRow.ts';
import { pathOfKey, sameKey } from '../checkpoint/canonicalKey.ts';
import { hashedState, stateOfKey } from '../checkpoint/hashedState.ts';
import { bytesOfRow, keptBytes } from '../checkpoint/keptBytes.ts';
import { knownBefore } from '../checkpoint/knownBefore.ts';
import type { ManifestRow } from '../checkpoint/manifest.ts';
import {
  checkpointPlace,
  manifestName,
  postImagePlace,
  rewoundPlace,
} from '../checkpoint/places.ts';
import {
  faultOfBlob,
  readCheckpoint,
  readSession,
  type StoredCheckpoint,
} from '../checkpoint/readSession.ts';
import { messageOf } from '../core/errors.ts';
import { compareStates, type PathState } from '../core/state.ts';
import type { Change, TouchSummary } from '../core/timeline.ts';
import type { StoredTurn } from '../session/timelineStore.ts';
import { largestCounted, lineCounts } from './lineCounts.ts';
import type { Side, SideContent } from './timelineApp.ts';

/** Undefined when the turn has no checkpoint; `problems` when it cannot be trusted. */
export function checkpointOf(
  turn: StoredTurn,
): StoredCheckpoint | { readonly problems: readonly string[] } | undefined {
  const place = placeOf(turn);
  return fs.existsSync(place) ? readCheckpoint(turn.root, turn.seq, place) : undefined;
}

/** Whether the turn has one, sound or not. */
export function hasCheckpoint(turn: StoredTurn): boolean {
  return fs.existsSync(path.join(placeOf(turn), manifestName)) || checkpointOf(turn) !== undefined;
}

function placeOf({ root, session, seq, rewoundBy }: StoredTurn): string {
  const here = checkpointPlace(root, session, seq);
  const aside = rewoundBy && path.join(rewoundPlace(root, session, rewoundBy), String(seq));
  return aside && !fs.existsSync(here) ? aside : here;
}

/** What the turn did to each file, by path. Empty without a readable checkpoint. */
export function touchesOf(home: string, turn: StoredTurn): readonly TouchSummary[] {
  const checkpoint = checkpointOf(turn);
  if (checkpoint === undefined || 'problems' in checkpoint) return [];
  const { files } = checkpoint.manifest;
  return files
    .filter((row) => !isToldByFiles(row, files))
    .flatMap((row) => touchOf(home, turn, checkpoint, row))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A folder that went with files in it: they say it. */
function isToldByFiles({ path, before, after }: ManifestRow, all: readonly ManifestRow[]): boolean {
  if (before.kind !== 'directory' || after?.kind !== 'absent') return false;
  return all.some((row) => row.path.startsWith(`${path}/`));
}

function touchOf(
  home: string,
  turn: StoredTurn,
  checkpoint: StoredCheckpoint,
  row: ManifestRow,
): TouchSummary[] {
  const after = stateAfter(turn, row);
  const change = changeOf(knownBefore(checkpoint.place, row).state, after);
  if (change === undefined) return [];
  // Of very many nobody counts lines, nor are their bytes got for it.
  const bytes = (side: Side) =>
    (row.blob ?? row.leftBlob) === undefined
      ? bytesForCount(sideOf(home, turn, checkpoint, row, side))
      : undefined;
  return [
    {
      path: row.path,
      change,
      cause: row.cause,
      ...(row.uncertain && { uncertain: true as const }),
      ...lineCounts(bytes('before'), bytes('after')),
    },
  ];
}

/** @returns what can be shown for one side of one file of the turn. */
export function contentOf(home: string, turn: StoredTurn, path: string, side: Side): SideContent {
  const found = sideFile(home, turn, path, side);
  return 'reason' in found ? { kind: 'unavailable', reason: found.reason } : contentOfState(found);
}

/** The state one side of a file was in and, for a file, where its bytes are (not yet compared with their hash). */
export interface SideState {
  readonly state: PathState;
  readonly file: string | undefined;
  /** memcode wrote it, and knows no modes. */
  readonly foreign?: boolean;
}

type Found = SideState | { readonly reason: string };

/** One side of one file of a turn, or a sentence why it cannot be had. */
export function sideFile(home: string, turn: StoredTurn, path: string, side: Side): Found {
  const checkpoint = checkpointOf(turn);
  if (checkpoint === undefined) return { reason: noCheckpoint(turn) };
  if ('problems' in checkpoint)
    return { reason: `Its checkpoint is damaged: ${checkpoint.problems.join(' ')}` };
  const row = checkpoint.manifest.files.find((r) => sameKey(r.path, path));
  if (row === undefined) return { reason: 'The turn did not touch this file.' };
  const found = sideOf(home, turn, checkpoint, row, side);
  return 'reason' in found ? found : checked(found);
}

function noCheckpoint({ prunedAt, imported }: StoredTurn): string {
  if (imported) return 'The turn was imported from a transcript: nothing of it was saved.';
  return prunedAt === null
    ? 'The turn has no checkpoint.'
    : 'What the turn had saved was removed to keep within the limits.';
}

function sideOf(
  home: string,
  turn: StoredTurn,
  checkpoint: StoredCheckpoint,
  row: ManifestRow,
  side: Side,
): Found {
  const state = side === 'before' ? row.before : stateAfter(turn, row);
  if (state.kind === 'other') return { reason: 'It is a special file, or it could not be read.' };
  if (state.kind !== 'file') return { state, file: undefined };
  return side === 'before' ? before(home, turn, checkpoint, row) : after(home, turn, row, state);
}

function before(
  home: string,
  { root }: StoredTurn,
  checkpoint: StoredCheckpoint,
  row: ManifestRow,
): Found {
  if (row.blob !== undefined) {
    const kept = keptBytes(home, root).fetch(row);
    return 'fault' in kept ? { reason: kept.fault } : { state: row.before, file: kept.file };
  }
  const fault = faultOfBlob(checkpoint.place, row);
  return fault === undefined
    ? {
        state: row.before,
        file: blobOfRow(checkpoint.place, row),
        foreign: checkpoint.foreign,
      }
    : { reason: fault };
}

function after(
  home: string,
  turn: StoredTurn,
  row: ManifestRow,
  state: PathState & { kind: 'file' },
): Found {
  if (state.sha256 === undefined) return { reason: 'What the turn left was not recorded.' };
  keptBytes(home, turn.root).fetchLeft(row);
  const kept = postImagePlace(postImageFolder(home, turn.root), state.sha256);
  if (fs.existsSync(kept)) return { state, file: kept };
  const named = pathOfKey(turn.root, row.path);
  if ('key' in named && isNow(named.absolute, state.sha256)) return { state, file: named.absolute };
  const later = laterPreImage(home, turn, row.path, state.sha256);
  return later === undefined
    ? { reason: 'What the turn left is not stored any more.' }
    : { state, file: later };
}

/** What a turn left is what a later one found. */
function laterPreImage(
  home: string,
  turn: StoredTurn,
  path: string,
  sha256: string,
): string | undefined {
  const { checkpoints } = readSession(turn.root, turn.session, (seq) => seq > turn.seq);
  for (const { place, manifest } of checkpoints) {
    const row = manifest.files.find((r) => sameKey(r.path, path));
    if (row?.before.kind !== 'file' || row.before.sha256 !== sha256) continue;
    const bytes = bytesOfRow(place, row, keptBytes(home, turn.root));
    return 'file' in bytes ? bytes.file : undefined;
  }
  return undefined;
}

/** A state whose bytes, if it has any, are what was saved. */
export function checked(found: SideState): SideState | { readonly reason: string } {
  const { state, file } = found;
  if (state.kind !== 'file' || state.sha256 === undefined || file === undefined) return found;
  try {
    return hashFile(file).sha256 === state.sha256
      ? found
      : { reason: 'Its saved bytes are not the ones that were saved.' };
  } catch (error) {
    return { reason: `It cannot be read (${messageOf(error)}).` };
  }
}

export function contentOfState(found: SideState): SideContent {
  const { state } = found;
  switch (state.kind) {
    case 'absent':
      return { kind: 'absent' };
    case 'symlink':
      return { kind: 'symlink', target: state.target };
    case 'directory':
      return { kind: 'directory', mode: state.mode };
    case 'other':
      return { kind: 'unavailable', reason: 'It is a special file.' };
    case 'file':
      return bytesOf(state, found);
  }
}

function bytesOf(
  { sha256, mode }: PathState & { kind: 'file' },
  { file, foreign }: SideState,
): SideContent {
  try {
    if (file === undefined) return { kind: 'unavailable', reason: 'Its bytes are not stored.' };
    const bytes = fs.readFileSync(file);
    return { kind: 'bytes', bytes, verified: sha256 !== undefined, ...(!foreign && { mode }) };
  } catch (error) {
    return { kind: 'unavailable', reason: `It cannot be read (${messageOf(error)}).` };
  }
}

/** Where the agent's last word is missing: the state at the turn's end; while it runs, what is there now. */
function stateAfter(turn: StoredTurn, row: ManifestRow): PathState {
  const known = row.after ?? row.end;
  if (known !== undefined) return known;
  try {
    return stateOfKey(turn.root, row.path);
  } catch {
    // Unreadable now: shown as such, not as a change.
    return { kind: 'other' };
  }
}

function isNow(absolute: string, sha256: string): boolean {
  try {
    const state = hashedState(absolute);
    return state.kind === 'file' && state.sha256 === sha256;
  } catch {
    // Unreadable now, so it is no source of bytes either.
    return false;
  }
}

function changeOf(before: PathState, after: PathState): Change | undefined {
  if (compareStates(before, after) === 'same') return undefined;
  if (before.kind === 'absent') return 'added';
  if (after.kind === 'absent') return 'deleted';
  if (before.kind !== after.kind) return 'type';
  if (before.kind === 'directory') return 'mode';
  if (
    before.kind === 'file' &&
    after.kind === 'file' &&
    before.sha256 !== undefined &&
    before.sha256 === after.sha256
  )
    return 'mode';
  return 'modified';
}

function bytesForCount(found: Found): Uint8Array | undefined {
  if ('reason' in found) return undefined;
  if (found.state.kind === 'file' && found.state.size > largestCounted) return undefined;
  const content = contentOfState(found);
  if (content.kind === 'bytes') return content.bytes;
  if (content.kind === 'absent') return new Uint8Array();
  return undefined;
}
