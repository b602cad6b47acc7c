/** Which rows a page asks the host for: those around what is seen, before they are. */
import type { ListWindow } from './listWindow.ts';

/** Rows beyond the screen that should be there before they are seen. */
const rowsAhead = 40;

export interface RowsHere {
  readonly total: number;
  /** Index of the first of `rows`. */
  readonly offset: number;
  readonly rows: readonly unknown[];
}

export class RowRequests {
  /** The window that was asked for, and what the host had sent when it was. */
  #asked = '';

  /** Another list is shown: what was asked for is no answer to it. */
  forget(): void {
    this.#asked = '';
  }

  /**
   * Undefined when nothing is missing. Rows are asked for once for each place and window: an answer that does not help is
   * not asked for again.
   */
  next(
    { seen }: Pick<ListWindow, 'seen'>,
    { total, offset, rows }: RowsHere,
  ): { readonly type: 'showWindow'; readonly index: number } | undefined {
    const { newest, oldest } = seen;
    const first = Math.max(0, oldest - rowsAhead);
    const last = Math.min(total - 1, newest + rowsAhead);
    if (first >= offset && last < offset + rows.length) return undefined;
    const index = Math.max(0, Math.round((newest + oldest) / 2));
    const ask = `${Math.round(index / 10)} ${offset} ${rows.length}`;
    if (ask === this.#asked) return undefined;
    this.#asked = ask;
    return { type: 'showWindow', index };
  }
}
