/**
 * The helper's end: one process a root listens at an address of its own, takes its place by compare-and-swap of the record,
 * answers who knows the token, and ends when nobody asked for a while, when a newer version wants its place, or when its
 * place is gone. Knows nothing of what it is asked: that is a table of operations.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import type { Root } from '../../core/ids.ts';
import { connectHelper } from './connectHelper.ts';
import { freshAddress } from './helperAddress.ts';
import { type HelperRecord, publishRecord, readRecord, withdrawRecord } from './helperRecord.ts';
import { readJsonLines, sendJson } from './jsonLines.ts';
import { protocol } from './messages.ts';
import { isNewer } from './newerVersion.ts';
import { toPlainError } from './plainError.ts';
import { clientWait, closeDoor, openDoor } from './shellClient.ts';
import { readTextRequest, type TextRequest } from './textRequest.ts';

export interface Asked {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/** What the helper can be asked, by name. Arguments are from another process of the same user and version. */
export type Operations = Readonly<
  Record<string, (args: readonly unknown[], asked: Asked) => Promise<unknown>>
>;

export interface HelperServerOptions {
  readonly home: string;
  readonly root: Root;
  readonly version: string;
  readonly temporaryFolder: string;
  readonly platform: NodeJS.Platform;
  /** Milliseconds without a request after which the helper ends. */
  readonly idleAfter: number;
  readonly operations: Operations;
  /** Answers clients that are no programs of ours: hooks by way of the shell. @returns what they print */
  readonly onText?: (request: TextRequest) => Promise<string>;
  /** Milliseconds between the signs of life that such a client gets meanwhile. Default 1000. */
  readonly beat?: number;
  readonly log: (level: 'info' | 'warn' | 'error', text: string) => void;
}

/** Milliseconds; a client says at once who it is. */
const greetWithin = 5000;

export class HelperServer {
  /** Settled when the helper has given up its place and nothing runs any more. */
  readonly ended: Promise<void>;
  readonly #options: HelperServerOptions;
  readonly #record: HelperRecord;
  readonly #server: net.Server;
  readonly #sockets = new Set<net.Socket>();
  readonly #running = new Set<Promise<unknown>>();
  #end: () => void = () => undefined;
  #isEnding = false;
  #lastUse = performance.now();
  #timer: NodeJS.Timeout | undefined;

