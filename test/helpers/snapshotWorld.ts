/** A folder, and a snapshot store of it, with the real git as the judge. Owns one temporary folder. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gitEnvironment } from '../../src/git/runGit.ts';
import {
  openSnapshotStore,
  type SnapshotStore,
  type SnapshotStoreOptions,
} from '../../src/snapshot/snapshotStore.ts';
import type { Change, SnapshotMeta } from '../../src/snapshot/snapshotTypes.ts';

export const shell: SnapshotMeta = {
  turn: 1,
  triggerTool: 'Bash',
  triggerArgs: 'make',
  preRollback: false,
};

export const workerSource = new URL('../../src/snapshot/scanWorker.ts', import.meta.url);

export class SnapshotWorld implements AsyncDisposable {
  readonly folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-snapshot-')));
  readonly root = path.join(this.folder, 'project');
  readonly storeFolder = path.join(this.folder, 'home', 'store.git');
  readonly log: string[] = [];
  readonly #opened: SnapshotStore[] = [];

  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    fs.mkdirSync(this.root);
    for (const [name, content] of Object.entries(files)) this.put(name, content);
  }

  open(options: Partial<SnapshotStoreOptions> = {}): SnapshotStore {
    const store = openSnapshotStore({
      root: this.root,
      folder: this.storeFolder,
      now: Date.now,
      log: (line) => this.log.push(line),
      durable: false,
      environment: process.env,
      ...options,
    });
    this.#opened.push(store);
    return store;
  }

  path(name: string): string {
    return path.join(this.root, name);
  }

  put(name: string, content: string | Uint8Array, mode?: number): void {
    fs.mkdirSync(path.dirname(this.path(name)), { recursive: true });
    fs.writeFileSync(this.path(name), content);
    if (mode !== undefined) fs.chmodSync(this.path(name), mode);
  }

  /** In the user's work tree. */
  git(...args: readonly string[]): string {
    return this.#git(this.root, args);
  }

  /** In the store. */
  storeGit(...args: readonly string[]): string {
    return this.#git(this.storeFolder, args);
  }

  /** In any folder. */
  gitIn(folder: string, ...args: readonly string[]): string {
    return this.#git(folder, args);
  }

  /** What git finds wrong with a repository: nothing. */
  fsck(folder: string): string {
    return this.#git(folder, ['fsck', '--strict', '--no-dangling', '--no-progress']);
  }

  /** `path -> mode` of everything in a snapshot, as git lists it. */
  listed(snapshot: string): Readonly<Record<string, string>> {
    return this.listedIn(this.storeFolder, snapshot);
  }

  listedIn(store: string, snapshot: string): Readonly<Record<string, string>> {
    const lines = this.#git(store, ['ls-tree', '-r', '-t', '-z', snapshot])
      .split('\0')
      .filter(Boolean);
    return Object.fromEntries(
      lines.map((line) => [line.slice(line.indexOf('\t') + 1), line.split(' ')[0] ?? '']),
    );
  }

  /** What git finds wrong with the store: nothing. */
  checkStore(): void {
    assert.equal(this.fsck(this.storeFolder), '');
  }

  #git(cwd: string, args: readonly string[]): string {
    const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.org'];
    return execFileSync('git', [...identity, ...args], {
      cwd,
      env: { ...gitEnvironment(process.env), GIT_CONFIG_NOSYSTEM: '1', HOME: this.folder },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const store of this.#opened) await store.close();
    // A helper that came second to its place may still be leaving.
    fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 20 });
  }
}

/** `path: before -> after`, states in short. */
export function shortly(changes: readonly Change[]): readonly string[] {
  const short = (state: Change['before']) => {
    if (state.kind === 'file') return state.mode.toString(8);
    if (state.kind === 'symlink') return `-> ${state.target}`;
    if (state.kind === 'uncaptured') return `(${state.reason})`;
    return state.kind;
  };
  return changes.map(({ path: at, before, after }) => `${at}: ${short(before)} => ${short(after)}`);
}
