/**
 * Watches the folders of a work tree and collects the paths that may have changed. On Linux one watch a folder, all in one
 * queue of the kernel; elsewhere one recursive watch. Says nothing about paths it was not told to watch, and whether it
 * can be trusted is for `prove` to say: a file made and seen shows that all that came before has been seen, too.
 */
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, removeFile } from '../base/atomicFile.ts';
import { messageOf, systemCode } from '../core/errors.ts';
import { bytesToName, fsPathIn } from '../git/pathBytes.ts';
import { isHidden } from './captureRules.ts';
import { join } from './fileTable.ts';

export interface TreeWatcherOptions {
  readonly root: string;
  /**
   * Where the cookies of `prove` are made. On Linux any folder will do, since there is one queue for all; elsewhere it
   * must be below the root.
   */
  readonly cookieFolder: string;
  readonly platform: NodeJS.Platform;
  readonly log: (line: string) => void;
}

/** A watched folder, with those inside. */
interface Node {
  watcher: fs.FSWatcher | undefined;
  readonly inner: Map<string, Node>;
}

const cookieWait = 2000;
/** Events the kernel keeps for us; when more come at once it drops the rest, and libuv does not tell. */
const usualQueue = 16_384;
/** All programs of a user share these, editors among them: at most half is for us. */
const usualWatches = 8192;

export class TreeWatcher {
  /** False: it cannot watch here, or not any more. */
  isUsable = true;
  readonly isRecursive: boolean;
  readonly #options: TreeWatcherOptions;
  readonly #mostAtOnce: number;
  readonly #mostWatches: number;
  #top: Node = emptyNode();
  #cookies: fs.FSWatcher | undefined;
  #awaited: { readonly name: string; readonly seen: () => void } | undefined;
  #changed = new Set<string>();
  /** Watched folders that went or were replaced. */
  #gone = new Set<string>();
  /** Of these, those that are no longer watched, and may be there again. */
  #dropped = new Set<string>();
  #isLost = true;
  #burst = 0;
  #watches = 0;
  #count = 0;

  constructor(options: TreeWatcherOptions) {
    this.#options = options;
    this.isRecursive = options.platform !== 'linux';
    this.#mostAtOnce = kernelLimit(options.platform, 'max_queued_events', usualQueue) / 4;
    this.#mostWatches = kernelLimit(options.platform, 'max_user_watches', usualWatches) / 2;
  }

  /**
   * Paths that may have changed since the last call; a folder whose whole content may have ends in `/`. Undefined: anything
   * may have, since events were lost or this is the first call.
   */
  take(): ReadonlySet<string> | undefined {
    this.#dropGone();
    const { isUsable } = this;
    const changed = this.#changed;
    const isLost = this.#isLost || this.#burst >= this.#mostAtOnce;
    this.#changed = new Set();
    this.#isLost = false;
    return isLost || !isUsable ? undefined : changed;
  }

  /** Whether nothing at all was noted since the last `take`. */
  get isQuiet(): boolean {
    return !this.#isLost && this.#burst < this.#mostAtOnce && this.#changed.size === 0;
  }

  /** Nothing is known any more: what was taken could not be used. */
  lose(): void {
    this.#isLost = true;
  }

  /** Folders that are not watched any more with all below them, since the last call; if they are there, watch them again. */
  takeDropped(): ReadonlySet<string> {
    const dropped = this.#dropped;
    this.#dropped = new Set();
    return dropped;
  }

  /** As if something happened at this path. */
  mark(at: string): void {
    this.#changed.add(at);
  }

  isWatched(folder: string): boolean {
    return this.isRecursive
      ? this.#top.watcher !== undefined
      : this.#nodeAt(folder)?.watcher !== undefined;
  }

  /**
   * Watches a folder; what happened in it before is not seen. Does nothing for one that is watched, or is gone.
   * @returns whether it is new
   */
  watch(folder: string): boolean {
    if (!this.isUsable || this.isWatched(folder)) return false;
    const at = this.isRecursive ? '' : folder;
    if (this.#watches >= this.#mostWatches) {
      this.#giveUp(tooMany());
      return false;
    }
    try {
      this.#cookies ??= this.#watchCookies();
      const node = this.#makeNode(at);
      node.watcher = fs.watch(
        fsPathIn(this.#options.root, at),
        { persistent: false, recursive: this.isRecursive, encoding: 'buffer' },
        (kind, name) => this.#note(at, kind, name),
      );
      this.#watches++;
      node.watcher.on('error', () => {
        this.#gone.add(at);
        this.#changed.add(`${at}/`);
      });
      return true;
    } catch (error) {
      if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(systemCode(error) ?? '')) return false;
      this.#giveUp(error);
      return false;
    }
  }

