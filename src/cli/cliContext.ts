/** One run of a verb: its output, its settings, and the app it opens (once) and closes. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TimelineApp } from '../app/timelineApp.ts';
import { UserError } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import type { CliHost } from './cliHost.ts';
import { Output } from './output.ts';

/** The options that every verb takes. */
export interface Settings {
  readonly root?: string;
  readonly session?: string;
  readonly json: boolean;
  readonly verbose: boolean;
}

export interface Opened {
  readonly app: TimelineApp;
  readonly root: Root;
}

export class CliContext {
  readonly host: CliHost;
  readonly settings: Settings;
  readonly out: Output;
  #app: TimelineApp | undefined;

  constructor(host: CliHost, settings: Settings) {
    this.host = host;
    this.settings = settings;
    this.out = new Output(host, settings.json);
  }

  /** The folder of `--root`, absolute. @throws UserError `usage` when it is not a folder. */
  get folder(): string {
    const folder = resolve(this.host.cwd, this.settings.root ?? '.');
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
      throw new UserError('usage', `${folder} is not a folder. Name one with --root.`, {
        root: folder,
      });
    return folder;
  }

  /** Opens the stores, takes in what hooks have left, and waits for commits that are due. */
  async open(): Promise<Opened> {
    const { folder } = this;
    this.#app ??= await this.host.openApp({
      home: this.host.home,
      userHome: this.host.userHome,
      environment: this.host.environment,
      now: this.host.now,
      log: (level, text) => {
        if (this.settings.verbose) this.out.note(`${level}: ${text}`);
      },
    });
    this.#app.ingest();
    await this.#app.idle();
    return { app: this.#app, root: this.#app.rootOf(folder) };
  }

  dispose(): void {
    this.#app?.dispose();
    this.#app = undefined;
  }
}
