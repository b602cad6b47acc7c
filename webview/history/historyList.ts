/** The windowed list of turns with their graph. */
import { html, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { HistoryRow, HistoryState } from '../../src/protocol/historyMessages.ts';
import { type ListView, pixelsHigh, windowItems } from '../windowItems.ts';
import { historyRow } from './historyRow.ts';
import type { HistorySpeech } from './speech.ts';

export function historyList(
  view: ListView & { readonly state: HistoryState },
  speech: HistorySpeech,
): TemplateResult {
  const { state, active } = view;
  return html`<div class="turns" role="list" aria-label=${speech.t('turnList')}>
    ${repeat(
      windowItems(view),
      ({ key }) => key,
      (item) => {
        if (item.kind === 'gap')
          return html`<div class="gap" role="presentation" ${pixelsHigh(item.height)}></div>`;
        const { index } = item;
        const row = rowOf(state, index);
        return historyRow(
          {
            ...{ row, index, total: state.total, lanes: state.lanes },
            current: index === state.cursor,
            open: row !== undefined && row.id === state.open?.id,
            active: index === active,
          },
          speech,
        );
      },
    )}
  </div>`;
}

/** The row of a turn index, if the host's window has it. */
export function rowOf(state: HistoryState, index: number): HistoryRow | undefined {
  return state.rows[index - state.offset];
}
