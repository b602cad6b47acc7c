/**
 * Drives the store as agents and people do: turns through the real hook, one process an event; rewinds through the
 * app. Owns one temporary folder with the project, the home store and the hook.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';
import { parsePayload } from '../../src/agents/parsePayload.ts';
import { openTimelineApp, type TimelineAppOptions } from '../../src/app/openTimelineApp.ts';
import { recordEvent } from '../../src/app/recordEvent.ts';
import { openSnapshots, type Snapshots, type SnapshotsOptions } from '../../src/app/snapshots.ts';
import type { RewindOptions, TimelineApp } from '../../src/app/timelineApp.ts';
import { asSessionId, type Root } from '../../src/core/ids.ts';
import type { OperationReport, TurnSummary } from '../../src/core/timeline.ts';
import type { SnapshotLimits } from '../../src/snapshot/snapshotTypes.ts';
import {
  type AgentName,
  agentShapes,
  type CallFacts,
  type Payload,
  withFacts,
} from './storeAgents.ts';
import { type Tree, treeOf } from './storeTree.ts';

const project = path.join(import.meta.dirname, '..', '..');

export interface DriverOptions {
  /** Files at the start, by name. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** A git repository with the files committed. */
  readonly git?: boolean;
  /** Events go to the recorder in this process: for loops of hundreds. */
  readonly inProcess?: boolean;
  /** In this process: whether there are snapshots, or what takes them. Default true. */
  readonly snapshots?: boolean | ((options: SnapshotsOptions) => Snapshots);
  /** Of snapshots in this process. */
  readonly limits?: SnapshotLimits;
}

export interface HookResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What the agent's tool does to the file: new bytes, or any act. */
export type Change = string | Uint8Array | ((file: string) => void);

export class StoreDriver implements Disposable {
  readonly folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-store-')));
  readonly root = path.join(this.folder, 'project') as Root;
  readonly home = path.join(this.folder, 'store');
  readonly log: string[] = [];
  readonly inProcess: boolean;
  readonly snapshots: DriverOptions['snapshots'];
  readonly #limits: SnapshotLimits;
  #main: AgentSession | undefined;

  constructor(options: DriverOptions = {}) {
    this.inProcess = options.inProcess ?? false;
    this.snapshots = options.snapshots ?? true;
    this.#limits = options.limits ?? {};
    fs.mkdirSync(this.root);
    for (const [name, content] of Object.entries(options.files ?? {})) this.put(name, content);
    if (options.git) {
      this.git('init', '-q', '-b', 'main');
      this.git('add', '-A');
      this.git('commit', '-q', '--allow-empty', '-m', 'start');
    }
  }

  [Symbol.dispose](): void {
    unlock(this.folder);
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  get environment(): NodeJS.ProcessEnv {
    const { PATH } = process.env;
    return { PATH, HOME: this.folder, USERPROFILE: this.folder, MEMCODE_TIMELINE_HOME: this.home };
  }

  /** The session that the short verbs mean. */
  get main(): AgentSession {
    this.#main ??= this.session('session-1');
    return this.#main;
  }

  session(id: string, agent: AgentName = 'claude', cwd: string = this.root): AgentSession {
    return new AgentSession(this, id, agent, cwd);
  }

  turn(work: (session: AgentSession) => unknown, prompt?: string): Promise<void> {
    return this.main.turn(work, prompt);
  }

  path(name: string): string {
    return path.join(this.root, name);
  }

  read(name: string): string | undefined {
    const file = this.path(name);
    return fs.lstatSync(path.dirname(file), { throwIfNoEntry: false })?.isDirectory() &&
      fs.lstatSync(file, { throwIfNoEntry: false })
      ? fs.readFileSync(file, 'latin1')
      : undefined;
  }

  /** A person saves a file. */
  put(name: string, content: string | Uint8Array, mode?: number): void {
    fs.mkdirSync(path.dirname(this.path(name)), { recursive: true });
    fs.writeFileSync(this.path(name), content);
    if (mode !== undefined) fs.chmodSync(this.path(name), mode);
  }

  tree(): Tree {
    return treeOf(this.root);
  }

  git(...args: string[]): string {
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org'];
    return execFileSync('git', [...identity, ...args], {
      cwd: this.root,
      encoding: 'utf8',
      env: { ...this.environment, GIT_CONFIG_GLOBAL: os.devNull, GIT_CONFIG_NOSYSTEM: '1' },
    });
  }

  /** Below `.memcode/checkpoints/<session>`. */
  stored(...names: readonly string[]): string {
    return path.join(this.root, '.memcode', 'checkpoints', 'session-1', ...names);
  }

  manifest(seq: number, session = 'session-1'): { files: Record<string, unknown>[] } & Payload {
    const file = path.join(
      this.root,
      '.memcode/checkpoints',
      session,
      String(seq),
      'manifest.json',
    );
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  }

  hookLog(): string {
    const file = path.join(this.home, 'hook.log');
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  }

  /** One hook process. @param input the payload, or raw bytes. */
  hook(
    input: Payload | string | Uint8Array,
    { agent = 'claude', env = {}, cwd = this.root as string, nodeOptions = [] as string[] } = {},
  ): HookResult {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [...nodeOptions, hookFile(), 'hook', agent],
      { cwd, env: { ...this.environment, ...env }, input: bytesOf(input), encoding: 'utf8' },
    );
    return { status, stdout, stderr };
  }

