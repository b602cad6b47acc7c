/**
 * Pre-images of commands that changed very much stay where they are, in the snapshot store, held there by the copy of their
 * checkpoint: a hook has no time to write thousands of files. So does what such a command left. Whoever needs one gets it
 * from here, as an entry of the store of contents.
 */
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, writeFileAtomic } from '../base/atomicFile.ts';
import { hashBytes } from '../base/hash.ts';
import { postImageFolder, snapshotRepository } from '../base/home.ts';
import { isUserError } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import type { PathState } from '../core/state.ts';
import { ObjectStore } from '../git/objectStore.ts';
import { blobOfRow } from './blobOfRow.ts';
import type { ManifestRow } from './manifest.ts';
import { postImagePlace } from './places.ts';

export interface KeptBytes {
  /** The file with the bytes of a row's pre-image, or a sentence why there is none. Writes in our home store only. */
  fetch(row: ManifestRow): { readonly file: string } | { readonly fault: string };
  /** Sees to it that what a row's command left is in the store of contents, as far as it can be had. */
  fetchLeft(row: ManifestRow): void;
  /** The sentence alone, without getting the bytes. */
  faultOf(row: ManifestRow): string | undefined;
}

const gone = 'Its saved bytes are not in the snapshot store any more.';

/** For who has no snapshot store. */
export const nothingKept: KeptBytes = {
  fetch: () => ({ fault: gone }),
  fetchLeft: () => undefined,
  faultOf: () => gone,
};

/** Its methods throw system errors. */
export function keptBytes(home: string, root: Root): KeptBytes {
  const images = postImageFolder(home, root);
  const store = new BriefStore(path.join(snapshotRepository(home, root), 'objects'));
  const fetch = (state: PathState | undefined, blob: string | undefined): string | undefined => {
    if (state?.kind !== 'file' || state.sha256 === undefined || blob === undefined)
      return undefined;
    const file = postImagePlace(images, state.sha256);
    if (fs.existsSync(file)) return file;
    const bytes = store.use((objects) => readIfThere(objects, blob));
    if (bytes === undefined || hashBytes(bytes) !== state.sha256) return undefined;
    makeFolder(path.dirname(file));
    writeFileAtomic(file, bytes, { durable: false });
    return file;
  };
  return {
    fetch({ before, blob }) {
      const file = fetch(before, blob);
      return file === undefined ? { fault: gone } : { file };
    },
    fetchLeft({ after, leftBlob }) {
      fetch(after, leftBlob);
    },
    faultOf: ({ blob }) =>
      blob !== undefined && store.use((objects) => objects.has(blob)) ? undefined : gone,
  };
}

/** Where the bytes of a pre-image are that is a file; only those in the snapshot store are looked for. */
export function bytesOfRow(
  place: string,
  row: ManifestRow,
  kept: KeptBytes,
): ReturnType<KeptBytes['fetch']> {
  return row.blob === undefined ? { file: blobOfRow(place, row) } : kept.fetch(row);
}

/** Callers ask for all they need at once; the packs are not to stay open after that. */
class BriefStore {
  readonly #objects: ObjectStore;
  #isOpen = false;

  constructor(folder: string) {
    this.#objects = new ObjectStore(folder);
  }

  use<T>(work: (objects: ObjectStore) => T): T {
    if (!this.#isOpen)
      queueMicrotask(() => {
        this.#objects.close();
        this.#isOpen = false;
      });
    this.#isOpen = true;
    return work(this.#objects);
  }
}

function readIfThere(objects: ObjectStore, blob: string): Buffer | undefined {
  try {
    return objects.read(blob, 'blob');
  } catch (error) {
    if (isUserError(error, 'damaged')) return undefined;
    throw error;
  }
}
