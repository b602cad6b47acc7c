/** Runs a task when asked to, but not so often that nothing else gets its turn: after a long run the next one waits. */

export interface PacedOptions {
  /** Milliseconds, rising. */
  readonly now: () => number;
  readonly setTimer: (run: () => void, milliseconds: number) => { cancel(): void };
}

/** Rest after a run, in times of how long it took; then it takes at most a fifth of the time. */
const rest = 4;
/** Milliseconds: what has changed is shown within a second. */
const longestRest = 800;

export class Paced {
  readonly #task: () => void;
  readonly #options: PacedOptions;
  #restsUntil = 0;
  #timer: { cancel(): void } | undefined;

  constructor(task: () => void, options: PacedOptions) {
    this.#task = task;
    this.#options = options;
  }

  /** Runs it now, or once when it has rested. @throws what the task throws, if it runs now. */
  ask(): void {
    if (this.#timer !== undefined) return;
    const wait = this.#restsUntil - this.#options.now();
    if (wait <= 0) this.#run();
    else {
      this.#timer = this.#options.setTimer(() => {
        this.#timer = undefined;
        this.#run();
      }, wait);
    }
  }

  dispose(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #run(): void {
    const { now } = this.#options;
    const started = now();
    try {
      this.#task();
    } finally {
      const ended = now();
      this.#restsUntil = ended + Math.min(longestRest, rest * (ended - started));
    }
  }
}
