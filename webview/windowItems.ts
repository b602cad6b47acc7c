/** What a windowed list renders: the rows on screen, a margin around them, the row that holds the focus, gaps for the rest. */
import { noChange } from 'lit';
import { Directive, directive, type ElementPart } from 'lit/directive.js';
import type { HeightModel } from './heights.ts';

/** Turn indices, both included; newest is the higher index and lies at the top. */
export interface Span {
  readonly newest: number;
  readonly oldest: number;
}

export interface ListView {
  readonly span: Span;
  readonly active: number;
  readonly heights: HeightModel;
}

export type WindowItem =
  | { readonly key: string; readonly kind: 'gap'; readonly height: number }
  | { readonly key: string; readonly kind: 'turn'; readonly index: number };

/** Newest first. The active row is always there, on screen or not: the focus may be in it, and Tab enters at it. */
export function windowItems({ span, active, heights }: ListView): readonly WindowItem[] {
  const list: WindowItem[] = [];
  let edge = 0;
  let gaps = 0;
  const gapTo = (top: number): void => {
    if (top > edge) list.push({ key: `gap ${gaps++}`, kind: 'gap', height: top - edge });
  };
  const add = (index: number): void => {
    const top = heights.topOf(index);
    gapTo(top);
    list.push({ key: `turn ${index}`, kind: 'turn', index });
    edge = top + heights.heightOf(index);
  };
  if (active > span.newest) add(active);
  for (let index = span.newest; index >= span.oldest; index--) add(index);
  if (active >= 0 && active < span.oldest) add(active);
  gapTo(heights.fullHeight);
  return list;
}

/** Sets a height through the CSSOM: the policy forbids style attributes. */
class PixelsHigh extends Directive {
  override render(_pixels: number): unknown {
    return noChange;
  }

  override update(part: ElementPart, [pixels]: [number]): unknown {
    if (part.element instanceof HTMLElement) part.element.style.height = `${pixels}px`;
    return noChange;
  }
}

export const pixelsHigh = directive(PixelsHigh);
