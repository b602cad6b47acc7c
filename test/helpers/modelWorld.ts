/**
 * One run of a sequence: a real store in a temporary folder, driven in process, and the account of what was done. Steps
 * that are not operations are carried out here; `modelOperation.ts` carries out and judges operations.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openTimelineApp } from '../../src/app/openTimelineApp.ts';
import { type Recorded, recordEvent } from '../../src/app/recordEvent.ts';
import { openSnapshots, type Snapshots } from '../../src/app/snapshots.ts';
import type { TimelineApp } from '../../src/app/timelineApp.ts';
import { liveFolder, spoolFolder } from '../../src/base/home.ts';
import { listSpool } from '../../src/base/spool.ts';
import type { AgentEvent } from '../../src/core/agentEvent.ts';
import { asSessionId, type Root, type SessionId } from '../../src/core/ids.ts';
import type { TurnSummary } from '../../src/core/timeline.ts';
import { type BookTurn, ModelBook } from './modelBook.ts';
import {
  absent,
  allAt,
  announced,
  changedBetween,
  freshText,
  isFolder,
  keysOf,
  type Look,
  lookAt,
  makeChange,
  stateIn,
} from './modelDisk.ts';
import type { Act, OperationStep, Step, Who } from './modelSteps.ts';

export type PlainStep = Exclude<Step, OperationStep>;

const sessions: readonly SessionId[] = [asSessionId('session-1'), asSessionId('session-2')];
const agents = ['claude', 'codex'];
/** As long as it takes until a turn without events counts as abandoned. */
const longWait = 31 * 60_000;

export class ModelWorld implements Disposable {
  readonly folder = fs.realpathSync(fs.mkdtempSync(path.join(fastFolder(), 'memcode-model-')));
  readonly root = path.join(this.folder, 'project') as Root;
  readonly outside = path.join(this.folder, 'outside');
  readonly home = path.join(this.folder, 'home');
  readonly book = new ModelBook();
  app: TimelineApp;
  readonly #snapshots: Snapshots;
  #clock = Date.UTC(2026, 0, 1);
  #words = 0;
  #prompts = 0;
  #calls = 0;

