/**
 * What an agent waits for before an edit: `memcode-timeline hook`, from spawn to exit, against a bare `node -e 0` of the
 * same runtime. The turn is open and the file has no pre-image in it yet, so each call saves one.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { launcherFile, writeLauncher } from '../../../src/app/launcher.ts';
import { logFile } from '../../../src/base/home.ts';
import { readSession } from '../../../src/checkpoint/readSession.ts';
import { asSessionId, type Root } from '../../../src/core/ids.ts';
import { projectFolder } from '../../tools/paths.ts';
import type { Bar } from '../bar.ts';
import { inBenchFolder } from '../benchFolder.ts';
import { interleave, median, spread, timed } from '../interleave.ts';

const rounds = 120;
const fileSize = 10 * 1024;
/** Files an agent edits before the next prompt. */
const editsPerTurn = 8;

export function hookProcess(): Promise<Bar> {
  return inBenchFolder(measure);
}

async function measure(folder: string): Promise<Bar> {
  const agent = new Agent(folder);
  const times = await interleave(rounds, {
    bare: () => agent.run([process.execPath, '-e', '0'], agent.nextEdit()),
    launcher: () => agent.save([agent.launcher, 'hook', 'claude']),
    bundle: () => agent.save([process.execPath, agent.hookBundle, 'hook', 'claude']),
  });
  agent.checkSaved(2 * (rounds + 2));
  const bare = median(times.bare);
  const direct = median(times.bundle) / bare;
  return {
    name: 'hook.process',
    measured: median(times.launcher) / bare,
    limit: 1.5,
    notes: [
      spread('node -e 0', times.bare),
      spread('launcher', times.launcher),
      spread('hook.cjs without the launcher', times.bundle),
      `without the launcher the ratio is ${direct.toFixed(3)}`,
    ],
  };
}

/** Claude Code in a project, as far as our hook can tell. */
class Agent {
  readonly root: Root;
  readonly home: string;
  readonly launcher: string;
  readonly hookBundle = path.join(projectFolder, 'dist', 'hook.cjs');
  readonly #session = asSessionId('5f0c1c52-5b0c-4d0e-9a4e-0b7e6f1a2c3d');
  readonly #saved = new Map<string, string>();
  readonly #folder: string;
  #calls = 0;
  #turns = 0;

  constructor(folder: string) {
    this.#folder = folder;
    this.root = path.join(folder, 'project') as Root;
    this.home = path.join(folder, 'home');
    this.launcher = launcherFile(this.home, process.platform);
    fs.mkdirSync(path.join(this.root, '.git'), { recursive: true });
    writeLauncher({
      home: this.home,
      hookBundle: this.hookBundle,
      cliBundle: path.join(projectFolder, 'dist', 'cli.cjs'),
      node: { path: process.execPath, version: process.versions.node },
      electron: null,
      platform: process.platform,
    });
  }

  /** Announces an edit of a new file, makes it, and returns how long the hook took. */
  save(command: readonly string[]): number {
    const payload = this.nextEdit();
    const file = this.#lastFile();
    this.#saved.set(path.basename(file), fs.readFileSync(file, 'latin1'));
    const took = this.run(command, payload);
    fs.appendFileSync(file, 'changed\n');
    return took;
  }

  /** Makes a file and the payload that comes before an edit of it; now and then a new turn begins. */
  nextEdit(): string {
    if (this.#calls % editsPerTurn === 0) this.#prompt();
    this.#calls++;
    fs.writeFileSync(this.#lastFile(), `${this.#calls}\n`.repeat(fileSize).slice(0, fileSize));
    return this.#payload('PreToolUse', {
      tool_name: 'Edit',
      tool_input: {
        file_path: this.#lastFile(),
        old_string: `${this.#calls}\n`,
        new_string: 'changed\n',
        replace_all: false,
      },
      tool_use_id: `toolu_${this.#calls}`,
    });
  }

  run([program = '', ...args]: readonly string[], input: string): number {
    const options = {
      cwd: this.root,
      env: { PATH: process.env['PATH'], HOME: this.#folder, MEMCODE_TIMELINE_HOME: this.home },
      input,
      shell: process.platform === 'win32',
    };
    let result: ReturnType<typeof spawnSync> | undefined;
    const took = timed(() => {
      result = spawnSync(program, args, options);
    });
    assert.equal(result?.status, 0, String(result?.stderr ?? result?.error));
    assert.equal(String(result?.stdout), '');
    return took;
  }

  /** Every pre-image has its row and its bytes, and nothing was logged. */
  checkSaved(count: number): void {
    assert.equal(this.#saved.size, count);
    const { checkpoints, damaged } = readSession(this.root, this.#session);
    assert.deepEqual(damaged, []);
    for (const { place, manifest } of checkpoints)
      for (const { path: key, before } of manifest.files) {
        assert.equal(before.kind === 'file' && before.size, fileSize);
        assert.equal(
          fs.readFileSync(path.join(place, 'files', key), 'latin1'),
          this.#saved.get(key),
        );
        this.#saved.delete(key);
      }
    assert.deepEqual([...this.#saved.keys()], []);
    assert.ok(!fs.existsSync(logFile(this.home)), 'the hook has logged something');
  }

  #lastFile(): string {
    return path.join(this.root, `file-${this.#calls}.txt`);
  }

  #prompt(): void {
    this.#turns++;
    const prompt = this.#payload('UserPromptSubmit', { prompt: `Do number ${this.#turns}.` });
    this.run([process.execPath, this.hookBundle, 'hook', 'claude'], prompt);
  }

  #payload(event: string, more: Readonly<Record<string, unknown>>): string {
    return JSON.stringify({
      session_id: this.#session,
      transcript_path: `${this.#folder}/.claude/projects/-project/${this.#session}.jsonl`,
      cwd: this.root,
      prompt_id: `prompt-${this.#turns}`,
      permission_mode: 'default',
      hook_event_name: event,
      ...more,
    });
  }
}