  /** Started at once, for several at a time. */
  hookInBackground(payload: Payload, agent = 'claude'): Promise<HookResult> {
    const child = spawn(process.execPath, [hookFile(), 'hook', agent], {
      cwd: this.root,
      env: this.environment,
    });
    const result = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => {
      result.stdout += String(chunk);
    });
    child.stderr.on('data', (chunk) => {
      result.stderr += String(chunk);
    });
    child.stdin.end(JSON.stringify(payload));
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (status) => resolve({ status, ...result }));
    });
  }

  /** The event of a payload, recorded in this process. */
  async record(payload: Payload, agent: string): Promise<void> {
    const parsed = parsePayload(payload, { agent });
    if ('ignored' in parsed) throw new Error(parsed.ignored);
    await recordEvent(
      {
        home: this.home,
        userHome: this.folder,
        cwd: this.root,
        now: Date.now,
        log: (text) => this.log.push(text),
        ...(this.snapshots && { snapshots: this.openSnapshots }),
      },
      parsed.event,
    );
  }

  readonly openSnapshots = async (root: Root): Promise<Snapshots> => {
    const open = typeof this.snapshots === 'function' ? this.snapshots : openSnapshots;
    return open({
      home: this.home,
      root,
      now: Date.now,
      log: (level, text) => this.log.push(`${level}: ${text}`),
      environment: this.environment,
      userHome: path.join(this.folder, 'user'),
      limits: this.#limits,
    });
  };

  open(options: Partial<TimelineAppOptions> = {}): TimelineApp {
    return openTimelineApp({
      home: this.home,
      now: Date.now,
      log: (level, text) => this.log.push(`${level}: ${text}`),
      environment: this.environment,
      userHome: this.folder,
      ...options,
    });
  }

  /** Opens the timeline, takes in what hooks left, and closes it again: a restart between any two acts. */
  async with<T>(
    work: (app: TimelineApp) => T | Promise<T>,
    options: Partial<TimelineAppOptions> = {},
  ): Promise<T> {
    const app = this.open(options);
    try {
      app.ingest();
      return await work(app);
    } finally {
      app.dispose();
    }
  }

  turns(session = 'session-1'): Promise<readonly TurnSummary[]> {
    return this.with((app) => app.turns(asSessionId(session)));
  }

  /** Files back to before turn `number`. */
  rewind(
    number: number,
    options: RewindOptions & {
      readonly session?: string;
      readonly probe?: (at: string) => void;
    } = {},
  ): Promise<OperationReport> {
    const { session = 'session-1', probe, ...choices } = options;
    return this.with(
      (app) => app.rewind(turnNumbered(app, session, number).id, choices),
      probe ? { probe } : {},
    );
  }

  /** Takes the newest rewind back. */
  redo(
    options: RewindOptions & {
      readonly session?: string;
      readonly probe?: (at: string) => void;
    } = {},
  ): Promise<OperationReport> {
    const { session = 'session-1', probe, ...choices } = options;
    return this.with(
      (app) => {
        const operation = app.redoable(this.root, asSessionId(session));
        if (!operation) throw new Error('nothing to redo');
        return app.redo(operation.id, choices);
      },
      probe ? { probe } : {},
    );
  }

  /** Texts of what the doctor calls a problem. */
  async problems(): Promise<readonly string[]> {
    const findings = await this.with((app) => app.doctor(this.root));
    return findings.filter((f) => f.severity === 'problem').map((f) => f.text);
  }
}

/** The turn people see under this number. */
export function turnNumbered(app: TimelineApp, session: string, number: number): TurnSummary {
  const turn = app.turns(asSessionId(session)).findLast((t) => t.number === number);
  if (!turn) throw new Error(`no turn ${number} in ${session}`);
  return turn;
}

/** Path -> result, of a report. */
export function resultsOf(report: OperationReport): Readonly<Record<string, string>> {
  return Object.fromEntries(report.paths.map(({ path: name, result }) => [name, result]));
}