  /** Whether everything that happened before this call has been noted. */
  async prove(): Promise<boolean> {
    if (!this.isUsable || this.#cookies === undefined) return false;
    const name = `cookie-${process.pid}-${++this.#count}`;
    const file = path.join(this.#options.cookieFolder, name);
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<boolean>((resolve) => {
        timer = setTimeout(() => resolve(false), cookieWait);
        this.#awaited = { name, seen: () => resolve(true) };
        fs.closeSync(fs.openSync(file, 'wx', 0o600));
      });
    } catch (error) {
      this.#options.log(`No proof that watching works: ${messageOf(error)}.`);
      return false;
    } finally {
      this.#awaited = undefined;
      clearTimeout(timer);
      removeFile(file);
    }
  }

  close(): void {
    this.isUsable = false;
    closeAll(this.#top);
    this.#top = emptyNode();
    this.#cookies?.close();
    this.#cookies = undefined;
  }

  #watchCookies(): fs.FSWatcher | undefined {
    const { cookieFolder } = this.#options;
    makeFolder(cookieFolder);
    const watcher = fs.watch(cookieFolder, { persistent: false }, (_, name) => {
      if (name !== null && name === this.#awaited?.name) this.#awaited.seen();
    });
    watcher.on('error', (error) => this.#giveUp(error));
    return watcher;
  }

  #giveUp(error: unknown): void {
    const { root, log } = this.#options;
    const isFull = ['ENOSPC', 'EMFILE'].includes(systemCode(error) ?? '');
    const why = isFull ? 'the system allows no more watches' : messageOf(error);
    if (this.isUsable)
      log(`${root} cannot be watched (${why}); snapshots look at every file instead.`);
    this.close();
  }

  #note(folder: string, kind: string, raw: Buffer | string | null): void {
    if (this.#burst++ === 0)
      setImmediate(() => {
        if (this.#burst >= this.#mostAtOnce) this.#isLost = true;
        this.#burst = 0;
      });
    if (raw === null) {
      if (this.isRecursive) this.#isLost = true;
      else this.#changed.add(`${folder}/`);
      return;
    }
    const name = typeof raw === 'string' ? raw : bytesToName(raw);
    if (this.isRecursive) {
      const at = this.#options.platform === 'win32' ? name.replaceAll('\\', '/') : name;
      if (!at.split('/').some(isHidden)) this.#changed.add(kind === 'rename' ? `${at}/` : at);
      return;
    }
    if (isHidden(name)) return;
    const at = join(folder, name);
    if (kind === 'rename' && this.#nodeAt(at) !== undefined) {
      this.#gone.add(at);
      this.#changed.add(`${at}/`);
    } else this.#changed.add(at);
  }

  /** Not while events come in: the rest of a closed watch's would go uncounted. */
  #dropGone(): void {
    for (const at of this.#gone) {
      const node = this.#nodeAt(at);
      if (node === undefined) continue;
      this.#watches -= closeAll(node);
      this.#dropped.add(at);
      const end = at.lastIndexOf('/');
      if (at === '') this.#top = emptyNode();
      else this.#nodeAt(end < 0 ? '' : at.slice(0, end))?.inner.delete(at.slice(end + 1));
    }
    this.#gone.clear();
  }

  #nodeAt(folder: string): Node | undefined {
    let node: Node | undefined = this.#top;
    if (folder !== '') for (const name of folder.split('/')) node = node?.inner.get(name);
    return node;
  }

  #makeNode(folder: string): Node {
    let node = this.#top;
    if (folder !== '')
      for (const name of folder.split('/')) {
        const next = node.inner.get(name) ?? emptyNode();
        node.inner.set(name, next);
        node = next;
      }
    return node;
  }
}

function emptyNode(): Node {
  return { watcher: undefined, inner: new Map() };
}

/** @returns how many watches there were */
function closeAll(node: Node): number {
  node.watcher?.close();
  let count = node.watcher ? 1 : 0;
  for (const inner of node.inner.values()) count += closeAll(inner);
  return count;
}

function tooMany(): Error {
  return Object.assign(new Error('more than half of the watches there are'), { code: 'ENOSPC' });
}

function kernelLimit(platform: NodeJS.Platform, name: string, usual: number): number {
  if (platform !== 'linux') return Number.POSITIVE_INFINITY;
  try {
    return Number(fs.readFileSync(`/proc/sys/fs/inotify/${name}`, 'utf8')) || usual;
  } catch {
    // Not told in every container.
    return usual;
  }
}
