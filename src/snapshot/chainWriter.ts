/**
 * Adds snapshots to the chain: a commit in the pack of its objects, then the refs by compare-and-swap, again and again
 * while other processes do the same.
 */
import path from 'node:path';
import { UserError } from '../core/errors.ts';
import { readRef, updateRef } from '../git/bareRepository.ts';
import { decodeCommit, encodeCommit, type ObjectId } from '../git/gitObject.ts';
import type { ObjectStore } from '../git/objectStore.ts';
import { PackWriter } from '../git/packWriter.ts';
import { type History, mainRef } from './history.ts';
import { sideRef } from './sideRecord.ts';
import { identity, messageOfMeta } from './snapshotMessage.ts';
import type { Snapshot, SnapshotMeta } from './snapshotTypes.ts';

const refAttempts = 80;

export interface ChainOptions {
  readonly folder: string;
  readonly objects: ObjectStore;
  readonly history: History;
  readonly now: () => number;
  readonly durable: boolean;
  readonly probe: (at: string) => void;
}

export interface NewSnapshot {
  readonly meta: SnapshotMeta;
  readonly tree: ObjectId;
  readonly side: ObjectId;
}

export class ChainWriter {
  readonly #options: ChainOptions;
  #sideCommit: { readonly from: ObjectId | undefined; readonly to: ObjectId } | undefined;

  constructor(options: ChainOptions) {
    this.#options = options;
  }

  /**
   * Keeps a side record from garbage collection, unless it is the newest one kept. Only prepared: the commit goes into the
   * pack of the snapshot, its ref moves before main does.
   */
  keepSide(id: ObjectId, pack: PackWriter): void {
    const { folder, now, objects } = this.#options;
    const parent = readRef(folder, sideRef);
    if (parent !== undefined) {
      const commit = decodeCommit(objects.read(parent, 'commit'));
      if (commit.tree === id) {
        this.#sideCommit = undefined;
        return;
      }
    }
    const bytes = encodeCommit(
      {
        tree: id,
        parents: parent === undefined ? [] : [parent],
        at: Math.floor(now() / 1000),
        message: 'modes and skipped paths',
      },
      identity,
    );
    this.#sideCommit = { from: parent, to: pack.add('commit', bytes) };
  }

  /**
   * Adds a snapshot on top of the newest one, whoever made that; nothing when it has the same tree and side record
   * (unless `evenIfSame`).
   * @param pack holds the objects that the store lacks; finished or discarded here
   * @throws UserError `locked` when the ref cannot be had, or the system error
   */
  add(
    { meta, tree, side }: NewSnapshot,
    pack: PackWriter,
  ): { readonly snapshot: Snapshot; readonly isNew: boolean } {
    const { folder, now, probe, durable, history, objects } = this.#options;
    let current = pack;
    const packs: string[] = [];
    for (let attempt = 0; attempt < refAttempts; attempt++) {
      const head = history.head;
      const newest = head === undefined ? undefined : history.newest(head);
      if (newest?.tree === tree && newest.side === side && !meta.evenIfSame) {
        current.discard();
        return { snapshot: newest, isNew: false };
      }
      const commit = {
        tree,
        parents: head === undefined ? [] : [head],
        at: Math.floor(now() / 1000),
        message: messageOfMeta(meta, side),
      };
      const id = current.add('commit', encodeCommit(commit, identity));
      const base = current.finish();
      if (base !== undefined) {
        objects.addPack(base);
        packs.push(base);
      }
      probe('side');
      if (this.#sideCommit && !this.#moveSide(this.#sideCommit)) {
        // Another process kept a record meanwhile: ours goes on top of it.
        current = new PackWriter(path.join(folder, 'objects', 'pack'), { durable });
        this.keepSide(side, current);
        continue;
      }
      this.#sideCommit = undefined;
      probe('ref');
      const moved = updateRef(folder, { ref: mainRef, from: head, to: id, durable });
      if (moved === 'done') {
        for (const written of packs) PackWriter.release(written);
        const snapshot = history.get(id);
        if (snapshot === undefined) throw new Error('A snapshot cannot be read back.');
        return { snapshot, isNew: true };
      }
      if (moved === 'busy') pause(Math.min(50, attempt + 1));
      current = new PackWriter(path.join(folder, 'objects', 'pack'), { durable });
    }
    throw new UserError('locked', 'Another process holds the snapshot store. Try again.', {});
  }

  #moveSide({ from, to }: { readonly from: ObjectId | undefined; readonly to: ObjectId }): boolean {
    const { folder, durable } = this.#options;
    const moved = updateRef(folder, { ref: sideRef, from, to, durable });
    if (moved === 'busy') pause(5);
    return moved === 'done';
  }
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
