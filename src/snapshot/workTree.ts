import { UserError } from '../core/errors.ts';
import type { RuleSet } from '../git/ignoreRules.ts';
import { applyListing, applyNewListing } from './applyListing.ts';
import { breathe } from './breathe.ts';
import { type CaptureRules, ignoreFile, isHidden } from './captureRules.ts';
import { FileTable, type Folder, forced, join, racy, unread } from './fileTable.ts';
import { fromRoot } from './fromRoot.ts';
import { listEverything, worthThreads } from './listEverything.ts';
import {
  isClosed,
  isFolderMode,
  type ListedFolder,
  type ListTask,
  listTree,
  stampOf,
} from './listTree.ts';
import { RuleKeeper, type RuleOptions, type RuleSources } from './ruleKeeper.ts';
import { scanFolders } from './scanFolders.ts';
import type { ScanReply, ToldFolder } from './workerMessages.ts';
import type { WorkerPool } from './workerPool.ts';

export interface WorkTreeOptions extends RuleOptions {
  /** Undefined: everything in this thread. */
  readonly pool: WorkerPool | undefined;
  readonly now: () => number;
  /** This process has no use for its current folder: see `fromRoot`. */
  readonly mayChangeFolder: boolean;
}

export interface FirstLook {
  /** Files and links of a folder that were just found, in git's order. @returns those that have to be read */
  unknownOf(table: FileTable, folder: Folder, files: readonly number[]): readonly number[];
  /** With folders, parents first, of which nothing need be read. */
  onWholeFolders(table: FileTable, folders: readonly Folder[]): void;
}

export class WorkTree {
  table = new FileTable();
  /** The last look had other rules than the one before. */
  areRulesNew = false;
  readonly #options: WorkTreeOptions;
  readonly #keeper: RuleKeeper;
  #told = false;

  constructor(options: WorkTreeOptions) {
    this.#options = options;
    this.#keeper = new RuleKeeper(options);
  }

  get root(): string {
    return this.#options.root;
  }

  get rules(): CaptureRules {
    return this.#keeper.rules;
  }

  get sources(): RuleSources | undefined {
    return this.#keeper.sources;
  }

  get maxFileSize(): number {
    return this.rules.data.maxFileSize;
  }

  /** A table read from the disk, or a new one. */
  adopt(table: FileTable, sources: RuleSources | undefined): void {
    this.table = table;
    this.#keeper.sources = sources;
    this.#told = false;
  }

  /** The threads were ended: new ones know nothing. */
  forgetThreads(): void {
    this.#told = false;
  }

  /** Everything has to be read and stored again: what the store had is gone, or was never finished. */
  forgetStored(entries?: Iterable<number>): void {
    const { table } = this;
    if (entries) for (const entry of entries) table.setFlag(entry, unread, true);
    else
      for (let entry = 0; entry < table.names.length; entry++)
        if (!table.isFolder(entry)) table.setFlag(entry, unread, true);
    for (const folder of table.folders) if (folder) folder.isTreeDirty = true;
  }

  /**
   * @param changed the only paths that can have changed; undefined: anything can
   * @param first what is done with what nobody has looked at before, while the rest is still being listed
   * @returns files and links that must be read. @throws UserError `notFound` when the root is gone; the signal's reason.
   */
  async findChanges(
    changed: Iterable<string> | undefined,
    signal: AbortSignal | undefined,
    first: FirstLook,
  ): Promise<Set<number>> {
    const start = this.#options.now();
    const toRead = new Set<number>();
    const relist = new Set<Folder>();
    const judgedAnew = this.#judgedAnew();
    const { table } = this;
    if (table.root === undefined) {
      await this.#listAll(start, toRead, signal, first);
      return toRead;
    }
    for (const folder of judgedAnew) relist.add(folder);
    if (changed === undefined) await this.#scan(toRead, relist);
    else this.#look(changed, toRead, relist);
    signal?.throwIfAborted();
    await this.#relistAll(relist, start, toRead, signal);
    for (const entry of toRead) if (table.names[entry] === '') toRead.delete(entry);
    return toRead;
  }

