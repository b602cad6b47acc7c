/** Work for the moments in which nobody asks: one timer after the last request, none otherwise. */

export interface Chore {
  /** Milliseconds that must lie between two runs. */
  readonly every: number;
  readonly run: (signal: AbortSignal) => Promise<unknown>;
}

export class IdleChores {
  readonly #chores: readonly Chore[];
  readonly #quiet: number;
  readonly #onError: (error: unknown) => void;
  readonly #lastRun = new Map<Chore, number>();
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #calls = 0;

  /** @param quiet milliseconds without a request before the chores begin */
  constructor(chores: readonly Chore[], quiet: number, onError: (error: unknown) => void) {
    this.#chores = chores;
    this.#quiet = quiet;
    this.#onError = onError;
  }

  /** Somebody asked for something: the chores wait until nobody does for a while. */
  poke(): void {
    this.#calls++;
    clearTimeout(this.#timer);
    if (this.#stop.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#running.then(() => this.#run());
    }, this.#quiet);
  }

  /** Waits for the one that runs. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#stop.abort(new Error('The helper ends.'));
    await this.#running;
  }

  async #run(): Promise<void> {
    const calls = this.#calls;
    for (const chore of this.#chores) {
      if (calls !== this.#calls || this.#stop.signal.aborted) return;
      const now = performance.now();
      if (now - (this.#lastRun.get(chore) ?? Number.NEGATIVE_INFINITY) < chore.every) continue;
      this.#lastRun.set(chore, now);
      try {
        await chore.run(this.#stop.signal);
      } catch (error) {
        if (!this.#stop.signal.aborted) this.#onError(error);
      }
    }
  }
}
