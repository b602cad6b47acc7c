/**
 * A user's repository, a project in it, and agents whose turns are recorded in this process. What the user has is compared
 * byte for byte: everything git shows apart from what a commit may change.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openTimelineApp, type TimelineAppOptions } from '../../src/app/openTimelineApp.ts';
import type { TimelineApp } from '../../src/app/timelineApp.ts';
import type { AutoCommitMode, TurnCommit } from '../../src/core/autoCommit.ts';
import { asSessionId, type ProjectId, type Root, type TurnId } from '../../src/core/ids.ts';

export type Edit = string | Uint8Array | null | ((file: string) => void);
export type Edits = Readonly<Record<string, Edit>>;

export interface WorldOptions {
  /** Committed at the start. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Default whenClean. */
  readonly mode?: AutoCommitMode;
  /** Default: a repository with `files` committed. */
  readonly git?: 'committed' | 'unborn' | 'none';
  /** Of the project, below the root. */
  readonly below?: string;
  readonly app?: Partial<TimelineAppOptions>;
}

export class ProjectWorld implements AsyncDisposable {
  readonly folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-project-')));
  readonly root = path.join(this.folder, 'work') as Root;
  readonly home = path.join(this.folder, 'store');
  readonly log: string[] = [];
  readonly project: ProjectId;
  app: TimelineApp;
  readonly #options: Partial<TimelineAppOptions>;

  constructor(options: WorldOptions = {}) {
    const { files = { 'a.txt': 'a\n', 'b.txt': 'b\n' }, git = 'committed' } = options;
    this.#options = options.app ?? {};
    fs.mkdirSync(path.join(this.root, options.below ?? ''), { recursive: true });
    if (git !== 'none') this.git('init', '-q', '-b', 'main');
    for (const [name, content] of Object.entries(files)) this.put(name, content);
    if (git === 'committed') {
      this.git('add', '-A');
      this.git('commit', '-q', '--allow-empty', '-m', 'start');
    }
    this.app = this.open();
    const workdir = path.join(this.root, options.below ?? '');
    this.project = this.app.projects.create({ workdir }).id;
    this.app.projects.change(this.project, { autoCommit: options.mode ?? 'whenClean' });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app.idle();
    this.app.dispose();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  open(options: Partial<TimelineAppOptions> = {}): TimelineApp {
    return openTimelineApp({
      home: this.home,
      now: Date.now,
      log: (level, text) => this.log.push(`${level}: ${text}`),
      environment: this.environment,
      userHome: this.folder,
      commitPatience: 0,
      ...this.#options,
      ...options,
    });
  }

  get environment(): NodeJS.ProcessEnv {
    return { PATH: process.env['PATH'], HOME: this.folder, USERPROFILE: this.folder };
  }

  path(name: string): string {
    return path.join(this.root, name);
  }

  put(name: string, content: string | Uint8Array): void {
    fs.mkdirSync(path.dirname(this.path(name)), { recursive: true });
    fs.writeFileSync(this.path(name), content);
  }

  read(name: string): string {
    return fs.readFileSync(this.path(name), 'utf8');
  }

  /** As the user: with an identity, in the root. */
  git(...args: string[]): string {
    const identity = ['-c', 'user.name=User', '-c', 'user.email=user@example.org'];
    return execFileSync('git', [...identity, ...args], {
      cwd: this.root,
      encoding: 'utf8',
      env: this.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** Where it may fail. */
  tryGit(...args: string[]): number | null {
    const env = { ...this.environment, GIT_EDITOR: 'true' };
    const identity = ['-c', 'user.name=User', '-c', 'user.email=user@example.org'];
    return spawnSync('git', [...identity, ...args], { cwd: this.root, env }).status;
  }

  /** One turn of an agent; what became of it once it was decided. */
  async turn(
    edits: Edits,
    { session = 's1', prompt = 'Do it', during = () => undefined as unknown } = {},
  ): Promise<TurnCommit | undefined> {
    const turn = this.begin(edits, { session, prompt });
    await during();
    return this.end(turn, session);
  }

  /** All but its end. */
  begin(edits: Edits, { session = 's1', prompt = 'Do it' } = {}): TurnId {
    const recorder = this.app.recorder(this.root, asSessionId(session), 'claude');
    const { turn } = recorder.begin(prompt);
    for (const [name, edit] of Object.entries(edits)) {
      assert.deepEqual(recorder.snapshot(name), { saved: true, path: name });
      this.apply(name, edit);
    }
    return turn;
  }

  async end(turn: TurnId, session = 's1'): Promise<TurnCommit | undefined> {
    this.app.recorder(this.root, asSessionId(session), 'claude').end('Done.');
    await this.app.idle();
    return this.app.projects.commitOf(turn);
  }

  apply(name: string, edit: Edit): void {
    const file = this.path(name);
    if (edit === null) fs.rmSync(file, { recursive: true });
    else if (typeof edit === 'function') {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      edit(file);
    } else this.put(name, edit);
  }

  get head(): string {
    return this.git('rev-parse', 'HEAD').trim();
  }

  /** Names changed by a commit, with their letter. */
  changed(commit = 'HEAD'): readonly string[] {
    return this.git('show', '--format=', '--name-status', '--no-renames', '-z', commit)
      .split('\0')
      .slice(0, -1)
      .flatMap((cell, n, all) => (n % 2 === 0 ? [`${cell} ${all[n + 1]}`] : []));
  }

  status(): string {
    return this.git('status', '--porcelain=v2', '--untracked-files=all', '--no-renames');
  }

  /** Every file of the user's repository and tree that a commit must not change, by name. */
  belongings(except: readonly string[] = []): Readonly<Record<string, string>> {
    const found: Record<string, string> = {};
    const skip = ['.git/objects', '.memcode', ...except];
    const walk = (at: string): void => {
      for (const entry of fs.readdirSync(path.join(this.root, at), { withFileTypes: true })) {
        const name = at === '' ? entry.name : `${at}/${entry.name}`;
        if (skip.includes(name)) continue;
        if (entry.isDirectory()) walk(name);
        else if (entry.isFile()) found[name] = fs.readFileSync(this.path(name)).toString('latin1');
        else found[name] = fs.readlinkSync(this.path(name));
      }
    };
    walk('');
    return found;
  }
}

/** What a commit on `main` may change. */
export const ofCommit = [
  '.git/index',
  '.git/refs/heads/main',
  '.git/logs/HEAD',
  '.git/logs/refs/heads/main',
];