  get #pool(): WorkerPool | undefined {
    const { pool } = this.#options;
    return pool?.isUsable ? pool : undefined;
  }

  /** The chain of rules that holds in a folder, without its own. */
  #rulesAbove(folder: Folder): readonly RuleSet[] {
    const { parent } = folder;
    if (parent === undefined) return [this.rules.base];
    const above = this.#rulesAbove(parent);
    const hasRules =
      this.table.childNamed(parent, ignoreFile) !== undefined || this.rules.isNested(parent.path);
    return hasRules ? this.rules.chainIn(above, parent.path) : above;
  }

  /** Undefined where there is no folder, or none that may be looked into: the folder above tells which. */
  #taskOf(folder: Folder): ListTask | undefined {
    const stamp = stampOf(this.root, folder.path);
    if (typeof stamp !== 'object' || !isFolderMode(stamp.mode)) return undefined;
    if (folder.parent && isClosed(this.root, folder.path, stamp)) return undefined;
    const { path: at, onlyTracked } = folder;
    return { path: at, onlyTracked, stamp, above: this.#rulesAbove(folder) };
  }

  async #listAll(
    start: number,
    toRead: Set<number>,
    signal: AbortSignal | undefined,
    first: FirstLook,
  ): Promise<void> {
    const stamp = stampOf(this.root, '');
    if (stamp === undefined || stamp === 'unreadable')
      throw new UserError('notFound', `The folder ${this.root} cannot be read.`, {});
    this.table = new FileTable(Math.ceil(this.rules.tracked.count * 1.3) + 1024);
    this.table.makeRoot(stamp);
    const { table } = this;
    const onFiles = (folder: Folder, files: readonly number[]) => {
      for (const entry of first.unknownOf(table, folder, files)) toRead.add(entry);
    };
    const waiting: number[] = [];
    const apply = (listed: ListedFolder) => {
      for (const entry of applyListing(table, [listed], start).toRead) waiting.push(entry);
      signal?.throwIfAborted();
    };
    const lookAtWaiting = () => {
      for (const entry of waiting.splice(0)) onFiles(table.parentOf(entry), [entry]);
    };
    try {
      await listEverything(this.rules, this.#pool, {
        top: { path: '', onlyTracked: false, stamp, above: [this.rules.base] },
        fromRoot: (work) => this.#fromRoot(work),
        onFolder: apply,
        onListing: (listing) => {
          const before = toRead.size;
          const folders = applyNewListing(table, listing, start, onFiles);
          if (toRead.size === before) first.onWholeFolders(table, folders);
          signal?.throwIfAborted();
        },
        beside: lookAtWaiting,
      });
      lookAtWaiting();
    } catch (error) {
      // Half a listing would pass for all there is.
      this.adopt(new FileTable(), undefined);
      throw error;
    }
  }

  async #scan(toRead: Set<number>, relist: Set<Folder>): Promise<void> {
    const { table } = this;
    const { changed, relist: folders } = await this.#compareAll();
    for (const index of folders) {
      const folder = table.folders[index];
      if (folder) relist.add(folder);
    }
    for (const entry of changed) this.#lookAt(entry, toRead, relist);
    for (const folder of table.folders) if (folder) this.#recheckSkipped(folder, relist);
  }

  async #compareAll(): Promise<ScanReply> {
    const pool = this.#pool;
    const { table, root } = this;
    const next = new Int32Array(new SharedArrayBuffer(4));
    const folderCount = table.folders.length;
    if (!pool || table.count < worthThreads) {
      const folders = table.folders.map((folder) => folder && told(table, folder).content);
      return scanFolders(root, table.columns, folders, next, folderCount);
    }
    if (!this.#told) for (let i = 0; i < folderCount; i++) table.untold.add(i);
    const news = [...table.untold].map((index): ToldFolder => {
      const folder = table.folders[index];
      return folder ? told(table, folder) : { index };
    });
    table.untold.clear();
    this.#told = false;
    const scan = (from: string) =>
      pool.broadcast({
        op: 'scan',
        root: from,
        columns: table.columns,
        told: news,
        next,
        folderCount,
      });
    const replies = await this.#fromRoot(scan);
    this.#told = true;
    return {
      changed: Uint32Array.from(replies.flatMap((reply) => [...reply.changed])),
      relist: Uint32Array.from(replies.flatMap((reply) => [...reply.relist])),
    };
  }

  #fromRoot<T>(work: (from: string) => Promise<T>): Promise<T> {
    return this.#options.mayChangeFolder ? fromRoot(this.root, work) : work(this.root);
  }

  /** Names left out for what may pass: their size, or that they could not be read. */
  #recheckSkipped(folder: Folder, relist: Set<Folder>): void {
    for (const [name, reason] of folder.skipped) {
      if (reason === 'unreadable') relist.add(folder);
      if (reason !== 'tooLarge') continue;
      const stamp = stampOf(this.root, join(folder.path, name));
      if (typeof stamp !== 'object' || stamp.size <= this.maxFileSize) relist.add(folder);
    }
  }

  /** Only the named paths; with all that is below them when they end in `/`. */
  #look(changed: Iterable<string>, toRead: Set<number>, relist: Set<Folder>): void {
    for (const given of changed) {
      const name = given.endsWith('/') ? given.slice(0, -1) : given;
      if (name.split('/').some(isHidden)) continue;
      const found = this.table.deepest(name);
      if (found === undefined) continue;
      const { folder, rest } = found;
      const [first] = rest;
      const child = first === undefined ? undefined : this.table.childNamed(folder, first);
      if (first === undefined) {
        const all = given === name ? [folder] : this.table.subtree(folder);
        for (const inner of all) relist.add(inner);
        if (this.#taskOf(folder) === undefined && folder.parent) relist.add(folder.parent);
      } else if (child !== undefined && rest.length === 1) this.#lookAt(child, toRead, relist);
      else if (rest.length === 1 || !isLeftOut(folder, first)) relist.add(folder);
    }
  }

  #lookAt(entry: number, toRead: Set<number>, relist: Set<Folder>): void {
    const { table } = this;
    const parent = table.parentOf(entry);
    const stamp = stampOf(this.root, table.pathOf(entry));
    const mode = table.columns.mode[entry] ?? 0;
    if (
      typeof stamp !== 'object' ||
      (stamp.mode & 0o170000) !== (mode & 0o170000) ||
      stamp.size > this.maxFileSize
    ) {
      relist.add(parent);
      return;
    }
    if (table.stampEquals(entry, stamp) && !table.hasFlag(entry, racy | unread)) return;
    toRead.add(entry);
    if (table.names[entry] === ignoreFile)
      for (const folder of table.subtree(parent)) relist.add(folder);
  }

  async #relistAll(
    relist: Set<Folder>,
    start: number,
    toRead: Set<number>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { table } = this;
    // A set goes on with what is added to it meanwhile.
    for (const folder of relist) {
      if (table.folders[folder.index] !== folder) continue;
      const task = this.#taskOf(folder);
      if (task === undefined) {
        if (folder.parent) relist.add(folder.parent);
        else throw new UserError('notFound', `The folder ${this.root} is gone.`, {});
        continue;
      }
      const isUnknown = (at: string) => {
        const found = table.deepest(at);
        return found === undefined || found.rest.length > 0;
      };
      const { toRead: more, newRules } = applyListing(
        table,
        listTree(this.rules, task, isUnknown),
        start,
      );
      for (const entry of more) toRead.add(entry);
      for (const changed of newRules)
        for (const below of table.subtree(changed)) if (below !== folder) relist.add(below);
      await breathe();
      signal?.throwIfAborted();
    }
  }

  /** @returns folders that new rules judge otherwise */
  #judgedAnew(): Iterable<Folder> {
    const change = this.#keeper.refresh();
    this.areRulesNew = change !== 'same';
    switch (change) {
      case 'same':
        return [];
      case 'all':
        return this.table.folders.filter((folder) => folder !== undefined);
      case 'tracked':
        return this.#trackedOtherwise();
    }
  }

  #trackedOtherwise(): Iterable<Folder> {
    const { table } = this;
    const { tracked } = this.rules;
    const found = new Set<Folder>();
    for (const folder of table.folders) {
      if (folder === undefined) continue;
      for (const [name, reason] of folder.skipped) {
        const at = join(folder.path, name);
        const isRule = reason === 'ignored' || reason === 'excluded';
        if (isRule && (tracked.has(at) || tracked.hasUnder(at))) found.add(folder);
      }
    }
    for (let entry = 0; entry < table.names.length; entry++) {
      if (!table.hasFlag(entry, forced)) continue;
      const at = table.pathOf(entry);
      if (!(table.isFolder(entry) ? tracked.hasUnder(at) : tracked.has(at)))
        found.add(table.parentOf(entry));
    }
    return found;
  }
}

function told(table: FileTable, folder: Folder): ToldFolder {
  const files = folder.children.filter((entry) => !table.isFolder(entry));
  return {
    index: folder.index,
    content: {
      path: folder.path,
      entry: folder.entry,
      names: files.map((entry) => table.names[entry] ?? ''),
      entries: Uint32Array.from(files),
    },
  };
}

function isLeftOut(folder: Folder, name: string): boolean {
  const reason = folder.skipped.get(name);
  return reason === 'ignored' || reason === 'excluded';
}
