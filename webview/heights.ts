/**
 * Where each turn lies in the list: heights by turn index, measured where a row was on screen, estimated elsewhere.
 * Index 0 is the oldest turn, which lies at the bottom. Pure arithmetic, no DOM.
 */
export class HeightModel {
  readonly #estimate: number;
  readonly #measured = new Map<number, number>();
  #total = 0;
  /** `#tops[p]` is the top of the p-th row from the top; one more entry than rows. Empty when out of date. */
  #tops: Float64Array = new Float64Array(0);

  /** @param estimate pixels of a row nobody has measured. */
  constructor(estimate: number) {
    this.#estimate = estimate;
  }

  get total(): number {
    return this.#total;
  }

  get fullHeight(): number {
    return this.#offsets()[this.#total] ?? 0;
  }

  /** The session has this many turns now; measured heights stay. */
  resize(total: number): void {
    if (total === this.#total) return;
    this.#total = total;
    this.#tops = new Float64Array(0);
  }

  /** Returns whether this changed anything. */
  measure(index: number, height: number): boolean {
    if (Math.abs(this.heightOf(index) - height) < 0.01) return false;
    this.#measured.set(index, height);
    this.#tops = new Float64Array(0);
    return true;
  }

  /** Forgets every measurement: another session, another width. */
  forget(): void {
    this.#measured.clear();
    this.#tops = new Float64Array(0);
  }

  heightOf(index: number): number {
    return this.#measured.get(index) ?? this.#estimate;
  }

  /** Pixels between the top of the list and the top of this row. */
  topOf(index: number): number {
    return this.#offsets()[this.#total - 1 - index] ?? 0;
  }

  /** The row at this many pixels from the top; the nearest one beyond the ends; -1 when there is none. */
  indexAt(y: number): number {
    const tops = this.#offsets();
    let low = 0;
    let high = this.#total - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((tops[middle] ?? 0) <= y) low = middle;
      else high = middle - 1;
    }
    return this.#total - 1 - low;
  }

  #offsets(): Float64Array {
    if (this.#tops.length === this.#total + 1) return this.#tops;
    const tops = new Float64Array(this.#total + 1);
    for (let place = 0; place < this.#total; place++) {
      tops[place + 1] = (tops[place] ?? 0) + this.heightOf(this.#total - 1 - place);
    }
    this.#tops = tops;
    return tops;
  }
}
