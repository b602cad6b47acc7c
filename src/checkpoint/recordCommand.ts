/**
 * Rows for what a shell command changed, found by comparing the tree before and after it: as `capture` and `recordAfter`
 * make them, after the fact and many at a time. The first pre-image of a path wins here as well.
 */
import fs from 'node:fs';
import path from 'node:path';
import { syncFile } from '../base/atomicFile.ts';
import { withLock } from '../base/fileLock.ts';
import { foldName, foldsNames } from '../base/platform.ts';
import type { Key } from '../core/ids.ts';
import { absent, compareStates, type PathState } from '../core/state.ts';
import {
  type CaptureTarget,
  currentManifest,
  isOwnFolder,
  makeStore,
  moveBlob,
} from './capture.ts';
import { knownBefore } from './knownBefore.ts';
import type { ManifestRow } from './manifest.ts';
import { blobPlace, checkpointPlace } from './places.ts';
import { writeManifest } from './writeManifest.ts';

export interface CommandChange {
  readonly key: Key;
  /** With the hash of a file. */
  readonly before: PathState;
  /** A file of ours with the bytes of `before`, beside the manifest: it is moved to its place, or stays where it is. */
  readonly source?: string;
  /** What the command left; with the hash of a file, if that could be had. */
  readonly after: PathState;
  /** Parent folders (keys) that were not there before, outermost first. */
  readonly folders: readonly string[];
  /** `mixed`: there is somebody else's work in it. `uncertain`: it may not be the agent's at all. */
  readonly mark?: 'mixed' | 'uncertain';
}

const lockWait = 3_000;

/** Makes the folder that pre-images are copied into. @returns it. @throws Error when a link is in its place. */
export function placeOf(target: CaptureTarget): string {
  const place = checkpointPlace(target.root, target.session, target.head.seq);
  makeStore(target.root, place);
  return place;
}

/**
 * @param isEdited whether an edit tool of the session named the key while the command ran
 * @returns false when the session's lock was not had in time. @throws system errors; then no row is recorded.
 */
export function recordCommand(
  target: CaptureTarget,
  changes: readonly CommandChange[],
  isEdited: (key: string) => boolean,
): boolean {
  if (changes.length === 0) return true;
  const place = placeOf(target);
  const done = withLock(target.lock, { wait: lockWait }, () => {
    const manifest = currentManifest(target, place);
    const rows = new Map(manifest.files.map((row) => [nameOf(row.path), row]));
    const moved: string[] = [];
    for (const change of changes) {
      const known = rows.get(nameOf(change.key));
      if (known) {
        rows.set(nameOf(change.key), changedRow(place, known, change, isEdited(known.path)));
        continue;
      }
      const isNew =
        isOwnFolder(manifest, change.key, change.before) || isBelowFile(rows, change.key);
      const before = isNew ? absent : change.before;
      if (compareStates(before, change.after) === 'same') continue;
      const source = before === change.before ? change.source : undefined;
      const stored = source === undefined ? undefined : moveBlob(source, place, change.key);
      if (source !== undefined)
        moved.push(stored === undefined ? blobPlace(place, change.key) : path.join(place, stored));
      rows.set(nameOf(change.key), newRow(change, before, stored));
    }
    // Together: what was written at once is flushed in half the time of one after another.
    for (const file of moved) syncFile(file);
    const files = [...rows.values()];
    if (files.length > 0) writeManifest(place, { ...manifest, files });
    else fs.rmSync(place, { recursive: true, force: true });
  });
  return done !== undefined;
}

function nameOf(key: string): string {
  return foldsNames(process.platform) ? foldName(key) : key;
}

/** Before the turn there was no folder above it: whatever the turn found there later was not there then. */
function isBelowFile(rows: ReadonlyMap<string, ManifestRow>, key: string): boolean {
  const segments = key.split('/').slice(0, -1);
  return segments.some((_, index) => {
    const above = rows.get(nameOf(segments.slice(0, index + 1).join('/')));
    return above !== undefined && !['absent', 'directory'].includes(above.before.kind);
  });
}

function newRow(
  { key, after, folders, mark }: CommandChange,
  before: PathState,
  stored: string | undefined,
): ManifestRow {
  return {
    path: key,
    before,
    after,
    cause: 'shell',
    folders,
    ...(stored !== undefined && { stored }),
    ...marksOf(mark),
  };
}

/** What becomes of a row the turn has already. */
function changedRow(
  place: string,
  row: ManifestRow,
  change: CommandChange,
  isEdited: boolean,
): ManifestRow {
  // An edit explains it, or is about to: its own hook says what it leaves.
  if (row.after !== undefined && compareStates(row.after, change.after) === 'same') return row;
  if (row.after === undefined && (isEdited || change.mark === 'uncertain')) return row;
  const { idle: _, ...rest } = row;
  const known = row.after ?? knownBefore(place, row).state;
  const isOthers = !isEdited && compareStates(known, change.before) === 'different';
  return {
    ...rest,
    after: change.after,
    ...marksOf(change.mark ?? (isOthers ? 'mixed' : undefined)),
  };
}

function marksOf(mark: CommandChange['mark']): Partial<ManifestRow> {
  if (mark === undefined) return {};
  return mark === 'mixed' ? { isMixed: true } : { uncertain: true };
}
