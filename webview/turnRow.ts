/** One turn: its row, and below it, when expanded, what the agent said and which files changed. */
import { html, nothing, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import type { TurnRow } from '../src/protocol/messages.ts';
import { fileList } from './fileList.ts';
import { changes, chevron, rewind, warning } from './icons.ts';
import { lineCounts } from './lineCounts.ts';
import { marker } from './marker.ts';
import { snapshotLines } from './snapshotLines.ts';
import {
  agentName,
  commitText,
  endIds,
  filesText,
  isStored,
  type Mark,
  marksOf,
  promptLine,
  relativeTime,
  type Speech,
  spokenTurn,
  takenBackHint,
  toolsText,
} from './turnText.ts';

export interface TurnRowView {
  /** Undefined while the host has not sent it. */
  readonly row: TurnRow | undefined;
  /** Counting from the oldest turn (0). */
  readonly index: number;
  readonly total: number;
  readonly expanded: boolean;
  /** The turn looked at. */
  readonly current: boolean;
  /** Tab enters the list here. */
  readonly active: boolean;
  /** The heading above the first turn of a day. */
  readonly day: string | null;
}

export function turnRow(view: TurnRowView, speech: Speech): TemplateResult {
  const { row, index, total, day } = view;
  return html`<div
    role="listitem"
    class=${classMap({
      turn: true,
      current: view.current,
      expanded: view.expanded,
      rewound: row !== undefined && row.rewoundBy !== null,
      pending: row === undefined,
      newest: index === total - 1,
      oldest: index === 0,
    })}
    data-index=${index}
    data-turn=${row?.id ?? nothing}
    data-end=${row?.end ?? nothing}
    data-vscode-context=${row === undefined ? nothing : menuContext(row)}
    aria-setsize=${total}
    aria-posinset=${total - index}
  >
    ${day === null ? nothing : html`<h2 class="day">${day}</h2>`}
    ${row === undefined ? nothing : snapshotLines(row.snapshots, view.active, speech)}
    <div class="row">
      ${row === undefined ? pendingSummary(view, speech) : summary(view, row, speech)}
      ${row === undefined ? nothing : actions(view, row, speech)}
    </div>
    ${row !== undefined && view.expanded ? details(view, row, speech) : nothing}
    ${row === undefined ? nothing : snapshotLines(row.snapshotsBefore, view.active, speech)}
  </div>`;
}

function menuContext(row: TurnRow): string {
  return JSON.stringify({
    webviewSection: 'turn',
    turn: row.id,
    rewindable: row.blocked === null,
    revertable: row.rewoundBy === null && row.files.length > 0 && isStored(row),
    preventDefaultContextMenuItems: true,
  });
}

function pendingSummary({ index, active }: TurnRowView, { t }: Speech): TemplateResult {
  return html`<button
    type="button"
    class="summary"
    data-spot="summary"
    tabindex=${active ? 0 : -1}
    aria-label=${t('loadingTurn', index + 1)}
    aria-busy="true"
  >
    <span class="first"><span class="number">${index + 1}</span><span class="bar"></span></span>
    <span class="second"><span class="bar"></span></span>
  </button>`;
}

function summary(view: TurnRowView, row: TurnRow, speech: Speech): TemplateResult {
  const { expanded, current, active, index } = view;
  const marks = marksOf(row, speech).filter((mark) => mark.kind !== 'rewound');
  return html`<button
    type="button"
    class="summary"
    data-act="toggle"
    data-spot="summary"
    tabindex=${active ? 0 : -1}
    aria-label=${spokenTurn(row, current, speech)}
    aria-expanded=${expanded}
    aria-controls=${expanded ? detailsId(index) : nothing}
    aria-current=${current ? 'step' : nothing}
  >
    ${marker(row.end, row.rewoundBy !== null, current)}
    <span class="first">
      <span class="number">${row.number}</span>
      <span class="prompt" dir="auto"
        >${expanded && row.prompt.trim() !== '' ? row.prompt.trim() : promptLine(row.prompt, speech)}</span
      >
    </span>
    <span class="second">${meta(row, speech)}${counts(row, speech)}${chevron}</span>
    ${marks.length === 0 ? nothing : html`<span class="marks">${marks.map(chip)}</span>`}
  </button>`;
}

function meta(row: TurnRow, speech: Speech): TemplateResult {
  const { t, format } = speech;
  const agent = agentName(row.agent, speech);
  const tools = toolsText(row.tools, speech);
  const hint = [
    row.model === null ? agent : `${agent} (${row.model})`,
    t('began', format.absolute(row.startedAt)),
    ...(row.rewoundBy === null ? [] : [takenBackHint(row, speech)]),
    ...(tools === '' ? [] : [t('toolsSpoken', tools)]),
  ].join('\n');
  const rewound = html` <span class="chip" data-kind="rewound">${t('takenBack')}</span>`;
  const end = html`<span class="end" data-end=${row.end}>${t(endIds[row.end])}</span> · `;
  return html`<span class="meta" title=${hint}
    >${row.end === 'stop' ? nothing : end}<time
      >${relativeTime(row.startedAt, speech, 'narrow')}</time
    >${row.rewoundBy === null ? nothing : rewound}<span class="agent"> · ${agent}</span
    >${tools === '' ? nothing : html`<span class="tools"> · ${tools}</span>`}</span
  >`;
}

function counts(row: TurnRow, speech: Speech): TemplateResult {
  return html`<span class="counts"
    ><span class="fileCount">${filesText(row.fileCount, speech)}</span>${lineCounts(
      row.lines,
      speech,
    )}</span
  >`;
}

function chip({ kind, text, hint }: Mark): TemplateResult {
  const picture = kind === 'plain' ? nothing : warning;
  return html`<span class="chip" data-kind=${kind} title=${hint}>${picture}${text}</span>`;
}

function actions({ active }: TurnRowView, row: TurnRow, { t }: Speech): TemplateResult {
  const { number, blocked } = row;
  const rewindLabel =
    blocked === null ? t('rewindTo', number) : t('rewindBlocked', number, blocked);
  return html`<div class="actions">
    ${row.files.length === 0 ? nothing : action('openTurn', t('showChangesOf', number), changes, active, false)}
    ${action('rewind', rewindLabel, rewind, active, blocked !== null)}
  </div>`;
}

/** A refused act stays focusable, so that its label can say why. */
function action(
  act: string,
  label: string,
  picture: TemplateResult,
  tabbable: boolean,
  refused: boolean,
): TemplateResult {
  return html`<vscode-button
    appearance="icon"
    data-act=${act}
    data-spot=${act}
    tabindex=${tabbable ? 0 : -1}
    aria-label=${label}
    .ariaDisabled=${refused ? 'true' : null}
    title=${label}
    >${picture}</vscode-button
  >`;
}

function details({ index, active }: TurnRowView, row: TurnRow, speech: Speech): TemplateResult {
  const { t } = speech;
  const hints = marksOf(row, speech);
  return html`<div class="details" id=${detailsId(index)}>
    ${
      row.reply === null || row.reply.trim() === ''
        ? nothing
        : html`<p class="reply" dir="auto" aria-label=${t('reply')}>${row.reply.trim()}</p>`
    }
    ${
      row.cut
        ? html`<button
            type="button"
            class="link read"
            data-act="readTurn"
            data-spot="read"
            tabindex=${active ? 0 : -1}
          >
            ${t('readTurn')}
          </button>`
        : nothing
    }
    ${hints.map((mark) => html`<p class="note" data-kind=${mark.kind}>${warning}<span>${mark.hint}</span></p>`)}
    ${row.files.length === 0 ? nothing : fileList(row, active, speech)}
    <p class="facts">${facts(row, speech)}</p>
  </div>`;
}

function facts(row: TurnRow, speech: Speech): string {
  const { t, format } = speech;
  const took =
    row.endedAt === null ? [] : [t('took', format.duration(row.endedAt - row.startedAt))];
  const model = row.model === null ? [] : [row.model];
  return [t(endIds[row.end]), ...took, ...model, ...commitText(row, speech)].join(' · ');
}

function detailsId(index: number): string {
  return `turn-${index}-details`;
}
