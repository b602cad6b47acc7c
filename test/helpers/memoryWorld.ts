/** A home store with memory, a folder that agents work in, and a clock that goes on by a second at each look. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { MemoryUse, MemoryWriter } from '../../src/app/memoryUse.ts';
import { openTimelineApp, type TimelineAppOptions } from '../../src/app/openTimelineApp.ts';
import type { TimelineApp, TurnRecorder } from '../../src/app/timelineApp.ts';
import { isUserError } from '../../src/core/errors.ts';
import { asSessionId, type Root, type TurnId } from '../../src/core/ids.ts';
import type { MemoryScope, WriteResult } from '../../src/core/memory.ts';

export const person: MemoryWriter = { actor: 'person' };
export const agent: MemoryWriter = { actor: 'agent', agent: 'claude' };

export class MemoryWorld implements AsyncDisposable {
  readonly folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-memory-')));
  readonly root: Root;
  readonly home = path.join(this.folder, 'store');
  readonly memoryFolder = path.join(this.home, 'memory');
  readonly log: string[] = [];
  app: TimelineApp;
  memory!: MemoryUse;
  time = Date.parse('2026-03-01T10:00:00Z');
  readonly #options: Partial<TimelineAppOptions>;

  private constructor(options: Partial<TimelineAppOptions>) {
    this.#options = options;
    this.root = path.join(this.folder, 'work') as Root;
    fs.mkdirSync(this.root);
    this.app = this.open();
  }

  static async make(options: Partial<TimelineAppOptions> = {}): Promise<MemoryWorld> {
    const world = new MemoryWorld(options);
    world.memory = await world.app.memory();
    return world;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app.idle();
    this.app.dispose();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  open(): TimelineApp {
    return openTimelineApp({
      home: this.home,
      userHome: this.folder,
      now: () => (this.time += 1_000),
      log: (level, text) => this.log.push(`${level}: ${text}`),
      environment: process.env,
      ...this.#options,
    });
  }

  /** As after a restart; `between` happens while nothing is open. */
  async reopen(between: () => unknown = () => undefined): Promise<void> {
    this.app.dispose();
    await between();
    this.app = this.open();
    this.memory = await this.app.memory();
  }

  save(
    name: string,
    body: string,
    scope: MemoryScope = 'project',
    writer: MemoryWriter = person,
  ): Promise<WriteResult> {
    return this.memory.write(this.root, { act: 'remember', scope, name, body }, writer);
  }

  forget(name: string, scope: MemoryScope, writer: MemoryWriter = person): Promise<WriteResult> {
    return this.memory.write(this.root, { act: 'forget', scope, name }, writer);
  }

  setFact(
    key: string,
    value: string,
    scope: 'profile' | 'environment' = 'profile',
    writer: MemoryWriter = person,
  ): Promise<WriteResult> {
    return this.memory.write(this.root, { act: 'setFact', scope, key, value }, writer);
  }

  /** A turn in which `work` happens; a file of the root is touched when `file` is given. */
  async turn(prompt: string, work: () => Promise<unknown>, file?: string): Promise<TurnId> {
    const recorder = this.recorder();
    const { turn } = recorder.begin(prompt);
    if (file !== undefined) {
      recorder.snapshot(file);
      fs.appendFileSync(path.join(this.root, file), `${prompt}\n`);
    }
    await work();
    recorder.end('done');
    return turn;
  }

  recorder(session = 's1'): TurnRecorder {
    return this.app.recorder(this.root, asSessionId(session), 'claude');
  }

  file(...names: readonly string[]): string {
    return path.join(this.memoryFolder, ...names);
  }

  /** Bodies by `scope name`. */
  async bodies(): Promise<Readonly<Record<string, string>>> {
    const notes = await this.memory.list(this.root);
    const whole = notes.map(
      async ({ name, scope }) =>
        [`${scope} ${name}`, (await this.memory.show(this.root, name, scope)).body] as const,
    );
    return Object.fromEntries(await Promise.all(whole));
  }

  /** Whether these words lie anywhere in the home store, in any file. */
  holds(words: string): boolean {
    return fs
      .readdirSync(this.home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .some((entry) => fs.readFileSync(path.join(entry.parentPath, entry.name)).includes(words));
  }
}

/** For `assert.rejects`. */
export function withCode(code: Parameters<typeof isUserError>[1]): (error: unknown) => boolean {
  return (error) => isUserError(error, code);
}
