/** One turn of a session as a row: its line of the graph, its prompt, what is known of it. */
import { html, nothing, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import type { HistoryRow } from '../../src/protocol/historyMessages.ts';
import { graph } from './graph.ts';
import { ago, counted, type HistorySpeech, spokenAgent } from './speech.ts';

export interface HistoryRowView {
  /** Undefined while the host has not sent it. */
  readonly row: HistoryRow | undefined;
  readonly index: number;
  readonly total: number;
  readonly lanes: number;
  /** The next prompt goes on from it. */
  readonly current: boolean;
  /** The turn that is read. */
  readonly open: boolean;
  /** Tab enters the list here. */
  readonly active: boolean;
}

export function historyRow(view: HistoryRowView, speech: HistorySpeech): TemplateResult {
  const { row, index, total } = view;
  return html`<div
    role="listitem"
    class=${classMap({
      turn: true,
      current: view.current,
      open: view.open,
      pending: row === undefined,
    })}
    data-index=${index}
    aria-setsize=${total}
    aria-posinset=${total - index}
  >
    <button
      type="button"
      class="summary"
      data-act=${row === undefined ? nothing : 'openTurn'}
      data-turn=${row?.id ?? nothing}
      data-spot="summary"
      tabindex=${view.active ? 0 : -1}
      aria-label=${row === undefined ? speech.t('loadingTurn') : spoken(row, view.current, speech)}
      aria-busy=${row === undefined ? 'true' : nothing}
      aria-current=${view.current ? 'step' : nothing}
      aria-pressed=${view.open}
    >
      ${row === undefined ? html`<span class="bar"></span>` : content(row, view, speech)}
    </button>
  </div>`;
}

function content(row: HistoryRow, view: HistoryRowView, speech: HistorySpeech): TemplateResult {
  const { t, format } = speech;
  return html`${graph(row, view.lanes, view.current)}<span class="words"
      ><span class="first"
        ><span class="number">${format.number(row.number)}</span
        ><span class="prompt" dir="auto">${promptOf(row, speech)}</span
        >${row.begins === null ? nothing : html`<span class="chip">${beginText(row, speech)}</span>`}</span
      ><span class="second" title=${format.absolute(row.startedAt)}
        >${view.current ? html`<span class="here">${t('goesOnHere')}</span> · ` : nothing}${factsOf(row, speech, 'narrow').join(' · ')}</span
      ></span
    >`;
}

function promptOf({ prompt }: HistoryRow, { t }: HistorySpeech): string {
  return prompt === '' ? t('emptyPrompt') : prompt;
}

function beginText({ begins, branch }: HistoryRow, { t, format }: HistorySpeech): string {
  const from = begins?.from ?? null;
  return from === null
    ? t('branchBeginsAnew', branch)
    : t('branchBegins', branch, format.number(from));
}

/** In the order in which a reader wants them. */
function factsOf(
  row: HistoryRow,
  speech: HistorySpeech,
  style: 'narrow' | 'long',
): readonly string[] {
  const { t } = speech;
  return [
    ...(row.end === 'stop' ? [] : [t(row.end)]),
    ago(row.startedAt, speech, style),
    spokenAgent(row.agent, speech),
    ...(row.tools === 0 ? [] : [counted(row.tools, 'tools', speech)]),
    ...(row.files === 0 ? [] : [counted(row.files, 'files', speech)]),
    ...(row.imported ? [t('imported')] : []),
    ...(row.commit === null ? [] : [row.commit]),
  ];
}

/** All that the row shows by place or colour, in words. */
function spoken(row: HistoryRow, current: boolean, speech: HistorySpeech): string {
  const { t, format } = speech;
  return [
    t('turnLabel', format.number(row.number), promptOf(row, speech)),
    ...(current ? [t('goesOnHere')] : []),
    row.begins === null ? row.branch : beginText(row, speech),
    ...factsOf(row, speech, 'long'),
  ].join(', ');
}
