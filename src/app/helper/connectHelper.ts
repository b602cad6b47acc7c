/**
 * A client's end of the connection to a root's helper. Small, since hooks load it: `node:fs` and `node:net` alone. Never
 * starts a helper, never does the work itself.
 */
import net from 'node:net';
import type { Root } from '../../core/ids.ts';
import { type HelperRecord, readRecord } from './helperRecord.ts';
import { readJsonLines, sendJson } from './jsonLines.ts';
import { type PlainError, protocol } from './messages.ts';
import { fromPlainError } from './plainError.ts';

/** The helper went away: whether it did what was asked is unknown. Ask another one, or do it without. */
export class HelperGone extends Error {
  override readonly name = 'HelperGone';
}

export interface ConnectOptions {
  readonly home: string;
  readonly root: Root;
  /** Of this product. */
  readonly version: string;
  /** Milliseconds for the helper to greet. Default 1000: a living one does so at once, unless it is just reading a tree. */
  readonly wait?: number;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** `none`: no helper lives; `tooNew`: one of a later protocol does. */
export type Connected = HelperConnection | 'none' | 'tooNew';

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: RequestOptions['onProgress'];
}

/** An older helper is told to leave, and has left when this says `none`. */
export async function connectHelper(options: ConnectOptions): Promise<Connected> {
  const record = readRecord(options.home, options.root);
  if (record === undefined) return 'none';
  if (record.protocol > protocol) return 'tooNew';
  return new Promise((resolve) => {
    const socket = net.connect(record.address);
    socket.setTimeout(options.wait ?? 1000, () => socket.destroy());
    const connection = new HelperConnection(socket, record, () => {
      socket.setTimeout(0);
      resolve(connection);
    });
    socket.on('error', () => undefined);
    // Not before: a helper that leaves has given up its place by then.
    socket.once('close', () => resolve('none'));
    sendJson(socket, { hello: record.token, protocol, version: options.version });
  });
}

export class HelperConnection {
  readonly record: HelperRecord;
  readonly #socket: net.Socket;
  readonly #pending = new Map<number, Pending>();
  readonly #onReady: () => void;
  #count = 0;
  #isReady = false;

  constructor(socket: net.Socket, record: HelperRecord, onReady: () => void) {
    this.#socket = socket;
    this.record = record;
    this.#onReady = onReady;
    readJsonLines(
      socket,
      (value) => this.#take(value),
      () => undefined,
    );
    socket.once('close', () => {
      for (const { reject } of this.#pending.values()) reject(new HelperGone('The helper left.'));
      this.#pending.clear();
    });
  }

  get isOpen(): boolean {
    return this.#isReady && !this.#socket.destroyed;
  }

  /**
   * @throws HelperGone; the signal's reason; whatever the helper threw (a `UserError` with its code, or an Error).
   */
  request(op: string, args: readonly unknown[], options: RequestOptions = {}): Promise<unknown> {
    const { signal, onProgress } = options;
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (!this.isOpen) return Promise.reject(new HelperGone('The helper left.'));
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        // Its reply still comes, so that the caller knows that nothing goes on.
        sendJson(this.#socket, { cancel: id });
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      const done = () => signal?.removeEventListener('abort', onAbort);
      this.#pending.set(id, {
        onProgress,
        resolve: (value) => {
          done();
          resolve(value);
        },
        reject: (error) => {
          done();
          reject(signal?.aborted ? signal.reason : error);
        },
      });
      this.#socket.ref();
      sendJson(this.#socket, { id, op, args });
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    if ('welcome' in value) {
      if (value.welcome !== 'ready') return;
      this.#isReady = true;
      this.#socket.unref();
      this.#onReady();
    } else if ('progress' in value) this.#takeProgress(value);
    else if ('id' in value) this.#settle(value);
  }

  #takeProgress(value: object): void {
    const { progress, done, total } = value as Readonly<Record<string, unknown>>;
    if (typeof done === 'number' && typeof total === 'number')
      this.#pending.get(Number(progress))?.onProgress?.(done, total);
  }

  #settle(value: { readonly id: unknown }): void {
    const id = Number(value.id);
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    // A connection that nobody waits for keeps no process alive.
    if (this.#pending.size === 0) this.#socket.unref();
    if ('error' in value) pending?.reject(fromPlainError(value.error as PlainError));
    else pending?.resolve('value' in value ? value.value : undefined);
  }
}
