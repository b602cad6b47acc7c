/**
 * The engine's worker threads: started at the first request, kept until `close`. A request goes to whichever is free. A
 * worker that dies fails its request; the engine then does the work itself.
 */
import { Worker } from 'node:worker_threads';
import type { Op, Reply, ReplyOf, RequestOf } from './workerMessages.ts';

/** Stat data is short-lived rubbish: room for it saves a quarter of the time. */
const youngMegabytes = 64;

/** Requests with a worker at a time: it has something to do while its last answer is taken in. */
const ahead = 2;

/** A thread failed; the same work can still be done without threads. */
export class WorkerFailure extends Error {
  override readonly name = 'WorkerFailure';
}

export class WorkerPool {
  /** False once a thread failed: then everything is done without. */
  isUsable = true;
  readonly #file: string | URL;
  readonly #size: number;
  readonly #lanes: Lane[] = [];

  constructor(file: string | URL, size = 2) {
    this.#file = file;
    this.#size = size;
  }

  get size(): number {
    return this.#size;
  }

  /** Starts the threads and waits until they answer. */
  async warmUp(): Promise<void> {
    await this.broadcast({ op: 'ping' });
  }

  #start(): void {
    while (this.#lanes.length < this.#size) this.#lanes.push(new Lane(this.#file));
  }

  /** The same request to each worker. @throws Error when one fails. */
  async broadcast<O extends Op>(request: RequestOf<O>): Promise<readonly ReplyOf<O>[]> {
    this.#start();
    return Promise.all(this.#lanes.map((lane) => lane.ask<O>(request)));
  }

  /** Each request to one worker; as many at once as there are workers. @throws Error when one fails. */
  async run<O extends Op>(
    requests: readonly RequestOf<O>[],
    onReply: (reply: ReplyOf<O>) => void = () => undefined,
  ): Promise<readonly ReplyOf<O>[]> {
    this.#start();
    const replies: ReplyOf<O>[] = [];
    let next = 0;
    const queues = this.#lanes.map((lane) => ({ lane, sent: [] as Sent<O>[] }));
    const sendTo = ({ lane, sent }: (typeof queues)[number]) => {
      const index = next++;
      const request = requests[index];
      if (request === undefined) return;
      const reply = lane.ask<O>(request);
      // Whoever waits for it hears of it; it may come before that.
      reply.catch(() => undefined);
      sent.push({ index, reply });
    };
    for (let i = 0; i < ahead; i++) queues.forEach(sendTo);
    await Promise.all(
      queues.map(async (queue) => {
        for (let one = queue.sent.shift(); one; one = queue.sent.shift()) {
          const reply = await one.reply;
          sendTo(queue);
          replies[one.index] = reply;
          onReply(reply);
        }
      }),
    );
    return replies;
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.splice(0).map((lane) => lane.end()));
  }
}

interface Sent<O extends Op> {
  readonly index: number;
  readonly reply: Promise<ReplyOf<O>>;
}

interface Waiting {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
}

/** One worker, which answers in the order it is asked. Keeps the process alive only while somebody waits. */
class Lane {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #failure: WorkerFailure | undefined;

  constructor(file: string | URL) {
    this.#worker = new Worker(file, {
      resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes },
    });
    this.#worker.unref();
    this.#worker.on('message', (reply: Reply) => this.#onReply(reply));
    this.#worker.on('error', (error) =>
      this.#fail(new WorkerFailure(error.message, { cause: error })),
    );
    this.#worker.on('exit', () => this.#fail(new WorkerFailure('A worker thread ended.')));
  }

  ask<O extends Op>(request: RequestOf<O>): Promise<ReplyOf<O>> {
    return new Promise((resolve, reject) => {
      if (this.#failure) {
        reject(this.#failure);
        return;
      }
      this.#waiting.push({
        resolve: (reply) =>
          isOf<O>(reply, request.op)
            ? resolve(reply)
            : reject(
                new WorkerFailure(reply.op === 'failed' ? reply.message : `not ${request.op}`),
              ),
        reject,
      });
      this.#worker.ref();
      this.#worker.postMessage(request);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #onReply(reply: Reply): void {
    const first = this.#waiting.shift();
    if (this.#waiting.length === 0) this.#worker.unref();
    first?.resolve(reply);
  }

  #fail(failure: WorkerFailure): void {
    this.#failure ??= failure;
    this.#worker.unref();
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}

function isOf<O extends Op>(reply: Reply, op: Op): reply is ReplyOf<O> {
  return reply.op === op;
}
