/**
 * Where the focus is inside the list, in terms that survive a render (a turn's index and a place in its row), and where
 * a key takes it. Rows and the files they show behave like a tree.
 */
import type { KeyAct } from './keys.ts';

export interface FocusSpot {
  /** Of the turn; 0 is the oldest, which lies at the bottom. */
  readonly index: number;
  /** `summary`, an action's name, or `file-3`. */
  readonly spot: string;
}

/** What a key needs to know about the list. */
export interface ListShape {
  readonly total: number;
  /** How many rows a page key moves by. */
  readonly page: number;
  isExpanded(index: number): boolean;
  /** How many files a row shows; 0 for a collapsed one. */
  filesAt(index: number): number;
}

export type ListAct = Exclude<KeyAct, 'previous' | 'next' | 'undo' | 'rewind'>;

/** Undefined when the focus is not in the list. */
export function focusSpot(list: HTMLElement): FocusSpot | undefined {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || !list.contains(element)) return undefined;
  const index = element.closest<HTMLElement>('.turn')?.dataset['index'];
  const spot = element.closest<HTMLElement>('[data-spot]')?.dataset['spot'];
  return index === undefined || spot === undefined ? undefined : { index: Number(index), spot };
}

/** The element of a spot; the row itself when that place is gone. */
export function elementAt(list: HTMLElement, { index, spot }: FocusSpot): HTMLElement | null {
  const row = list.querySelector<HTMLElement>(`.turn[data-index="${index}"]`);
  return (
    row?.querySelector<HTMLElement>(`[data-spot="${spot}"]`) ??
    row?.querySelector<HTMLElement>('[data-spot="summary"]') ??
    null
  );
}

/** Where a key takes the focus, or `toggle`: it shows or hides the row's files instead. */
export function keyMove(act: ListAct, from: FocusSpot, shape: ListShape): FocusSpot | 'toggle' {
  const { index, spot } = from;
  switch (act) {
    case 'up':
      return neighbour(from, -1, shape);
    case 'down':
      return neighbour(from, 1, shape);
    case 'pageUp':
      return summary(index + shape.page, shape);
    case 'pageDown':
      return summary(index - shape.page, shape);
    case 'top':
      return summary(shape.total - 1, shape);
    case 'bottom':
      return summary(0, shape);
    case 'leave':
      return summary(index, shape);
    case 'expand':
      if (!shape.isExpanded(index)) return 'toggle';
      return filePlace(spot) < 0 && shape.filesAt(index) > 0 ? file(index, 0) : from;
    case 'collapse':
      return spot === 'summary' && shape.isExpanded(index) ? 'toggle' : summary(index, shape);
  }
}

/** One step through rows and the files they show. Stays at the ends. */
function neighbour(from: FocusSpot, by: 1 | -1, shape: ListShape): FocusSpot {
  const place = filePlace(from.spot);
  if (place === 0 && by < 0) return summary(from.index, shape);
  if (place + by >= 0 && place + by < shape.filesAt(from.index)) {
    return file(from.index, place + by);
  }
  const index = from.index - by;
  if (index < 0 || index >= shape.total) return from;
  const files = shape.filesAt(index);
  return by < 0 && files > 0 ? file(index, files - 1) : summary(index, shape);
}

/** The number in `file-3`; -1 for any other spot. */
function filePlace(spot: string): number {
  return spot.startsWith('file-') ? Number(spot.slice('file-'.length)) : -1;
}

function summary(index: number, { total }: ListShape): FocusSpot {
  return { index: Math.min(Math.max(0, index), total - 1), spot: 'summary' };
}

function file(index: number, place: number): FocusSpot {
  return { index, spot: `file-${place}` };
}
