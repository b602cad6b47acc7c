/**
 * The engine's worker threads: started at the first request, kept until `close`. A request goes to whichever is free. A
 * worker that dies fails its request; the engine then does the work itself.
 */
import { Worker } from 'node:worker_threads';
import type { Op, Reply, ReplyOf, RequestOf } from './workerMessages.ts';

/** Stat data is short-lived rubbish: room for it saves a quarter of the time. */
const youngMegabytes = 64;

/** A thread failed; the same work can still be done without threads. */
export class WorkerFailure extends Error {
  override readonly name = 'WorkerFailure';
}

export class WorkerPool {
  /** False once a thread failed: then everything is done without. */
  isUsable = true;
  readonly #file: string | URL;
  readonly #size: number;
  readonly #workers: Worker[] = [];

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
    while (this.#workers.length < this.#size) {
      const worker = new Worker(this.#file, {
        resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes },
      });
      worker.unref();
      this.#workers.push(worker);
    }
  }

  /** The same request to each worker. @throws Error when one fails. */
  async broadcast<O extends Op>(request: RequestOf<O>): Promise<readonly ReplyOf<O>[]> {
    this.#start();
    return Promise.all(this.#workers.map((worker) => ask<O>(worker, request)));
  }

  /** Each request to one worker; as many at once as there are workers. @throws Error when one fails. */
  async run<O extends Op>(
    requests: readonly RequestOf<O>[],
    onReply: (reply: ReplyOf<O>) => void = () => undefined,
  ): Promise<readonly ReplyOf<O>[]> {
    this.#start();
    const replies: ReplyOf<O>[] = [];
    let next = 0;
    await Promise.all(
      this.#workers.map(async (worker) => {
        for (let i = next++; i < requests.length; i = next++) {
          const request = requests[i];
          if (request === undefined) continue;
          const reply = await ask<O>(worker, request);
          replies[i] = reply;
          onReply(reply);
        }
      }),
    );
    return replies;
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.splice(0).map((worker) => worker.terminate()));
  }
}

function ask<O extends Op>(worker: Worker, request: RequestOf<O>): Promise<ReplyOf<O>> {
  worker.ref();
  return new Promise((resolve, reject) => {
    const done = () => {
      worker.off('message', onMessage);
      worker.off('error', onError);
      worker.off('exit', onExit);
      worker.unref();
    };
    const onMessage = (reply: Reply) => {
      done();
      if (isOf<O>(reply, request.op)) resolve(reply);
      else reject(new WorkerFailure(reply.op === 'failed' ? reply.message : `not ${request.op}`));
    };
    const onError = (error: Error) => {
      done();
      reject(new WorkerFailure(error.message, { cause: error }));
    };
    const onExit = () => onError(new Error('A worker thread ended.'));
    worker.on('message', onMessage);
    worker.on('error', onError);
    worker.on('exit', onExit);
    worker.postMessage(request);
  });
}

function isOf<O extends Op>(reply: Reply, op: Op): reply is ReplyOf<O> {
  return reply.op === op;
}
