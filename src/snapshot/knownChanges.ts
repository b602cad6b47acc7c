/**
 * What is known to have changed since the last snapshot, from a watcher that has been proven current. Watches the folders
 * that are captured, and only these. Whenever in doubt it knows nothing, and everything is checked.
 */
import fs from 'node:fs';
import { breathe } from './breathe.ts';
import type { FileTable, Folder } from './fileTable.ts';
import { TreeWatcher, type TreeWatcherOptions } from './treeWatcher.ts';

/** Beyond this, and a quarter of all entries, checking everything is cheaper. */
const fewChanges = 1000;

/** `statfs` types of file systems on which others may change files without our kernel's knowing. */
const remote = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xff534d42, // CIFS
  0xfe534d42, // SMB2
  0x65735546, // FUSE
  0x01021997, // 9p
  0x786f4256, // vboxsf
  0x6a656a63, // virtiofs shares
]);

export class KnownChanges {
  readonly #watcher: TreeWatcher;
  readonly #log: (line: string) => void;
  /** Whose folders are watched. */
  #table: FileTable | undefined;

  constructor(options: TreeWatcherOptions) {
    this.#log = options.log;
    this.#watcher = new TreeWatcher(options);
    if (isRemote(options.root)) {
      options.log(
        `${options.root} may be changed by other machines; every snapshot looks at every file.`,
      );
      this.#watcher.close();
    }
  }

  get isUsable(): boolean {
    return this.#watcher.isUsable;
  }

  /**
   * Call before looking at the table's files, then look at no others; call `keepUp` afterwards.
   * @returns undefined when anything may have changed
   */
  async take(table: FileTable): Promise<ReadonlySet<string> | undefined> {
    if (!this.#watcher.isUsable) return undefined;
    await this.#watchAll(table);
    const isProven = await this.#watcher.prove();
    const changed = this.#watcher.take();
    if (!isProven || changed === undefined) return undefined;
    return changed.size > fewChanges + table.count / 4 ? undefined : changed;
  }

  /**
   * After looking: folders that came are watched from now on, and looked at once more next time.
   * @param isDone false: what was taken has not been used
   */
  async keepUp(table: FileTable, isDone: boolean): Promise<void> {
    const watcher = this.#watcher;
    if (!watcher.isUsable) return;
    if (!isDone) watcher.lose();
    await this.#watchAll(table);
    const added: Folder[] = [];
    for (const folder of unwatched(table, watcher.takeDropped())) {
      if (watcher.watch(folder.path)) added.push(folder);
      await breathe();
    }
    if (added.length > table.folders.length / 4 && added.length > 16) watcher.lose();
    else for (const folder of added) watcher.mark(`${folder.path}/`);
  }

  /** First the watches, then a check of everything: what changes in between is seen twice, never not at all. */
  async #watchAll(table: FileTable): Promise<void> {
    if (this.#table === table) return;
    this.#table = table;
    table.unwatched.clear();
    this.#watcher.lose();
    for (const folder of [...table.folders]) {
      if (folder) this.#watcher.watch(folder.path);
      await breathe();
    }
  }

  /**
   * A check of everything has found a change although none was known: unless it has been noted meanwhile, the watcher
   * missed it, and is not believed any more.
   */
  async doubt(): Promise<void> {
    if (!(await this.#watcher.prove()) || !this.#watcher.isQuiet) return;
    this.#log('The watcher missed a change; from now on every snapshot looks at every file.');
    this.#watcher.close();
  }

  close(): void {
    this.#watcher.close();
  }
}

/** Folders that came, and those that lost their watch. */
function unwatched(table: FileTable, dropped: Iterable<string>): readonly Folder[] {
  const came = [...table.unwatched].flatMap((index) => table.folders[index] ?? []);
  table.unwatched.clear();
  const again = [...dropped].flatMap((at) => {
    const found = table.deepest(at);
    return found && found.rest.length === 0 ? [...table.subtree(found.folder)] : [];
  });
  return [...came, ...again];
}

function isRemote(root: string): boolean {
  try {
    return remote.has(fs.statfsSync(root).type >>> 0);
  } catch {
    // Nothing is known of it: the proofs decide.
    return false;
  }
}