  /** @returns undefined when another helper has the place already. @throws the system error. */
  static async start(options: HelperServerOptions): Promise<HelperServer | undefined> {
    const { home, root, version } = options;
    for (;;) {
      const previous = readRecord(home, root);
      const other = await connectHelper({ home, root, version, wait: 5000 });
      if (other === 'tooNew') return undefined;
      if (other !== 'none') {
        other.close();
        return undefined;
      }
      const server = new HelperServer(options);
      await server.#listen();
      if (publishRecord(home, server.#record, previous)) {
        if (previous) forgetAddress(previous.address, options.platform);
        if (options.onText) openDoor(home, server.#record);
        server.#tick();
        return server;
      }
      server.#server.close();
    }
  }

  private constructor(options: HelperServerOptions) {
    this.#options = options;
    this.#record = {
      pid: process.pid,
      root: options.root,
      address: freshAddress(options),
      token: randomBytes(24).toString('hex'),
      version: options.version,
      protocol,
    };
    this.#server = net.createServer({ allowHalfOpen: true }, (socket) => this.#greet(socket));
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  get record(): HelperRecord {
    return this.#record;
  }

  /** Takes no more requests, lets those that run come to their end, and gives up the place. */
  async leave(why: string): Promise<void> {
    if (this.#isEnding) return this.ended;
    this.#isEnding = true;
    clearTimeout(this.#timer);
    this.#options.log('info', `The helper of ${this.#options.root} ends: ${why}.`);
    this.#server.close();
    await Promise.allSettled(this.#running);
    const { home, root } = this.#options;
    if (withdrawRecord(home, this.#record)) closeDoor(home, root);
    for (const socket of this.#sockets) socket.destroySoon();
    this.#end();
  }

  async #listen(): Promise<void> {
    const { address } = this.#record;
    const listening = new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.once('listening', resolve);
    });
    // The folder is its user's alone; the socket, which `listen` makes before it returns, besides.
    const mask = process.umask(0o177);
    try {
      this.#server.listen(address);
    } finally {
      process.umask(mask);
    }
    await listening;
    this.#server.on('error', (error) => void this.leave(`its socket failed (${error.message})`));
  }

  #greet(socket: net.Socket): void {
    if (this.#isEnding) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.setTimeout(greetWithin, () => socket.destroy());
    socket.once('close', () => this.#sockets.delete(socket));
    socket.once('readable', () => {
      const head: unknown = socket.read();
      if (!Buffer.isBuffer(head)) return;
      socket.unshift(head);
      if (head[0] === 0x7b) this.#talk(socket);
      else this.#answerText(socket);
    });
  }

  #talk(socket: net.Socket): void {
    const { log, version } = this.#options;
    const running = new Map<number, AbortController>();
    let isKnown = false;
    socket.once('end', () => socket.end());
    socket.once('close', () => {
      for (const stop of running.values()) stop.abort(new Error('Its client went away.'));
    });
    const hello = (value: object) => {
      const theirs = 'version' in value ? String(value.version) : '';
      if (!('hello' in value) || !isToken(String(value.hello), this.#record.token)) {
        log('warn', 'A client without the token was turned away.');
        socket.destroy();
        return;
      }
      isKnown = true;
      socket.setTimeout(0);
      const leaves =
        isNewer(theirs, version) || ('protocol' in value && Number(value.protocol) > protocol);
      sendJson(socket, { welcome: leaves ? 'leaving' : 'ready', version });
      if (leaves) void this.leave(`version ${theirs} takes its place`);
    };
    readJsonLines(
      socket,
      (value) => {
        if (typeof value !== 'object' || value === null) return;
        if (!isKnown) hello(value);
        else if ('cancel' in value) running.get(Number(value.cancel))?.abort(cancelled());
        else if ('id' in value && 'op' in value) this.#run(socket, running, value);
      },
      (why) => log('warn', `A client sent ${why}.`),
    );
  }

  #run(
    socket: net.Socket,
    running: Map<number, AbortController>,
    request: { readonly id: unknown; readonly op: unknown },
  ): void {
    const id = Number(request.id);
    const op = this.#options.operations[String(request.op)];
    const args: readonly unknown[] =
      'args' in request && Array.isArray(request.args) ? request.args : [];
    if (op === undefined) {
      sendJson(socket, {
        id,
        error: toPlainError(new Error(`The helper knows no ${request.op}.`)),
      });
      return;
    }
    const stop = new AbortController();
    running.set(id, stop);
    const onProgress = (done: number, total: number) =>
      sendJson(socket, { progress: id, done, total });
    this.#track(
      op(args, { signal: stop.signal, onProgress })
        .then(
          (value) => sendJson(socket, { id, value }),
          (error: unknown) => sendJson(socket, { id, error: toPlainError(error) }),
        )
        .finally(() => running.delete(id)),
    );
  }

  #answerText(socket: net.Socket): void {
    const { onText, log, beat = 1000 } = this.#options;
    const { token } = this.#record;
    readTextRequest(
      socket,
      (theirs) => isToken(theirs, token),
      (request) => {
        socket.setTimeout(0);
        if (request === undefined || onText === undefined || isStale(request)) {
          socket.destroy();
          return;
        }
        const beats =
          request.at === undefined ? undefined : setInterval(() => socket.write('.'), beat);
        this.#track(
          onText(request)
            .finally(() => clearInterval(beats))
            .then(
              // Without this word nothing was done: a helper that dies says nothing.
              (text) => void socket.end(`ok\n${text}`),
              (error: unknown) => {
                log('error', `A hook could not be answered: ${toPlainError(error).message}`);
                socket.destroy();
              },
            ),
        );
      },
    );
  }

  #track(work: Promise<unknown>): void {
    this.#running.add(work);
    void work.finally(() => {
      this.#running.delete(work);
      this.#lastUse = performance.now();
    });
  }

  /** One timer, which looks whether the idle time is over, and now and then whether the place is still ours. */
  #tick(): void {
    const { home, root, idleAfter } = this.#options;
    const rest = this.#lastUse + idleAfter - performance.now();
    if (this.#running.size === 0 && rest <= 0) {
      void this.leave('nobody needs it');
      return;
    }
    this.#timer = setTimeout(
      () => {
        if (readRecord(home, root)?.token === this.#record.token) this.#tick();
        else void this.leave('its place was taken or removed');
      },
      Math.min(lookAround, Math.max(rest, Math.min(idleAfter, 1000))),
    );
  }
}

/** Milliseconds: a helper of a folder that is gone does not stay for its whole idle time. */
const lookAround = 30_000;

function cancelled(): DOMException {
  return new DOMException('The request was cancelled.', 'AbortError');
}

function isToken(theirs: string, ours: string): boolean {
  const a = Buffer.from(theirs);
  const b = Buffer.from(ours);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Its sender has given up and done it itself: this process was stopped meanwhile, or too busy to listen. */
function isStale({ at }: TextRequest): boolean {
  return at !== undefined && Date.now() - at >= clientWait;
}

/** A helper that was killed leaves its socket. */
function forgetAddress(address: string, platform: NodeJS.Platform): void {
  if (platform !== 'win32') fs.rmSync(address, { force: true });
}
