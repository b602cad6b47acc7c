/** The windowed list: the rows on screen, a margin around them, the row that holds the focus, and gaps for the rest. */
import { html, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { TimelineState, TurnRow } from '../src/protocol/messages.ts';
import { sameDay } from './formatter.ts';
import type { HeightModel } from './heights.ts';
import { turnRow } from './turnRow.ts';
import type { Speech } from './turnText.ts';
import { pixelsHigh, type Span, windowItems } from './windowItems.ts';

export interface TurnListView {
  readonly state: TimelineState;
  readonly span: Span;
  readonly active: number;
  readonly expanded: ReadonlySet<string>;
  readonly heights: HeightModel;
}

export function turnList(view: TurnListView, speech: Speech): TemplateResult {
  return html`<div class="turns" role="list" aria-label=${speech.t('turnList')}>
    ${repeat(
      windowItems(view),
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
