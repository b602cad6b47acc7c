/** The windowed list: the rows on screen, a margin around them, the row that holds the focus, and gaps for the rest. */
import { html, noChange, type TemplateResult } from 'lit';
import { Directive, directive, type ElementPart } from 'lit/directive.js';
import { repeat } from 'lit/directives/repeat.js';
import type { TimelineState, TurnRow } from '../src/protocol/messages.ts';
import { sameDay } from './formatter.ts';
import type { HeightModel } from './heights.ts';
import { turnRow } from './turnRow.ts';
import type { Speech } from './turnText.ts';

/** Turn indices, both included; newest is the higher index and lies at the top. */
export interface Span {
  readonly newest: number;
  readonly oldest: number;
}

export interface TurnListView {
  readonly state: TimelineState;
  readonly span: Span;
  readonly active: number;
  readonly expanded: ReadonlySet<string>;
  readonly heights: HeightModel;
}

type Item =
  | { readonly key: string; readonly kind: 'gap'; readonly height: number }
  | { readonly key: string; readonly kind: 'turn'; readonly index: number };

export function turnList(view: TurnListView, speech: Speech): TemplateResult {
  return html`<div class="turns" role="list" aria-label=${speech.t('turnList')}>
    ${repeat(
      items(view),
      (item) => item.key,
      (item) =>
        item.kind === 'gap'
          ? html`<div class="gap" role="presentation" ${pixelsHigh(item.height)}></div>`
          : turnAt(item.index, view, speech),
    )}
  </div>`;
}

/** The row of a turn index, if the host's window has it. */
export function rowAt(state: TimelineState, index: number): TurnRow | undefined {
  return state.rows[index - state.offset];
}

function turnAt(index: number, view: TurnListView, speech: Speech): TemplateResult {
  const { state, active, expanded } = view;
  const row = rowAt(state, index);
  const below = index === state.total - 1 ? undefined : rowAt(state, index + 1);
  const opensDay =
    row !== undefined &&
    (index === state.total - 1 ||
      (below !== undefined && !sameDay(row.startedAt, below.startedAt)));
  return turnRow(
    {
      row,
      index,
      total: state.total,
      expanded: row !== undefined && expanded.has(row.id),
      current: index === state.cursor - 1,
      active: index === active,
      day: opensDay ? speech.format.dayHeading(row.startedAt, speech.now) : null,
    },
    speech,
  );
}

/** Newest first. The active row is always there, on screen or not: the focus may be in it, and Tab enters at it. */
function items({ span, active, heights }: TurnListView): readonly Item[] {
  const list: Item[] = [];
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

const pixelsHigh = directive(PixelsHigh);
