/** The part of the history page that does not scroll: which session, where one looks, which branch, the search. */
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import type { HistoryState } from '../../src/protocol/historyMessages.ts';
import { arrowLeft, arrowRight, failure, warning } from '../icons.ts';
import { stepButton } from '../stepButton.ts';
import { counted, type HistorySpeech, spokenAgent } from './speech.ts';

export interface SearchEntry {
  readonly text: string;
  readonly everywhere: boolean;
}

export function historyHeader(
  state: HistoryState,
  search: SearchEntry,
  speech: HistorySpeech,
): TemplateResult {
  const { t } = speech;
  const { title, agent, folder } = state.session;
  return html`<header class="header">
    <div class="titleLine">
      <h1 dir="auto" title=${title}>${title.trim() === '' ? t('untitledSession') : title}</h1>
      <span class="quiet">${[spokenAgent(agent, speech), folder, counted(state.total, 'turns', speech)].filter((part) => part !== '').join(' · ')}</span>
      <span class="space"></span>
      <button type="button" class="link" data-act="readAll">${t('readAll')}</button>
      <button type="button" class="link" data-act="openMirror">${t('openMirror')}</button>
    </div>
    <div class="tools">
      ${navigation(state, speech)} ${state.branches.length < 2 ? nothing : branchChooser(state, speech)}
      <span class="space"></span>
      ${searchBox(search, speech)}
    </div>
    ${state.position.isLatest ? nothing : lookingBack(state, speech)}
    ${state.mirror === null ? nothing : html`<p class="notice">${warning}<span>${state.mirror}</span></p>`}
    ${state.error === null ? nothing : html`<p class="notice bad">${failure}<span>${state.error}</span></p>`}
  </header>`;
}

function navigation({ position }: HistoryState, { t, format }: HistorySpeech): TemplateResult {
  const { index, count } = position;
  return html`<nav class="navigation" aria-label=${t('turnNavigation')}>
    ${stepButton({
      ...{ act: 'prev', label: t('previousTurn'), key: '[', atEnd: index <= 0 },
      content: html`${arrowLeft}<span>${t('previous')}</span>`,
    })}
    <span class="position">${t('position', format.number(index), format.number(count))}</span>
    ${stepButton({
      ...{ act: 'next', label: t('nextTurn'), key: ']', atEnd: index >= count },
      content: html`<span>${t('next')}</span>${arrowRight}`,
    })}
  </nav>`;
}

function branchChooser({ branches, branch }: HistoryState, speech: HistorySpeech): TemplateResult {
  const { t } = speech;
  return html`<vscode-dropdown class="branches" aria-label=${t('branch')} title=${t('branch')} data-value=${branch}>
    ${repeat(
      branches,
      ({ name }) => name,
      (choice) => {
        const turns = counted(choice.turns, 'turns', speech);
        const text = t(choice.isCurrent ? 'branchNewest' : 'branchOption', choice.name, turns);
        return html`<vscode-option value=${choice.name}>${text}</vscode-option>`;
      },
    )}
  </vscode-dropdown>`;
}

function searchBox({ text, everywhere }: SearchEntry, { t }: HistorySpeech): TemplateResult {
  return html`<search class="search">
    <input
      type="search"
      class="searchText"
      aria-label=${t('search')}
      aria-keyshortcuts="/"
      placeholder=${t('search')}
      title=${t('searchHint')}
      maxlength="1000"
      autocomplete="off"
      spellcheck="false"
      .value=${live(text)}
    />
    <label title=${t('everywhereHint')}
      ><input type="checkbox" class="everywhere" .checked=${live(everywhere)} />${t('everywhere')}</label
    >
  </search>`;
}

function lookingBack({ position }: HistoryState, { t, format }: HistorySpeech): TemplateResult {
  return html`<p class="notice">
    ${warning}<span
      >${position.index === 0 ? t('lookingBefore') : t('lookingBack', format.number(position.index))}</span
    ><button type="button" class="link" data-act="latest" title=${t('latestHint')}>
      ${t('latest')}
    </button>
  </p>`;
}
