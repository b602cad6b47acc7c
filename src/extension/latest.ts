/** Runs a task one at a time; asked for meanwhile, once more afterwards. */
export class Latest {
  readonly #task: () => Promise<void>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(task: () => Promise<void>) {
    this.#task = task;
  }

  /** Done when a run that began after this call is. Rejects as that run does. */
  ask(): Promise<void> {
    if (this.#running === undefined && this.#next === undefined) return this.#run();
    this.#next ??= this.#after();
    return this.#next;
  }

  async #after(): Promise<void> {
    // How the earlier run ended is told to who asked for it.
    await this.#running?.catch(() => undefined);
    this.#next = undefined;
    await this.#run();
  }

  async #run(): Promise<void> {
    const running = this.#task();
    this.#running = running;
    try {
      await running;
    } finally {
      if (this.#running === running) this.#running = undefined;
    }
  }
}
