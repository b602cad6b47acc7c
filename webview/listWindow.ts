/**
 * Which turns are rendered, and where the list is scrolled. The browser's own scroll anchoring is off: the row at the
 * top edge is the anchor, and keeps its place when rows above it arrive, change their height or are measured.
 */
import { HeightModel } from './heights.ts';
import type { Anchor } from './uiState.ts';
import type { Span } from './windowItems.ts';

/** Pixels of a collapsed row without marks; as in `timeline.css`. */
export const rowHeight = 44;

export class ListWindow {
  readonly heights = new HeightModel(rowHeight);
  readonly #scroller: HTMLElement;
  #anchor: Anchor | null = null;
  #width = 0;

  constructor(scroller: HTMLElement) {
    this.#scroller = scroller;
  }

  get anchor(): Anchor | null {
    return this.#anchor;
  }

  set anchor(anchor: Anchor | null) {
    this.#anchor = anchor;
  }

  /** The turns on screen. */
  get seen(): Span {
    return this.#between(this.#scrollTop, this.#scrollTop + this.#scroller.clientHeight);
  }

  /** The turns to render: those on screen and about a screen more on either side. */
  get span(): Span {
    const margin = Math.max(200, this.#scroller.clientHeight * 0.8);
    const bottom = this.#scrollTop + this.#scroller.clientHeight + margin;
    return this.#between(Math.max(0, this.#scrollTop - margin), bottom);
  }

  /** The user has scrolled: what is at the top edge now is the anchor. */
  noteScroll(): void {
    this.#anchorAt(this.#scroller.scrollTop);
  }

  /** Takes the heights of the rendered rows. Returns whether one differs from what was assumed. */
  measure(): boolean {
    let changed = false;
    for (const row of this.#scroller.querySelectorAll<HTMLElement>('.turn')) {
      const { height } = row.getBoundingClientRect();
      changed = this.heights.measure(Number(row.dataset['index']), height) || changed;
    }
    return changed;
  }

  /** Brings the real scroll position in line with the anchor. */
  hold(): void {
    if (Math.abs(this.#scroller.scrollTop - this.#scrollTop) >= 1) {
      this.#scroller.scrollTop = this.#scrollTop;
    }
  }

  /** Moves the anchor as little as needed to have this row on screen; to a third of the screen when it is far away. */
  reveal(index: number): void {
    const screen = this.#scroller.clientHeight;
    const top = this.heights.topOf(index);
    const bottom = top + this.heights.heightOf(index);
    const from = this.#scrollTop;
    if (top >= from && bottom <= from + screen) return;
    if (top < from - screen || bottom > from + 2 * screen) this.#anchorAt(top - screen / 3);
    else if (top < from || bottom - top > screen) this.#anchorAt(top);
    else this.#anchorAt(bottom - screen);
  }

  /** Reveals a row and renders: rows between the anchor and it may be measured for the first time by that. */
  show(index: number, render: () => void): void {
    this.reveal(index);
    render();
    this.reveal(index);
    this.hold();
  }

  /** The scroller has another size: at another width rows are of other heights. */
  noteSize(): void {
    const width = this.#scroller.clientWidth;
    if (width !== this.#width) this.heights.forget();
    this.#width = width;
  }

  get #scrollTop(): number {
    const wanted =
      this.#anchor === null ? 0 : this.heights.topOf(this.#anchor.index) + this.#anchor.delta;
    const most = Math.max(0, this.heights.fullHeight - this.#scroller.clientHeight);
    return Math.min(Math.max(0, wanted), most);
  }

  #anchorAt(y: number): void {
    const most = Math.max(0, this.heights.fullHeight - this.#scroller.clientHeight);
    const top = Math.min(Math.max(0, y), most);
    const index = this.heights.indexAt(top);
    this.#anchor = top < 1 || index < 0 ? null : { index, delta: top - this.heights.topOf(index) };
  }

  #between(top: number, bottom: number): Span {
    return { newest: this.heights.indexAt(top), oldest: this.heights.indexAt(bottom) };
  }
}
