/**
 * Snapshots of a root by its helper process: connects to it, starts it when there is none, asks another one when it died
 * meanwhile, and does the work in this process when there is no helper to be had.
 */
import fs from 'node:fs';
import { makeFolder, temporaryName } from '../../base/atomicFile.ts';
import { isUserError, messageOf } from '../../core/errors.ts';
import type { HelperUse, Snapshots, SnapshotsOptions } from '../snapshots.ts';
import { lateError, snapshotsInProcess, withDeadline } from '../snapshotsInProcess.ts';
import {
  connectHelper,
  HelperConnection,
  HelperGone,
  type RequestOptions,
} from './connectHelper.ts';
import { startHelper } from './startHelper.ts';

export interface ByHelperOptions extends SnapshotsOptions {
  readonly helper: HelperUse;
}

/** Milliseconds for which a helper that could not be had is not tried again. */
const giveUpFor = 30_000;
const startPause = 10;
/** Milliseconds for what takes a helper an instant; then it is taken for hung, and somebody else is asked. */
const patience = 30_000;
/** These may take as long as they take. */
const longOps = new Set([
  'create',
  'restorePlan',
  'materialise',
  'archive',
  'unarchive',
  'maintain',
]);
/** Milliseconds beyond `within` for the helper to say itself that it is late. */
const answerGrace = 250;

export function snapshotsByHelper(options: ByHelperOptions): Snapshots {
  const helper = new HelperLink(options);
  const ask = async <T>(
    op: string,
    args: readonly unknown[],
    local: (snapshots: Snapshots) => Promise<T>,
    how: RequestOptions = {},
  ): Promise<T> => {
    const answer = await helper.ask(op, args, how);
    return answer === undefined ? local(helper.local()) : (answer.value as T);
  };
  /** To a name of its own first: a helper that dies half way leaves nothing under the wanted one. */
  const toNewPlace = async <T>(target: string, op: (place: string) => Promise<T>): Promise<T> => {
    if (fs.lstatSync(target, { throwIfNoEntry: false })) throw existsError(target);
    const place = temporaryName(target);
    try {
      const result = await op(place);
      fs.renameSync(place, target);
      return result;
    } finally {
      fs.rmSync(place, { recursive: true, force: true });
    }
  };
  return {
    create: (meta, when = {}) => {
      const { within, signal } = when;
      return withDeadline(
        {
          ...(signal && { signal }),
          ...(within !== undefined && { within: within + answerGrace }),
        },
        (stop) => {
          const { onProgress } = options;
          const how = { ...(stop && { signal: stop }), ...(onProgress && { onProgress }) };
          return ask('create', [meta, within], (local) => local.create(meta, when), how);
        },
      ).catch((error: unknown) => {
        throw within !== undefined && isUserError(error, 'late') ? lateError(within) : error;
      });
    },
    list: () => ask('list', [], (local) => local.list()),
    lookup: (prefix) => ask('lookup', [prefix], (local) => local.lookup(prefix)),
    diff: (before, after) => ask('diff', [before, after], (local) => local.diff(before, after)),
    stateAt: (id, at) => ask('stateAt', [id, at], (local) => local.stateAt(id, at)),
    plainStateAt: (id, at) => ask('plainStateAt', [id, at], (local) => local.plainStateAt(id, at)),
    async read(id, at) {
      const bytes = await ask<string | Uint8Array>('read', [id, at], (local) => local.read(id, at));
      return typeof bytes === 'string' ? Buffer.from(bytes, 'base64') : bytes;
    },
    copyTo: (id, at, file) =>
      toNewPlace(file, (place) =>
        ask('copyTo', [id, at, place], (local) => local.copyTo(id, at, place)),
      ),
    restorePlan: (id, { signal, ...how }) =>
      ask(
        'restorePlan',
        [id, how],
        (local) => local.restorePlan(id, { ...how, ...(signal && { signal }) }),
        signal && { signal },
      ),
    materialise: (steps, folder) =>
      ask('materialise', [steps, folder], (local) => local.materialise(steps, folder)),
    archive: (name, folder, held = []) =>
      ask('archive', [name, folder, held], (local) => local.archive(name, folder, held)),
    archives: () => ask('archives', [], (local) => local.archives()),
    unarchive: (name, folder) =>
      toNewPlace(folder, (place) =>
        ask('unarchive', [name, place], (local) => local.unarchive(name, place)),
      ),
    dropArchive: (name) => ask('dropArchive', [name], (local) => local.dropArchive(name)),
    settle: () => ask('settle', [], (local) => local.settle()),
    maintain: (how = {}) => ask('maintain', [how], (local) => local.maintain(how)),
    close: () => helper.close(),
  };
}

/** The connection, made when it is needed, and what takes its place. */
class HelperLink {
  readonly #options: ByHelperOptions;
  #connecting: Promise<HelperConnection | undefined> | undefined;
  #connection: HelperConnection | undefined;
  #local: Snapshots | undefined;
  #notBefore = 0;

  constructor(options: ByHelperOptions) {
    this.#options = options;
  }

  /** Undefined: no helper can be had. @throws what the helper threw, the signal's reason. */
  async ask(
    op: string,
    args: readonly unknown[],
    how: RequestOptions,
  ): Promise<{ readonly value: unknown } | undefined> {
    for (let attempt = 0; attempt < 2; attempt++) {
      const connection = await this.#connected();
      how.signal?.throwIfAborted();
      if (connection === undefined) return undefined;
      const hung = longOps.has(op) ? undefined : setTimeout(() => connection.close(), patience);
      try {
        return { value: await connection.request(op, args, how) };
      } catch (error) {
        if (!(error instanceof HelperGone)) throw error;
        this.#options.log('warn', `The helper went away during ${op}.`);
      } finally {
        clearTimeout(hung);
      }
    }
    return undefined;
  }

  local(): Snapshots {
    this.#local ??= snapshotsInProcess(this.#options);
    return this.#local;
  }

  async close(): Promise<void> {
    this.#connection?.close();
    await this.#local?.close();
  }

  #connected(): Promise<HelperConnection | undefined> {
    if (this.#connection?.isOpen) return Promise.resolve(this.#connection);
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #connect(): Promise<HelperConnection | undefined> {
    const { home, root, environment, log } = this.#options;
    const { version, program, startWithin = 3000 } = this.#options.helper;
    if (performance.now() < this.#notBefore) return undefined;
    const place = { home, root, version };
    let found = await connectHelper(place);
    if (found === 'none' && program) {
      makeFolder(home);
      let failure: Error | undefined;
      const isStarted = startHelper(program, place, environment, (error) => {
        failure = error;
      });
      const end = performance.now() + startWithin;
      while (isStarted && found === 'none' && failure === undefined && performance.now() < end) {
        await new Promise((resolve) => setTimeout(resolve, startPause));
        found = await connectHelper(place);
      }
      if (failure) log('warn', `The helper could not be started: ${messageOf(failure)}`);
    }
    if (found instanceof HelperConnection) {
      this.#connection = found;
      return found;
    }
    this.#notBefore = performance.now() + giveUpFor;
    log('info', `There is no helper for ${root}; this process takes the snapshots itself.`);
    return undefined;
  }
}

function existsError(target: string): Error {
  return Object.assign(new Error(`EEXIST: ${target} is there already`), { code: 'EEXIST' });
}
