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
import { absent, compareStates, contentOf, type PathState } from '../core/state.ts';
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
import { readManifestFile } from './readManifest.ts';
import { writeManifest } from './writeManifest.ts';

export interface CommandChange {
  readonly key: Key;
  /** With the hash of a file. */
  readonly before: PathState;
  /** A file of ours with the bytes of `before`, beside the manifest: it is moved to its place, or stays where it is. */
  readonly source?: string;
  /** In its place git's id of those bytes, which stay in the snapshot store. */
  readonly blob?: string;
  /** What the command left; with the hash of a file, if that could be had. */
  readonly after: PathState;
  /** As `blob`, of what the command left. */
  readonly leftBlob?: string;
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

export interface CommandCourse {
  /** Whether an edit tool of the session named the key while the command ran. */
  readonly isEdited: (key: string) => boolean;
  /** Rows that the checkpoint had when the command began; later ones are of what ran at the same time. */
  readonly rows: number;
  /** Milliseconds since 1970: when it began. */
  readonly since: number;
}

/** Rows a checkpoint has now. */
export function rowCount({ root, session, head }: CaptureTarget): number {
  return readManifestFile(checkpointPlace(root, session, head.seq)).value?.files.length ?? 0;
}

/**
 * @returns false when the session's lock was not had in time. @throws system errors; then no row is recorded.
 */
export function recordCommand(
  target: CaptureTarget,
  changes: readonly CommandChange[],
  course: CommandCourse,
): boolean {
  if (changes.length === 0) return true;
  const place = placeOf(target);
  const done = withLock(target.lock, { wait: lockWait }, () => {
    const manifest = currentManifest(target, place);
    const rows = new Map(manifest.files.map((row) => [nameOf(row.path), row]));
    const later = new Set(manifest.files.slice(course.rows).map((row) => nameOf(row.path)));
    const moved: string[] = [];
    const keep: Keep = ({ key, source, blob }) => {
      if (source === undefined) return blob === undefined ? {} : { blob };
      const stored = moveBlob(source, place, key);
      moved.push(stored === undefined ? blobPlace(place, key) : path.join(place, stored));
      return stored === undefined ? {} : { stored };
    };
    const isKnown = (row: ManifestRow) => later.has(nameOf(row.path)) || course.isEdited(row.path);
    for (const change of withMovedWork(place, changes, rows, isKnown)) {
      const name = nameOf(change.key);
      const known = rows.get(name);
      if (known) {
        const isLatest =
          later.has(name) && (known.since ?? Number.POSITIVE_INFINITY) > course.since;
        const row = isLatest ? earlier(place, known, change, course, keep) : known;
        rows.set(name, changedRow(place, row, change, isKnown(known)));
        continue;
      }
      const isNew =
        isOwnFolder(manifest, change.key, change.before) || isBelowFile(rows, change.key);
      const before = isNew ? absent : change.before;
      if (compareStates(before, change.after) === 'same') continue;
      rows.set(name, {
        ...newRow(change, before, isNew ? {} : keep(change)),
        since: course.since,
      });
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

type Keep = (change: CommandChange) => Pick<ManifestRow, 'stored' | 'blob'>;

function newRow(
  { key, after, leftBlob, folders, mark }: CommandChange,
  before: PathState,
  kept: ReturnType<Keep>,
): ManifestRow {
  return {
    path: key,
    before,
    after,
    cause: 'shell',
    folders,
    ...kept,
    ...(leftBlob !== undefined && { leftBlob }),
    ...marksOf(mark),
  };
}

/** A row that came while the command ran has a pre-image of then; the one from before the command is the earlier. */
function earlier(
  place: string,
  row: ManifestRow,
  change: CommandChange,
  { since }: CommandCourse,
  keep: Keep,
): ManifestRow {
  if (compareStates(knownBefore(place, row).state, change.before) !== 'different') return row;
  const { stored: _, blob: __, ...rest } = row;
  // Its usual place is taken by the later one, which nobody needs any more.
  return { ...rest, before: change.before, since, ...keep(change) };
}

/** What becomes of a row the turn has already. @param isKnown what changed it meanwhile is of the session */
function changedRow(
  place: string,
  row: ManifestRow,
  change: CommandChange,
  isKnown: boolean,
): ManifestRow {
  // An edit explains it, or is about to: its own hook says what it leaves.
  if (row.after !== undefined && compareStates(row.after, change.after) === 'same') return row;
  if (row.after === undefined && (isKnown || change.mark === 'uncertain')) return row;
  const { idle: _, found, ...rest } = row;
  const { after, leftBlob } = change;
  const now = { ...rest, after, ...(leftBlob !== undefined && { leftBlob }) };
  // What others did while the command ran was found by nobody.
  if (change.mark !== undefined) return { ...now, ...marksOf(change.mark) };
  if (!isKnown && isOthers(place, row, change))
    return { ...now, isMixed: true, found: change.before };
  return found === undefined ? now : { ...now, found };
}

/** The command found it otherwise than the turn had left it. */
function isOthers(place: string, row: ManifestRow, { before }: CommandChange): boolean {
  return compareStates(row.after ?? knownBefore(place, row).state, before) === 'different';
}

/** A command that moves a file moves what somebody else has put into it: then that work is at the new place. */
function withMovedWork(
  place: string,
  changes: readonly CommandChange[],
  rows: ReadonlyMap<string, ManifestRow>,
  isKnown: (row: ManifestRow) => boolean,
): readonly CommandChange[] {
  const shared = new Set<string>();
  for (const change of changes) {
    const row = rows.get(nameOf(change.key));
    if (row === undefined) continue;
    const holdsWork =
      row.isMixed || row.uncertain || (!isKnown(row) && isOthers(place, row, change));
    const content = contentOf(change.before);
    if (holdsWork && content !== undefined) shared.add(content);
  }
  if (shared.size === 0) return changes;
  return changes.map((change) =>
    change.mark === undefined && shared.has(contentOf(change.after) ?? '')
      ? { ...change, mark: 'mixed' }
      : change,
  );
}

function marksOf(mark: CommandChange['mark']): Partial<ManifestRow> {
  if (mark === undefined) return {};
  return mark === 'mixed' ? { isMixed: true } : { uncertain: true };
}