/** One conversation with one agent. */
export class AgentSession {
  readonly id: string;
  readonly agent: AgentName;
  cwd: string;
  readonly #driver: StoreDriver;
  #prompts = 0;
  #calls = 0;

  constructor(driver: StoreDriver, id: string, agent: AgentName, cwd: string) {
    this.#driver = driver;
    this.id = id;
    this.agent = agent;
    this.cwd = cwd;
  }

  /** One turn: prompt, `work`, stop. */
  async turn(
    work: (session: AgentSession) => unknown,
    prompt = `Prompt ${this.#prompts + 1}`,
  ): Promise<void> {
    await this.prompt(prompt);
    await work(this);
    await this.stop();
  }

  start(): Promise<string> {
    return this.send(agentShapes[this.agent].start);
  }

  prompt(text = 'A prompt'): Promise<string> {
    this.#prompts++;
    return this.send(agentShapes[this.agent].prompt(text));
  }

  /** The edit tool writes: announced, done, told. Missing folders are made, as agents do. */
  async edit(name: string, change: Change): Promise<void> {
    this.#calls++;
    await this.before(name);
    this.apply(name, change);
    await this.after(name);
  }

  apply(name: string, change: Change): void {
    const file = path.resolve(this.cwd, name);
    if (typeof change === 'function') change(file);
    else {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, change);
    }
  }

  before(name: string): Promise<string> {
    return this.send(agentShapes[this.agent].write('before', this.#named(name)));
  }

  after(name: string): Promise<string> {
    return this.send(agentShapes[this.agent].write('after', this.#named(name)));
  }

  async shell(command: string): Promise<void> {
    this.#calls++;
    await this.send(agentShapes[this.agent].shell('before', command));
    spawnSync('sh', ['-c', command], { cwd: this.cwd });
    await this.send(agentShapes[this.agent].shell('after', command));
  }

  stop(): Promise<string> {
    return this.send(agentShapes[this.agent].stop);
  }

  end(): Promise<string> {
    return this.send(agentShapes[this.agent].end);
  }

  /** The payload with this session's facts. */
  payload(body: Payload, facts: Partial<CallFacts> = {}): Payload {
    return withFacts(this.agent, body, {
      session: this.id,
      cwd: this.cwd,
      promptId: `prompt-${this.#prompts}`,
      callId: `call-${this.#calls}`,
      ...facts,
    });
  }

  /** One event. @returns what the hook printed. @throws when that is no JSON object, or it does not end with 0. */
  async send(body: Payload, facts: Partial<CallFacts> = {}): Promise<string> {
    const payload = this.payload(body, facts);
    if (this.#driver.inProcess) {
      await this.#driver.record(payload, this.agent);
      return '';
    }
    const result = this.#driver.hook(payload, { agent: this.agent });
    const isQuiet = result.stdout === '' || typeof JSON.parse(result.stdout) === 'object';
    if (result.status !== 0 || !isQuiet || result.stderr !== '')
      throw new Error(`the hook failed: ${JSON.stringify(result)}`);
    return result.stdout;
  }

  #named(name: string): string {
    return this.agent === 'codex' ? name : path.resolve(this.cwd, name);
  }
}

const built = new Map<string, string>();

/** A program as one file, built once a process: starts in a fraction of the time that the sources take. */
function bundle(source: string, options: BuildOptions = {}): string {
  const known = built.get(source);
  if (known !== undefined) return known;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-built-'));
  const outfile = path.join(folder, `${path.basename(source, '.ts')}.cjs`);
  buildSync({
    entryPoints: [path.join(project, source)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
    ...options,
  });
  process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  built.set(source, outfile);
  return outfile;
}

/** The hook as it is shipped, with the program for snapshots beside it. */
export function hookFile(): string {
  const builtin = (name: string) => path.join(project, 'src', 'cli', 'builtin', `${name}.ts`);
  const hook = bundle('src/cli/hookMain.ts', {
    target: 'node20',
    minify: true,
    alias: Object.fromEntries(['fs', 'os', 'path'].map((name) => [`node:${name}`, builtin(name)])),
  });
  for (const name of ['snapshots', 'memory'])
    bundle(`src/cli/${name}Main.ts`, { outfile: path.join(path.dirname(hook), `${name}.cjs`) });
  return hook;
}

/** A program of `test/helpers`. */
export function helperProgram(name: string): string {
  return bundle(`test/helpers/${name}.ts`);
}

function bytesOf(input: Payload | string | Uint8Array): string | Uint8Array {
  return typeof input === 'string' || input instanceof Uint8Array ? input : JSON.stringify(input);
}

/** Tests take permissions away from folders; removing them needs them back. */
function unlock(folder: string): void {
  fs.chmodSync(folder, 0o700);
  for (const entry of fs.readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) unlock(path.join(folder, entry.name));
}
