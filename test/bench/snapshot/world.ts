/**
 * A project of many files as a user's git repository, our snapshot store of it, and the stores of two contenders: shadow
 * repositories over the same files. Made once a size and process, removed at its end.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { type SimpleGit, simpleGit } from 'simple-git';
import { readRecord } from '../../../src/app/helper/helperRecord.ts';
import { helperProgram } from '../../../src/app/helper/startHelper.ts';
import { openSnapshots, type Snapshots } from '../../../src/app/snapshots.ts';
import type { Root } from '../../../src/core/ids.ts';
import { gitEnvironment, gitVariables } from '../../../src/git/runGit.ts';
import { openSnapshotStore, type SnapshotStore } from '../../../src/snapshot/snapshotStore.ts';
import type { SnapshotMeta } from '../../../src/snapshot/snapshotTypes.ts';
import { projectFolder } from '../../tools/paths.ts';

export const meta: SnapshotMeta = {
  turn: 1,
  triggerTool: 'Bash',
  triggerArgs: 'bench',
  preRollback: false,
};

const perFolder = 12;
const words = 'const value return import from export class await if else for path size name'.split(
  ' ',
);
const identity = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.org'];

export class World {
  readonly folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-bench-')));
  readonly root = path.join(this.folder, 'project');
  readonly files: readonly string[];
  readonly worker = path.join(this.folder, 'scanWorker.cjs');
  /** Milliseconds of the contender's first `git add -A`. */
  readonly firstAdd: number;
  readonly #random = generator(1);
  readonly #homes: string[] = [];
  #stores = 0;
  #edits = 0;

  constructor(size: number) {
    process.on('exit', () => {
      this.close();
      fs.rmSync(this.folder, { recursive: true, force: true });
    });
    buildSync({
      entryPoints: [path.join(projectFolder, 'src/snapshot/scanWorker.ts')],
      outfile: this.worker,
      bundle: true,
      platform: 'node',
      format: 'cjs',
    });
    this.files = this.#fill(size);
    execFileSync('git', ['init', '-q', '--bare', this.shadow('a')]);
    this.firstAdd = elapsed(() => this.shadowGit('a', 'add', '-A'));
    this.shadowGit('a', 'commit', '-q', '-m', 'start');
    this.shadowGit('a', 'repack', '-a', '-d', '-q', '--window=0');
    this.shadowGit('a', 'prune-packed', '-q');
    fs.cpSync(this.shadow('a'), this.shadow('b'), { recursive: true, preserveTimestamps: true });
    this.git('init', '-q');
    fs.cpSync(path.join(this.shadow('a'), 'objects'), this.path('.git/objects'), {
      recursive: true,
      preserveTimestamps: true,
    });
    this.git('add', '-A');
    this.git('commit', '-q', '-m', 'start');
    this.git('repack', '-a', '-d', '-q', '--window=0');
    this.git('prune-packed', '-q');
    this.git('status');
  }

  path(name: string): string {
    return path.join(this.root, name);
  }

  /** The user's git. */
  git(...args: readonly string[]): string {
    return run([...identity, ...args], this.root);
  }

  /** A contender's repository beside the work tree. */
  shadowGit(name: string, ...args: readonly string[]): string {
    const place = [`--git-dir=${this.shadow(name)}`, `--work-tree=${this.root}`];
    return run(
      [...place, '-c', 'core.bare=false', '-c', 'gc.auto=0', ...identity, ...args],
      this.root,
    );
  }

  shadow(name: string): string {
    return path.join(this.folder, `shadow-${name}.git`);
  }

  /** The usual shadow repository, driven by simple-git. */
  simple(name: string): SimpleGit {
    return simpleGit({
      baseDir: this.root,
      allowEnvironment: [...gitVariables, 'GIT_DIR', 'GIT_WORK_TREE'],
      config: ['user.name=bench', 'user.email=bench@example.org', 'core.bare=false', 'gc.auto=0'],
    }).env({
      ...gitEnvironment(process.env),
      GIT_DIR: this.shadow(name),
      GIT_WORK_TREE: this.root,
    });
  }

  /** A new, empty snapshot store of the project. */
  openStore(root = this.root): SnapshotStore {
    return openSnapshotStore({
      root,
      folder: path.join(this.folder, `home-${this.#stores++}`, 'store.git'),
      now: Date.now,
      log: (line) => console.error(line),
      worker: this.worker,
      // As the contenders: they flush no objects. Ours are flushed at the end of a turn.
      durable: false,
      environment: process.env,
      // As the helper, which is a process of its own.
      mayChangeFolder: true,
    });
  }

  /** Snapshots of the project by a helper process of its own, as it is shipped. */
  openClient(): Snapshots & { readonly home: string } {
    const home = path.join(this.folder, `home-${this.#stores++}`);
    const snapshots = openSnapshots({
      home,
      root: this.root as Root,
      now: Date.now,
      log: (level, text) => console.error(`${level}: ${text}`),
      environment: process.env,
      userHome: this.folder,
      helper: {
        version: '0.1.0',
        program: helperProgram(path.join(projectFolder, 'dist')),
        startWithin: 20_000,
      },
    });
    this.#homes.push(home);
    return { ...snapshots, home };
  }

  /** Until the helper need look at changed files only. */
  async warm(client: Snapshots): Promise<void> {
    while ((await client.create(meta)).checked !== 'changes') this.edit(1);
  }

  /** Ends the helpers. */
  close(): void {
    for (const home of this.#homes.splice(0)) {
      const record = readRecord(home, this.root as Root);
      if (record) process.kill(record.pid);
    }
  }

  /** Rewrites that many files, spread over the tree. @returns their names */
  edit(count: number): readonly string[] {
    const step = Math.max(1, Math.floor(this.files.length / Math.max(1, count)));
    const names = Array.from(
      { length: count },
      (_, i) => this.files[(i * step + this.#edits * 7) % this.files.length] ?? '',
    );
    this.#edits++;
    for (const name of names) {
      const text = fs.readFileSync(this.path(name), 'utf8');
      fs.writeFileSync(this.path(name), `${text}// edit ${this.#edits}\n`);
    }
    return names;
  }

  #fill(size: number): readonly string[] {
    const files: string[] = [];
    const folders: string[] = [''];
    for (let index = 0; files.length < size; index++) {
      const parent = index === 0 ? '' : (folders[Math.floor((index - 1) / 4)] ?? '');
      const folder = index === 0 ? '' : path.join(parent, `d${index}`);
      folders[index] = folder;
      fs.mkdirSync(this.path(folder), { recursive: true });
      for (let k = 0; k < perFolder && files.length < size; k++) {
        const name = path.join(folder, `file${k}.ts`);
        fs.writeFileSync(this.path(name), this.#text());
        files.push(name);
      }
    }
    return files;
  }

  /** Source-like, log-normal in size, 5 KiB in the middle. */
  #text(): string {
    const normal =
      Math.sqrt(-2 * Math.log(this.#random() + 1e-9)) * Math.cos(2 * Math.PI * this.#random());
    const size = Math.min(200_000, Math.floor(5000 * Math.exp(normal)));
    let text = '';
    while (text.length < size) {
      text += words[Math.floor(this.#random() * words.length)];
      text += this.#random() < 0.1 ? '\n' : ` ${Math.floor(this.#random() * 1e6)} `;
    }
    return text;
  }
}

const worlds = new Map<number, World>();

export function worldOf(size: number): World {
  const world = worlds.get(size) ?? new World(size);
  worlds.set(size, world);
  return world;
}

export function elapsed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

export async function elapsedAsync(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function run(args: readonly string[], cwd: string): string {
  return execFileSync('git', args, {
    cwd,
    env: gitEnvironment(process.env),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
}

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}
