/** What a command found and left, with hashes: bytes are copied out of the snapshot before it, or stay there where they are many. */
import fs from 'node:fs';
import path from 'node:path';
import { temporaryName } from '../base/atomicFile.ts';
import { hashBytes, hashFile } from '../base/hash.ts';
import { postImageFolder, snapshotRepository } from '../base/home.ts';
import type { CaptureTarget } from '../checkpoint/capture.ts';
import { statState } from '../checkpoint/pathState.ts';
import { keepPostImage } from '../checkpoint/postImages.ts';
import { placeOf } from '../checkpoint/recordCommand.ts';
import type { Root } from '../core/ids.ts';
import { absent, type FileState, type PathState } from '../core/state.ts';
import { objectId } from '../git/gitObject.ts';
import { ObjectStore } from '../git/objectStore.ts';
import { stateWithoutBytes } from '../snapshot/restorePlan.ts';
import type { SnapshotState } from '../snapshot/snapshotTypes.ts';
import type { Snapshots } from './snapshots.ts';

export interface BytesContext {
  readonly snapshots: Snapshots;
  /** Ids. */
  readonly before: string;
  readonly after: string;
  readonly home: string;
  readonly target: CaptureTarget;
  /** There is time to keep what the command left. */
  readonly isKept: boolean;
  /** No bytes are copied. */
  readonly stored?: StoredBlobs | undefined;
}

/** Hashes of blobs of the snapshot store. */
export class StoredBlobs implements Disposable {
  readonly #objects: ObjectStore;
  readonly #known = new Map<string, string>();

  constructor(home: string, root: Root) {
    this.#objects = new ObjectStore(path.join(snapshotRepository(home, root), 'objects'));
  }

  /** @throws UserError `damaged`. */
  sha256Of(blob: string): string {
    const known = this.#known.get(blob) ?? hashBytes(this.#objects.read(blob, 'blob'));
    this.#known.set(blob, known);
    return known;
  }

  [Symbol.dispose](): void {
    this.#objects.close();
  }
}

/** What was there. @returns with it the file that its bytes were copied to, or the id by which the store has them. */
export async function savedBefore(
  { snapshots, before: id, target, stored }: BytesContext,
  key: string,
  state: SnapshotState,
): Promise<{ readonly state: PathState; readonly file?: string; readonly blob?: string }> {
  if (state.kind !== 'file') return { state: stateWithoutBytes(state) };
  const { mode, size, blob } = state;
  if (stored) return { state: { kind: 'file', mode, size, sha256: stored.sha256Of(blob) }, blob };
  const file = temporaryName(`${placeOf(target)}/blob`);
  try {
    await snapshots.copyTo(id, key, file);
    return { state: { kind: 'file', mode, ...hashFile(file) }, file };
  } catch (error) {
    fs.rmSync(file, { force: true });
    throw error;
  }
}

/** What the second snapshot has there. The bytes are most often still on the disk, and are known by their id. */
export async function left(
  { snapshots, after: id, target, home, isKept, stored }: BytesContext,
  key: string,
  state: SnapshotState,
  absolute: string | undefined,
): Promise<PathState> {
  if (state.kind === 'uncaptured') return absolute === undefined ? absent : onDisk(absolute);
  if (state.kind !== 'file') return stateWithoutBytes(state);
  const images = postImageFolder(home, target.root);
  const now = absolute === undefined ? undefined : hashedAs(absolute, state);
  if (now !== undefined && absolute !== undefined) {
    if (isKept) keepPostImage(images, absolute, now);
    return now;
  }
  if (stored) {
    const { mode, size, blob } = state;
    return { kind: 'file', mode, size, sha256: stored.sha256Of(blob) };
  }
  const copy = temporaryName(`${placeOf(target)}/blob`);
  try {
    await snapshots.copyTo(id, key, copy);
    const kept: FileState = { kind: 'file', mode: state.mode, ...hashFile(copy) };
    if (isKept) keepPostImage(images, copy, kept);
    return kept;
  } finally {
    fs.rmSync(copy, { force: true });
  }
}

/** The state with its hash if the file still has those bytes. */
function hashedAs(
  absolute: string,
  { blob, size, mode }: SnapshotState & { kind: 'file' },
): FileState | undefined {
  try {
    const stat = fs.lstatSync(absolute);
    if (!stat.isFile() || stat.size !== size) return undefined;
    const bytes = fs.readFileSync(absolute);
    if (objectId('blob', bytes) !== blob) return undefined;
    return { kind: 'file', mode, size, sha256: hashBytes(bytes) };
  } catch {
    // Gone or unreadable by now: the store has it.
    return undefined;
  }
}

/** Of a file that is too large, or that a rule leaves out now. */
function onDisk(absolute: string): PathState {
  try {
    const state = statState(absolute);
    return state.kind === 'file' ? { ...state, ...hashFile(absolute) } : state;
  } catch {
    // What cannot be read is not what anybody knows the command to have left: a rewind asks.
    return { kind: 'other' };
  }
}