  constructor() {
    for (const name of ['project/d/y', 'project/still/empty', 'outside'])
      fs.mkdirSync(path.join(this.folder, name), { recursive: true });
    for (const name of ['a', 'b', 'd/x', 'd/y/z', 'still/canary'])
      fs.writeFileSync(path.join(this.root, name), freshText(`start-${name}`));
    fs.writeFileSync(path.join(this.outside, 'canary'), freshText('outside'));
    fs.chmodSync(path.join(this.root, 'b'), 0o755);
    this.app = this.#open();
    this.#snapshots = openSnapshots({
      home: this.home,
      root: this.root,
      now: this.#now,
      log: () => undefined,
      environment: { PATH: process.env['PATH'] },
      userHome: this.folder,
    });
  }

  [Symbol.dispose](): void {
    this.app.dispose();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  session(by: Who): SessionId {
    return sessions[by]!;
  }

  who(session: SessionId): Who {
    return session === sessions[0] ? 0 : 1;
  }

  look(): Look {
    return lookAt(this.root);
  }

  /** Whether the timeline knows everything that happened. */
  isFresh(): boolean {
    return listSpool(spoolFolder(this.home)).length === 0;
  }

  turns(by: Who): readonly TurnSummary[] {
    return this.app.turns(this.session(by));
  }

  async take(step: PlainStep): Promise<void> {
    switch (step.do) {
      case 'prompt':
        await this.#prompt(step.by);
        return;
      case 'edit':
        await this.#edit(step.by, step.on, step.untold ?? false);
        return;
      case 'shell':
        await (step.blind ? this.#blindShell(step.by, step.on) : this.#shell(step.by, step.on));
        return;
      case 'user':
      case 'unheard':
        this.#change(step.on, step.do === 'user' ? 'U' : 'N', (name, before, after) =>
          this.book.add(step.do === 'user' ? 'user' : 'nobody', name, before, after),
        );
        return;
      case 'end':
        await this.#end(step.by, step.how);
        return;
      case 'ingest':
        this.ingest();
        return;
      case 'restart':
        this.app.dispose();
        this.app = this.#open();
        return;
      case 'wait':
        this.#clock += longWait;
        return;
      case 'loseLive':
        fs.rmSync(liveFolder(this.home, this.session(step.by)), { recursive: true, force: true });
        this.book.current[step.by] = undefined;
        this.app.dispose();
        this.app = this.#open();
        this.ingest();
        return;
    }
  }

  /** Takes in the spool; turns that nobody went on with are closed. */
  ingest(): void {
    this.unseen(() => this.app.ingest());
    this.closeAbandoned();
  }

  /** What taking in closes. */
  closeAbandoned(): void {
    for (const turn of this.book.turns.values()) {
      if (!turn.isRunning || turn.lastAt >= this.#clock - longWait + 60_000) continue;
      turn.isRunning = false;
      turn.isGivenUp = true;
      this.book.seal(turn, false, this.look());
    }
  }

  /** What may not change a byte in the work tree. */
  unseen<T>(work: () => T): T {
    const [before, outside] = [this.look(), allAt(this.outside)];
    const result = work();
    assert.deepEqual(this.look(), before, 'the work tree changed');
    assert.deepEqual(allAt(this.outside), outside, 'something outside the root changed');
    return result;
  }

  async #prompt(by: Who): Promise<void> {
    const previous = this.#current(by);
    const { turn } = await this.#event(by, { kind: 'prompt', prompt: `Do ${++this.#prompts}` });
    if (previous && (previous.isOpen || previous.isLate)) this.#close(previous, false);
    assert.ok(turn && turn.id !== previous?.id, 'a prompt begins a turn');
    this.#turn(by, turn);
  }

  async #edit(by: Who, on: readonly Act[], isUntold: boolean): Promise<void> {
    this.#calls++;
    const named = on.flatMap((act) => announced(this.root, act));
    const keys = named.flatMap((name) => keysOf(this.root, name));
    const call = {
      tool: 'Edit',
      toolClass: 'write',
      paths: named.map((name) => path.join(this.root, name)),
      callId: `call-${this.#calls}`,
    } as const;
    const recorded = await this.#event(by, { kind: 'beforeTool', ...call });
    const turn = this.#turn(by, recorded.turn);
    if (!turn.isOpen) turn.isLate = true;
    const lost = recorded.unprotected.filter((one) => keys.includes(one.path));
    assert.deepEqual(lost, [], 'not protected');
    for (const key of keys) this.book.announce(turn, key, this.look());
    // What was saved at an earlier call may be reached again only through what this one makes.
    const own = [...keys, ...named.filter((name) => turn.rows.has(name))];
    this.#change(on, by === 0 ? 'A' : 'B', (name, before, after) =>
      this.#addTool(by, turn, own, name, before, after, !isUntold),
    );
    if (isUntold) return;
    await this.#event(by, { kind: 'afterTool', ...call });
    // A link that the call removed leads nowhere any more, so what it wrote through it is not told.
    const known = new Set(named.flatMap((name) => keysOf(this.root, name)));
    const more = named.flatMap((name) =>
      throughKnownLinks(turn, keysOf(this.root, name), this.look()),
    );
    for (const key of keys)
      if (known.has(key)) this.book.told(turn, key, this.look());
      else this.book.untold(turn, key);
    for (const key of more)
      if (!keys.includes(key) && turn.rows.has(key)) this.book.told(turn, key, this.look());
  }

  #addTool(
    by: Who,
    turn: BookTurn,
    keys: readonly string[],
    name: string,
    before: string,
    after: string,
    isClear: boolean,
  ): void {
    const isOnTheWay = keys.some((key) => key.startsWith(`${name}/`));
    const isFolderOnTheWay =
      isOnTheWay && [before, after].every((state) => state === absent || isFolder(state));
    if (keys.includes(name) || isFolderOnTheWay)
      this.book.add(by, name, before, after, { turn, isClear });
    else this.book.add('nobody', name, before, after);
  }

  #nextCommand() {
    this.#calls++;
    const callId = `call-${this.#calls}`;
    return { tool: 'Bash', toolClass: 'shell', paths: [], callId, summary: 'make' } as const;
  }

  /** A command changes files unannounced; the snapshots around it tell which. */
  async #shell(by: Who, on: readonly Act[]): Promise<void> {
    const call = this.#nextCommand();
    const recorded = await this.#event(by, { kind: 'beforeTool', ...call });
    const turn = this.#turn(by, recorded.turn);
    const before = this.look();
    const doubtful = new Set(
      [...turn.rows.values()]
        .filter((row) => row.left === undefined && row.before !== stateIn(before, row.path))
        .map((row) => row.path),
    );
    this.#change(on, by === 0 ? 'A' : 'B', () => undefined);
    const after = this.look();
    const keys = changedBetween(before, after).filter((name) => isTold(before, after, name));
    for (const key of keys) this.book.announce(turn, key, withoutStranded(before, turn, key));
    // Nobody sees more of a command than what it leaves.
    for (const name of changedBetween(before, after))
      this.book.add(by, name, stateIn(before, name), stateIn(after, name), { turn });
    await this.#event(by, { kind: 'afterTool', ...call });
    for (const key of keys) {
      this.book.told(turn, key, after);
      // What was there before the command nobody had told of.
      if (doubtful.has(key)) this.book.untold(turn, key);
    }
  }

  /** Without snapshots those that the turn had left as they are count as its own. */
  async #blindShell(by: Who, on: readonly Act[]): Promise<void> {
    const call = this.#nextCommand();
    const recorded = await this.#event(by, { kind: 'beforeTool', ...call }, null);
    const turn = this.#turn(by, recorded.turn);
    const tree = this.look();
    const steady = [...turn.rows.values()]
      .filter((row) => row.left !== undefined && row.left === stateIn(tree, row.path))
      .map((row) => row.path);
    this.#change(on, by === 0 ? 'A' : 'B', (name, before, after) =>
      this.#addTool(by, turn, steady, name, before, after, true),
    );
    await this.#event(by, { kind: 'afterTool', ...call }, null);
    for (const key of steady) this.book.told(turn, key, this.look());
  }

  async #end(by: Who, how: 'stop' | 'interrupt' | 'sessionEnd'): Promise<void> {
    const current = this.#current(by);
    await this.#event(by, how === 'sessionEnd' ? { kind: how } : { kind: 'turnEnd', how });
    if (current) this.#close(current, how !== 'sessionEnd');
  }

  #close(turn: BookTurn, isTold: boolean): void {
    this.book.seal(turn, isTold, this.look());
    turn.isOpen = turn.isLate = turn.isRunning = turn.isGivenUp = false;
  }

  #current(by: Who): BookTurn | undefined {
    const id = this.book.current[by];
    return id === undefined ? undefined : this.book.turns.get(id);
  }

  /** The account of the turn an event was put to; a new one is a new id and a higher number. */
  #turn(by: Who, recorded: Recorded['turn']): BookTurn {
    assert.ok(recorded, 'the event belongs to a turn');
    const { id, seq } = recorded;
    let turn = this.book.turns.get(id);
    if (!turn || id !== this.book.current[by]) {
      const known = this.book.turnsOf(by).map((other) => other.seq);
      assert.ok(seq > Math.max(0, ...known), `turn ${id} was there before`);
      turn = this.book.beginTurn(id, by, seq, this.look());
    }
    assert.equal(turn.rewoundBy, null, `${id} goes on although it was taken back`);
    turn.lastAt = this.#clock;
    // One that was taken for dead goes on.
    if (turn.isGivenUp) turn.isRunning = true;
    turn.isGivenUp = false;
    return turn;
  }

  #change(
    on: readonly Act[],
    writer: string,
    changed: (name: string, before: string, after: string) => void,
  ): void {
    for (const act of on) {
      const before = this.look();
      const earlier = this.book.earlier.get(act[0]) ?? [];
      const word = `${writer}${++this.#words}`;
      makeChange(this.root, act, word, earlier[this.#words % (earlier.length || 1)]);
      const after = this.look();
      for (const name of changedBetween(before, after))
        changed(name, stateIn(before, name), stateIn(after, name));
    }
  }

  async #event(
    by: Who,
    body: EventBody,
    snapshots: Snapshots | null = this.#snapshots,
  ): Promise<Recorded> {
    const [before, outside] = [this.look(), allAt(this.outside)];
    const recorded = await recordEvent(
      {
        home: this.home,
        userHome: this.folder,
        cwd: this.root,
        now: this.#now,
        log: () => undefined,
        ...(snapshots && {
          snapshots: async () => ({ ...snapshots, close: async () => undefined }),
        }),
      },
      { agent: agents[by]!, session: this.session(by), cwd: this.root, ...body },
    );
    assert.deepEqual(this.look(), before, 'a hook changed the work tree');
    assert.deepEqual(allAt(this.outside), outside, 'a hook changed something outside the root');
    return recorded;
  }

  #open(): TimelineApp {
    return openTimelineApp({
      home: this.home,
      userHome: this.folder,
      now: this.#now,
      log: (level, text) => {
        if (level === 'error') throw new Error(text);
      },
      environment: { PATH: process.env['PATH'] },
    });
  }

  readonly #now = (): number => ++this.#clock;
}

