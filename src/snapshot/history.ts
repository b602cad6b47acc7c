/** The chain of snapshots: reading it, finding one by its id or a prefix, adding to it by compare-and-swap. */
import path from 'node:path';
import { readIfExists, writeFileAtomic } from '../base/atomicFile.ts';
import { UserError } from '../core/errors.ts';
import { readRef } from '../git/bareRepository.ts';
import { decodeCommit, decodeTree, type ObjectId } from '../git/gitObject.ts';
import type { ObjectStore } from '../git/objectStore.ts';
import { parseSide, type SideRecord } from './sideRecord.ts';
import { snapshotOf } from './snapshotMessage.ts';
import type { Snapshot } from './snapshotTypes.ts';

export const mainRef = 'refs/heads/main';
const keptSides = 8;

export class History {
  readonly #folder: string;
  readonly #objects: ObjectStore;
  readonly #log: (line: string) => void;
  /** Commits never change: what was read stays true. */
  readonly #known = new Map<ObjectId, { snapshot: Snapshot | undefined; parent?: ObjectId }>();
  readonly #sides = new Map<ObjectId, SideRecord>();

  constructor(folder: string, objects: ObjectStore, log: (line: string) => void) {
    this.#folder = folder;
    this.#objects = objects;
    this.#log = log;
  }

  /** Commits at which the chain is cut: what is older was given up. Git knows this file, too. */
  get #cuts(): ReadonlySet<ObjectId> {
    const text = readIfExists(path.join(this.#folder, 'shallow')) ?? '';
    return new Set(text.split('\n').filter((line) => line !== ''));
  }

  /** Gives up what is older than this snapshot; the next full repack removes it. Ids stay as they are. */
  cutBelow(oldest: ObjectId): void {
    writeFileAtomic(path.join(this.#folder, 'shallow'), `${oldest}\n`);
  }

  get head(): ObjectId | undefined {
    return readRef(this.#folder, mainRef);
  }

  /** Newest first, by chain. Commits of others are left out. @throws UserError `damaged` for a broken chain. */
  list(): readonly Snapshot[] {
    const found: Snapshot[] = [];
    const cuts = this.#cuts;
    for (let at = this.head; at !== undefined; ) {
      const known = this.#read(at);
      if (known.snapshot) found.push(known.snapshot);
      at = cuts.has(at) ? undefined : known.parent;
    }
    return found;
  }

  /** @throws UserError `damaged` when it cannot be read. */
  get(id: ObjectId): Snapshot | undefined {
    return this.#read(id).snapshot;
  }

  /** The newest snapshot at or before a commit. @throws UserError `damaged` when there is none. */
  newest(head: ObjectId): Snapshot {
    const snapshot = this.get(head) ?? this.list()[0];
    if (snapshot === undefined)
      throw new UserError('damaged', 'The snapshot store holds no snapshot.', { head });
    return snapshot;
  }

  /**
   * @param prefix at least four hex digits, in either case
   * @throws UserError `usage` for another form, `notFound`, or `usage` naming the matches of an ambiguous one
   */
  lookup(prefix: string): Snapshot {
    const wanted = prefix.toLowerCase();
    if (!/^[0-9a-f]{4,40}$/.test(wanted))
      throw new UserError('usage', 'A snapshot is named by at least four hexadecimal digits.', {
        prefix,
      });
    const matches = this.list().filter(({ id }) => id.startsWith(wanted));
    const [only, ...others] = matches;
    if (only === undefined)
      throw new UserError('notFound', `There is no snapshot ${prefix}.`, { prefix });
    if (others.length > 0)
      throw new UserError(
        'usage',
        `${prefix} could be any of ${matches.map(({ id }) => id.slice(0, 12)).join(', ')}.`,
        { prefix, matches: matches.map(({ id }) => id) },
      );
    return only;
  }

  /** @throws UserError `damaged`. */
  side(id: ObjectId): SideRecord {
    const known = this.#sides.get(id);
    if (known) return known;
    const blobs = new Map(
      decodeTree(this.#objects.read(id, 'tree')).map((entry) => [entry.name, entry.id]),
    );
    const read = (name: string) => this.#objects.read(blobs.get(name) ?? '', 'blob');
    const record = parseSide(read('modes'), read('skipped'));
    this.#sides.set(id, record);
    const [oldest] = this.#sides.keys();
    if (this.#sides.size > keptSides && oldest !== undefined) this.#sides.delete(oldest);
    return record;
  }

  forget(): void {
    this.#known.clear();
    this.#sides.clear();
  }

  #read(id: ObjectId): { snapshot: Snapshot | undefined; parent?: ObjectId } {
    const known = this.#known.get(id);
    if (known) return known;
    const commit = decodeCommit(this.#objects.read(id, 'commit'));
    const snapshot = snapshotOf(id, commit);
    if (snapshot === undefined)
      this.#log(`${path.basename(this.#folder)}: commit ${id} is not a snapshot and is left out.`);
    const [parent] = commit.parents;
    const read = { snapshot, ...(parent !== undefined && { parent }) };
    this.#known.set(id, read);
    return read;
  }
}
