/** A folder with an agent in it: its hooks go through the real bundle, one process an event, and the CLI runs beside it. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openTimelineApp } from '../../src/app/openTimelineApp.ts';
import { type CliResult, type CliSetup, cliRun } from '../helpers/cliRun.ts';

const repository = path.join(import.meta.dirname, '..', '..');
let built: { readonly cli: string; readonly hook: string } | undefined;

/** The CLI and the hook entry as `npm run build` makes them, once a test process. */
export function bundles(): { readonly cli: string; readonly hook: string } {
  if (built !== undefined) return built;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-bundles-'));
  process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  const manifest = JSON.parse(fs.readFileSync(path.join(repository, 'package.json'), 'utf8'));
  const esbuild = path.join(repository, 'node_modules', 'esbuild', 'bin', 'esbuild');
  for (const script of ['build:host', 'build:hook']) {
    // What another script builds comes before it.
    const command: string = manifest.scripts[script].split(' && ').at(-1);
    const words = command.split(' ').slice(1);
    const args = words.filter((word) => !/^(extension=|--outdir=)/.test(word));
    execFileSync(esbuild, [...args, `--outdir=${folder}`, '--log-level=error'], {
      cwd: repository,
    });
  }
  built = { cli: path.join(folder, 'cli.cjs'), hook: path.join(folder, 'hook.cjs') };
  return built;
}

export class CliSession implements Disposable {
  readonly folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-cli-')));
  readonly root = path.join(this.folder, 'project');
  readonly home = path.join(this.folder, 'store');
  readonly session: string;
  #call = 0;
  #prompt = 0;

  constructor(session = 'session-1') {
    this.session = session;
    fs.mkdirSync(this.root);
  }

  [Symbol.dispose](): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  /** Variables that a process of this machine and user would have. */
  get environment(): NodeJS.ProcessEnv {
    const { PATH } = process.env;
    return { PATH, HOME: this.folder, USERPROFILE: this.folder, MEMCODE_TIMELINE_HOME: this.home };
  }

  path(name: string): string {
    return path.join(this.root, name);
  }

  read(name: string): string | undefined {
    const file = this.path(name);
    return fs.existsSync(file) ? fs.readFileSync(file, 'latin1') : undefined;
  }

  /** As a person would, without any hook. */
  put(name: string, content: string | Uint8Array): void {
    fs.mkdirSync(path.dirname(this.path(name)), { recursive: true });
    fs.writeFileSync(this.path(name), content);
  }

  /** One turn of the agent: `work` calls `edit` for what its tools do. */
  turn(prompt: string, work: () => void): void {
    this.begin(prompt);
    work();
    this.#hook('Stop', { last_assistant_message: `Did: ${prompt}`, stop_hook_active: false });
  }

  begin(prompt: string): void {
    this.#prompt++;
    this.#hook('UserPromptSubmit', { prompt });
  }

  /** The agent's write tool announces `name`, `change` does what it does, then the tool reports back. */
  edit(name: string, change: string | ((file: string) => void)): void {
    const call = {
      tool_name: 'Write',
      tool_input: { file_path: this.path(name), content: '' },
      tool_use_id: `call-${++this.#call}`,
    };
    this.#hook('PreToolUse', call);
    if (typeof change === 'string') this.put(name, change);
    else change(this.path(name));
    this.#hook('PostToolUse', { ...call, tool_response: { filePath: this.path(name) } });
  }

  /** Runs the CLI in this process, on the real stores. */
  run(line: string, setup: CliSetup = {}): Promise<CliResult> {
    return cliRun(
      line.split(' ').filter((word) => word !== ''),
      {
        home: this.home,
        userHome: this.folder,
        environment: this.environment,
        cwd: this.root,
        now: Date.now,
        openApp: async (options) => openTimelineApp(options),
        ...setup,
      },
    );
  }

  /** Runs the CLI in a process of its own. */
  spawn(line: string, nodeOptions: readonly string[] = []): CliResult {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [...nodeOptions, bundles().cli, ...line.split(' ').filter((word) => word !== '')],
      { cwd: this.root, env: this.environment, encoding: 'utf8' },
    );
    return { status: status ?? -1, stdout, stderr };
  }

  #hook(event: string, body: Readonly<Record<string, unknown>>): void {
    const payload = {
      session_id: this.session,
      transcript_path: `${this.folder}/.claude/projects/-project/${this.session}.jsonl`,
      cwd: this.root,
      prompt_id: `prompt-${this.#prompt}`,
      hook_event_name: event,
      ...body,
    };
    execFileSync(process.execPath, [bundles().hook, 'hook', 'claude'], {
      cwd: this.root,
      env: this.environment,
      input: JSON.stringify(payload),
    });
  }
}