/** Below what was a file before the turn there was nothing then. */
function withoutStranded(tree: Look, turn: BookTurn, name: string): Look {
  const isStranded = [...turn.rows.values()].some(
    ({ path: at, before }) => name.startsWith(`${at}/`) && before !== absent && !isFolder(before),
  );
  if (!isStranded) return tree;
  return new Map([...tree].filter(([key]) => key !== name));
}

/** The first of these names, and what lies behind it as long as the links are what the turn has left there. */
function throughKnownLinks(turn: BookTurn, keys: readonly string[], tree: Look): readonly string[] {
  const end = keys.findIndex((key) => {
    const row = turn.rows.get(key);
    return row === undefined || (row.left ?? row.before) !== stateIn(tree, key);
  });
  return end < 0 ? keys : keys.slice(0, end + 1);
}

/** Whether a checkpoint has a row for it: a folder that came with files in it is told by them. */
function isTold(before: Look, after: Look, name: string): boolean {
  if (stateIn(before, name) !== absent || !isFolder(stateIn(after, name))) return true;
  return ![...after.keys()].some((key) => key.startsWith(`${name}/`));
}

type EventBody = AgentEvent extends infer E ? (E extends AgentEvent ? Body<E> : never) : never;
type Body<E> = Omit<E, 'agent' | 'session'>;

/** In memory where that can be had: the store flushes a lot. */
function fastFolder(): string {
  try {
    fs.accessSync('/dev/shm', fs.constants.W_OK);
    return '/dev/shm';
  } catch {
    return os.tmpdir();
  }
}
