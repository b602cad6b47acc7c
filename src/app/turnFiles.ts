/** The files of one turn as its checkpoint tells them: contents of both sides, and the summary of what changed. */
import fs from 'node:fs';
import { hashFile } from '../base/hash.ts';
import { postImageFolder } from '../base/home.ts';
import { blobOfRow } from '../checkpoint/blobOfRow.ts';
import { pathOfKey, sameKey } from '../checkpoint/canonicalKey.ts';
import { hashedState } from '../checkpoint/hashedState.ts';
import { knownBefore } from '../checkpoint/knownBefore.ts';
import type { ManifestRow } from '../checkpoint/manifest.ts';
import { checkpointPlace, rewoundPlace } from '../checkpoint/places.ts';
import { postImagePlace } from '../checkpoint/postImages.ts';
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
import { lineCounts } from './lineCounts.ts';
import type { Side, SideContent } from './timelineApp.ts';

/** Undefined when the turn has no checkpoint; `problems` when it cannot be trusted. */
export function checkpointOf(
  turn: StoredTurn,
): StoredCheckpoint | { readonly problems: readonly string[] } | undefined {
  const { root, session, seq, rewoundBy } = turn;
  // What memcode wrote stays where it is, also when it was taken back.
  const places = [
    ...(rewoundBy === null ? [] : [`${rewoundPlace(root, session, rewoundBy)}/${seq}`]),
    checkpointPlace(root, session, seq),
  ];
  const place = places.find((folder) => fs.existsSync(folder));
  return place === undefined ? undefined : readCheckpoint(root, seq, place);
}

/** What the turn did to each file, by path. Empty without a readable checkpoint. */
export function touchesOf(home: string, turn: StoredTurn): readonly TouchSummary[] {
  const checkpoint = checkpointOf(turn);
  if (checkpoint === undefined || 'problems' in checkpoint) return [];
  return checkpoint.manifest.files
    .flatMap((row) => touchOf(home, turn, checkpoint, row))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
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
  const bytes = (side: Side) => bytesForCount(sideOf(home, turn, checkpoint, row, side));
  return [
    { path: row.path, change, cause: row.cause, ...lineCounts(bytes('before'), bytes('after')) },
  ];
}

/** @returns what can be shown for one side of one file of the turn. */
export function contentOf(home: string, turn: StoredTurn, path: string, side: Side): SideContent {
  const checkpoint = checkpointOf(turn);
  if (checkpoint === undefined)
    return { kind: 'unavailable', reason: 'The turn has no checkpoint.' };
  if ('problems' in checkpoint)
    return {
      kind: 'unavailable',
      reason: `Its checkpoint is damaged: ${checkpoint.problems.join(' ')}`,
    };
  const row = checkpoint.manifest.files.find((r) => sameKey(r.path, path));
  if (row === undefined)
    return { kind: 'unavailable', reason: 'The turn did not touch this file.' };
  return sideOf(home, turn, checkpoint, row, side);
}

function sideOf(
  home: string,
  turn: StoredTurn,
  checkpoint: StoredCheckpoint,
  row: ManifestRow,
  side: Side,
): SideContent {
  const state = side === 'before' ? row.before : stateAfter(turn, row);
  switch (state.kind) {
    case 'absent':
      return { kind: 'absent' };
    case 'symlink':
      return { kind: 'symlink', target: state.target };
    case 'directory':
      return { kind: 'directory' };
    case 'other':
      return { kind: 'unavailable', reason: 'It is a special file, or it could not be read.' };
    case 'file':
      return side === 'before' ? before(checkpoint, row) : after(home, turn, row, state);
  }
}

function before(checkpoint: StoredCheckpoint, row: ManifestRow): SideContent {
  const fault = faultOfBlob(checkpoint.place, row);
  if (fault !== undefined) return { kind: 'unavailable', reason: fault };
  return fromFile(blobOfRow(checkpoint.place, row), row.before);
}

function after(
  home: string,
  turn: StoredTurn,
  row: ManifestRow,
  state: PathState & { kind: 'file' },
): SideContent {
  if (state.sha256 === undefined)
    return { kind: 'unavailable', reason: 'What the turn left was not recorded.' };
  const kept = postImagePlace(postImageFolder(home, turn.root), state.sha256);
  if (fs.existsSync(kept)) return fromFile(kept, state);
  const named = pathOfKey(turn.root, row.path);
  if ('key' in named && isNow(named.absolute, state.sha256)) return fromFile(named.absolute, state);
  const later = laterPreImage(turn, row.path, state.sha256);
  if (later !== undefined) return fromFile(later, state);
  return { kind: 'unavailable', reason: 'What the turn left is not stored any more.' };
}

/** What a turn left is what a later one found. */
function laterPreImage(turn: StoredTurn, path: string, sha256: string): string | undefined {
  for (const { seq, place, manifest } of readSession(turn.root, turn.session).checkpoints) {
    if (seq <= turn.seq) continue;
    const row = manifest.files.find((r) => sameKey(r.path, path));
    if (row?.before.kind === 'file' && row.before.sha256 === sha256) return blobOfRow(place, row);
  }
  return undefined;
}

function fromFile(file: string, state: PathState): SideContent {
  try {
    const bytes = fs.readFileSync(file);
    if (state.kind !== 'file' || state.sha256 === undefined)
      return { kind: 'bytes', bytes, verified: false };
    if (hashFile(file).sha256 !== state.sha256)
      return { kind: 'unavailable', reason: 'Its saved bytes are not the ones that were saved.' };
    return { kind: 'bytes', bytes, verified: true, mode: state.mode };
  } catch (error) {
    return { kind: 'unavailable', reason: `It cannot be read (${messageOf(error)}).` };
  }
}

/** Where the agent's last word is missing: the state at the turn's end; while it runs, what is there now. */
function stateAfter(turn: StoredTurn, row: ManifestRow): PathState {
  const known = row.after ?? row.end;
  if (known !== undefined) return known;
  const named = pathOfKey(turn.root, row.path);
  if ('refused' in named) return { kind: 'other' };
  try {
    return hashedState(named.absolute);
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
  if (
    before.kind === 'file' &&
    after.kind === 'file' &&
    before.sha256 !== undefined &&
    before.sha256 === after.sha256
  )
    return 'mode';
  return 'modified';
}

function bytesForCount(content: SideContent): Uint8Array | undefined {
  if (content.kind === 'bytes') return content.bytes;
  if (content.kind === 'absent') return new Uint8Array();
  return undefined;
}
