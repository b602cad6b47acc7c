/**
 * Whole-tree snapshots of one folder in a bare git repository outside of it: a linear chain of commits on main. One store
 * object does one thing at a time; several processes may have one each, since the chain moves by compare-and-swap.
 * Writes nothing in the folder and nothing in the user's repository.
 */
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../base/atomicFile.ts';
import { oneByOne } from '../base/oneByOne.ts';
import { createBareRepository, isRepository } from '../git/bareRepository.ts';
import { gitSettings } from '../git/conversions.ts';
import type { ObjectId } from '../git/gitObject.ts';
import { ObjectStore } from '../git/objectStore.ts';
import { PackWriter } from '../git/packWriter.ts';
import { repackStore, sweepPacks } from '../git/repackStore.ts';
import type { ArchiveStore } from './archive.ts';
import { buildTrees } from './buildTrees.ts';
import { ChainWriter } from './chainWriter.ts';
import { diffTrees, type Side, stateAt } from './diffTrees.ts';
import type { FileTable } from './fileTable.ts';
import { History } from './history.ts';
import { KnownChanges } from './knownChanges.ts';
import { readChanges } from './readChanges.ts';
import { refuseRoot } from './refuseRoot.ts';
import { type RestorePlan, restorePlan } from './restorePlan.ts';
import { Seeder } from './seed.ts';
import { markUnsettled, recoverTorn, settle } from './settleStore.ts';
import {
  sideBlobs,
  sideText,
  sideTree,
  summaryOf,
  type UsualModes,
  usualModes,
} from './sideRecord.ts';
import type { SnapshotStoreOptions } from './snapshotStoreOptions.ts';
import type {
  Change,
  CreateOptions,
  CreateResult,
  SkippedSummary,
  Snapshot,
  SnapshotMeta,
  SnapshotState,
} from './snapshotTypes.ts';
import { loadTable, saveTable } from './tableFile.ts';
import { WorkerFailure, WorkerPool } from './workerPool.ts';
import { WorkTree } from './workTree.ts';

const manyPacks = 40;

export type { SnapshotStoreOptions } from './snapshotStoreOptions.ts';

export function openSnapshotStore(options: SnapshotStoreOptions): SnapshotStore {
  return new SnapshotStore(options);
}

export class SnapshotStore {
  readonly #options: SnapshotStoreOptions;
  readonly #objects: ObjectStore;
  readonly #history: History;
  readonly #chain: ChainWriter;
  readonly #pool: WorkerPool | undefined;
  readonly #tree: WorkTree;
  readonly #known: KnownChanges | undefined;
  readonly #alone = oneByOne();
  #isLoaded = false;
  /** The table is as the work tree was at the last snapshot. */
  #isCurrent = false;
  /** The snapshot whose tree has every blob the table names. */
  #base: ObjectId | undefined;
  #lastTree: ObjectId | undefined;
  #usual: UsualModes | undefined;
  #side: { readonly key: string; readonly id: ObjectId } | undefined;
  /** Of which state of which table `#side` tells. */
  #sideOfTable:
    | { readonly table: FileTable; readonly version: number; readonly skipped: SkippedSummary }
    | undefined;
  #unsaved = 0;

  constructor(options: SnapshotStoreOptions) {
    this.#options = options;
    const torn = recoverTorn(options.folder);
    if (torn > 0) options.log(`${torn} torn packs of the snapshot store were set aside.`);
    this.#objects = new ObjectStore(path.join(options.folder, 'objects'));
    this.#history = new History(options.folder, this.#objects, options.log);
    this.#chain = new ChainWriter({
      folder: options.folder,
      objects: this.#objects,
      history: this.#history,
      now: options.now,
      durable: options.durable ?? true,
      probe: options.probe ?? (() => undefined),
    });
    this.#pool = options.worker === undefined ? undefined : new WorkerPool(options.worker);
    const { limits = {} } = options;
    this.#tree = new WorkTree({
      root: options.root,
      limits: typeof limits === 'function' ? limits : () => limits,
      pool: this.#pool,
      now: options.now,
      platform: options.platform ?? process.platform,
      environment: options.environment ?? {},
      mayChangeFolder: options.mayChangeFolder ?? false,
    });
    const { root, cookieFolder, platform = process.platform, log } = options;
    this.#known =
      cookieFolder === undefined
        ? undefined
        : new KnownChanges({ root, cookieFolder, platform, log });
  }

  /** Whether the next snapshot need look at changed paths only, if the watcher can be proven current. */
  get isWatching(): boolean {
    return this.#isCurrent && (this.#known?.isUsable ?? false);
  }

  /**
   * Takes a snapshot, unless nothing changed since the newest one.
   * @throws UserError when the folder or the store cannot be used; the signal's reason when it was aborted. Then there is
   * no snapshot, and the next call makes up for it.
   */
  create(meta: SnapshotMeta, options: CreateOptions = {}): Promise<CreateResult> {
    return this.#alone(() => this.#createOnce(meta, options));
  }

  /** Newest first, by chain; empty before the first. @throws UserError `damaged` for a broken chain. */
  list(): readonly Snapshot[] {
    return this.#history.list();
  }

  /** By id or a unique prefix of at least four digits. @throws UserError `usage` or `notFound`. */
  lookup(prefix: string): Snapshot {
    return this.#history.lookup(prefix);
  }

  /** Every path in which the two differ. @throws UserError `damaged`. */
  diff(before: Snapshot, after: Snapshot): readonly Change[] {
    return diffTrees(this.#objects, this.#sideOf(before), this.#sideOf(after));
  }

  /** What a snapshot has at a path. @throws UserError `damaged`. */
  stateAt(snapshot: Snapshot, path: string): SnapshotState {
    return stateAt(this.#objects, this.#sideOf(snapshot), path);
  }

  /** Bytes of a blob. @throws UserError `damaged` when it is missing or not what its id says. */
  read(blob: ObjectId): Buffer {
    return this.#objects.read(blob, 'blob');
  }

  /** Writes a blob to a new file, mode 0600. @throws UserError `damaged`, or the system error. */
  copyTo(blob: ObjectId, file: string): void {
    fs.writeFileSync(file, this.read(blob), { mode: 0o600, flag: 'wx' });
  }

  /**
   * Takes a snapshot of the present state, and says what to change for the work tree to be as in an earlier one. Nothing
   * is changed. `turn` is the one that is current.
   * @throws UserError `usage` or `notFound` before anything is done; `damaged` when an object is missing.
   */
  restore(
    id: string,
    options: Pick<SnapshotMeta, 'turn' | 'session' | 'turnId'> & {
      readonly paths?: readonly string[];
      readonly signal?: AbortSignal;
    },
  ): Promise<RestorePlan> {
    const { paths, signal, ...meta } = options;
    const target = this.lookup(id);
    return this.#alone(async () => {
      const { snapshot: present } = await this.#createOnce(
        { ...meta, triggerTool: 'restore', triggerArgs: target.id, preRollback: true },
        { ...(signal && { signal }) },
      );
      return restorePlan(this.#options.root, this.#objects, {
        target,
        present,
        from: this.#sideOf(present),
        to: this.#sideOf(target),
        ...(paths && { paths }),
      });
    });
  }

  /**
   * Has git join packs when there are many (`roll`, cheap), or write everything reachable anew (`full`, seconds for a
   * large store). For idle times. @returns whether there was something to do and a git to do it
   */
  maintain(how: 'roll' | 'full', signal?: AbortSignal): Promise<boolean> {
    return this.#alone(async () => {
      const { folder, environment = {}, now } = this.#options;
      if (!isRepository(folder)) return false;
      sweepPacks(folder, now());
      this.#objects.refresh();
      if (how === 'roll' && this.#objects.packCount < manyPacks) return false;
      const isDone = await repackStore(folder, how, environment, signal);
      this.#objects.refresh();
      return isDone;
    });
  }

  /** For archived checkpoints; the repository is made if need be. @throws UserError `unsupported`. */
  archives(): ArchiveStore {
    const { folder, now, durable = true } = this.#options;
    refuseRoot(this.#options);
    if (!isRepository(folder)) {
      this.#forgetAll();
      createBareRepository(folder);
    }
    if (!durable) markUnsettled(folder);
    this.#objects.refreshIfChanged();
    return { folder, objects: this.#objects, now, durable };
  }

  /** Gives up all snapshots older than this one. Their space is free after `maintain('full')`. */
  dropOlderThan(oldest: Snapshot): void {
    this.#history.cutBelow(oldest.id);
  }

  /**
   * Keeps what is known of the work tree for the next process; `create` does not. For idle times: takes milliseconds per
   * ten thousand files, and nothing without news.
   */
  flush(): Promise<void> {
    return this.#alone(async () => this.#save());
  }

  /** Flushes what was written without waiting. For the end of a turn, and idle times. */
  settle(): Promise<void> {
    return this.#alone(async () => settle(this.#options.folder));
  }

  /** Makes the repository and starts the threads ahead of need, and waits until they run. @throws UserError `unsupported`. */
  async warmUp(): Promise<void> {
    this.#prepare();
    await this.#pool?.warmUp();
  }

  async close(): Promise<void> {
    await this.settle();
    await this.flush();
    this.#known?.close();
    await this.#pool?.close();
    this.#objects.close();
  }

  #sideOf(snapshot: Snapshot): Side {
    return { tree: snapshot.tree, record: this.#history.side(snapshot.side) };
  }

  /** When threads fail, once more without. */
  async #createOnce(meta: SnapshotMeta, options: CreateOptions): Promise<CreateResult> {
    try {
      return await this.#create(meta, options);
    } catch (error) {
      if (!(error instanceof WorkerFailure) || this.#pool === undefined) throw error;
      this.#options.log(`A snapshot thread failed (${error.message}); going on without threads.`);
      this.#pool.isUsable = false;
      await this.#pool.close();
      this.#tree.forgetThreads();
      return this.#create(meta, options);
    }
  }

  async #create(meta: SnapshotMeta, options: CreateOptions): Promise<CreateResult> {
    options.signal?.throwIfAborted();
    const { root, folder, now, probe } = this.#options;
    this.#prepare();
    const start = now();
    const durable = this.#options.durable ?? true;
    const packFolder = path.join(folder, 'objects', 'pack');
    const pack = new PackWriter(packFolder, { durable, ...(probe && { probe }) });
    const packs: string[] = [];
    let toRead = new Set<number>();
    try {
      // Named paths are changes since this object last knew all; what an earlier process knew may be older.
      const known = options.changed ?? (await this.#known?.take(this.#tree.table));
      const wasCurrent = this.#isCurrent && known !== undefined;
      const changed = wasCurrent && options.everything !== true ? known : undefined;
      this.#isCurrent = false;
      const objects = path.join(folder, 'objects');
      const seeder = this.#tree.table.root ? undefined : this.#seeder(objects, start);
      toRead = await this.#tree.findChanges(changed, options.signal, {
        unknownOf: (table, folder, files) => seeder?.take(table, folder, files) ?? files,
        onWholeFolders: (table, folders) => {
          for (const each of folders.toReversed()) buildTrees(table, each, this.#objects, pack);
        },
      });
      const { table } = this.#tree;
      if (seeder) await seeder.finish(table, toRead);
      await readChanges({
        root,
        table,
        entries: toRead,
        store: this.#objects,
        pack,
        objects,
        maxFileSize: this.#tree.maxFileSize,
        durable,
        pool: this.#pool,
        start,
        signal: options.signal,
        onProgress: this.#options.onProgress,
        packs,
      });
      const side = this.#buildTrees(pack);
      options.signal?.throwIfAborted();
      const tree = table.idOf(table.root?.entry ?? 0).toString('hex');
      const { snapshot, isNew } = this.#chain.add({ meta, tree, side }, pack);
      for (const base of packs) PackWriter.release(base);
      this.#base = snapshot.id;
      this.#isCurrent = true;
      const isSurprise =
        options.everything === true &&
        wasCurrent &&
        known instanceof Set &&
        known.size === 0 &&
        !this.#tree.areRulesNew &&
        tree !== this.#lastTree;
      if (isSurprise) await this.#known?.doubt();
      this.#lastTree = tree;
      await this.#known?.keepUp(table, true);
      this.#unsaved += toRead.size + 1;
      const skipped = this.#sideOfTable?.skipped ?? summaryOf(table);
      const checked = changed === undefined ? 'everything' : 'changes';
      return {
        snapshot,
        isNew,
        files: table.count - table.folderCount,
        read: toRead.size,
        skipped,
        checked,
      };
    } catch (error) {
      pack.discard();
      // They stay until git sweeps them: whoever tries again finds in them what was read already.
      for (const base of packs) PackWriter.release(base);
      this.#tree.forgetStored(toRead);
      this.#side = undefined;
      await this.#known?.keepUp(this.#tree.table, false);
      throw error;
    }
  }

  #seeder(objects: string, start: number): Seeder | undefined {
    const { root, environment } = this.#options;
    if (environment === undefined) return undefined;
    const settings = () => gitSettings(root, environment);
    const tracked = () => this.#tree.rules.tracked;
    return new Seeder({
      root,
      tracked,
      store: this.#objects,
      objects,
      environment,
      settings,
      start,
    });
  }

  /** The repository is there, and so is what earlier snapshots put into it; else everything starts anew. */
  #prepare(): void {
    const { folder, root } = this.#options;
    refuseRoot(this.#options);
    if (!isRepository(folder)) {
      this.#forgetAll();
      makeFolder(path.dirname(folder));
      createBareRepository(folder);
    }
    if (this.#options.durable === false) markUnsettled(folder);
    this.#objects.refreshIfChanged();
    if (this.#isLoaded) {
      if (this.#base !== undefined && this.#history.head === undefined) this.#forgetAll();
      return;
    }
    this.#isLoaded = true;
    const head = this.#history.head;
    if (head === undefined) return;
    this.#usual = this.#history.side(this.#history.newest(head).side).usual;
    const saved = loadTable(this.#indexFile, root);
    if (saved === undefined || !this.#objects.has(saved.commit)) return;
    this.#tree.adopt(saved.table, saved.sources);
    this.#base = saved.commit;
  }

  #forgetAll(): void {
    this.#isCurrent = false;
    this.#objects.close();
    this.#history.forget();
    this.#tree.forgetStored();
    this.#base = undefined;
    this.#side = undefined;
  }

  /** @returns id of the side record, which is in the store or the pack */
  #buildTrees(pack: PackWriter): ObjectId {
    const { table } = this.#tree;
    const top = table.root;
    if (top === undefined) throw new Error('The work tree has not been listed.');
    if (top.isTreeDirty) buildTrees(table, top, this.#objects, pack);
    if (this.#side && this.#isSideOf(table)) return this.#side.id;
    this.#usual ??= usualModes(table);
    const text = sideText(table, this.#usual);
    this.#sideOfTable = { table, version: table.sideVersion, skipped: summaryOf(table) };
    const key = `${text.modes}\0\0${text.skipped}`;
    if (this.#side?.key === key) return this.#side.id;
    const blobs = sideBlobs(text);
    const modes = pack.add('blob', blobs.modes);
    const id = pack.add('tree', sideTree(modes, pack.add('blob', blobs.skipped)));
    this.#chain.keepSide(id, pack);
    this.#side = { key, id };
    return id;
  }

  #isSideOf(table: FileTable): boolean {
    const known = this.#sideOfTable;
    return known?.table === table && known.version === table.sideVersion;
  }

  get #indexFile(): string {
    return path.join(path.dirname(this.#options.folder), 'snapshot.index');
  }

  #save(): void {
    const { sources, table } = this.#tree;
    if (this.#unsaved === 0 || this.#base === undefined || sources === undefined) return;
    try {
      saveTable(this.#indexFile, this.#options.root, { table, commit: this.#base, sources });
      this.#unsaved = 0;
    } catch (error) {
      // It only saves time; the next process reads everything anew.
      this.#options.log(`The snapshot index could not be written: ${String(error)}.`);
    }
  }
}
