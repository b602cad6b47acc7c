/** The part that does not scroll: which session, which turn, what is going on. */
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { SessionChoice, TimelineState } from '../src/protocol/messages.ts';
import { arrowLeft, arrowRight, failure, history, undo } from './icons.ts';
import { sessionsShown } from './shown.ts';
import { stepButton } from './stepButton.ts';
import { agentName, plainPath, promptLine, relativeTime, type Speech } from './turnText.ts';

export function header(state: TimelineState, speech: Speech): TemplateResult {
  return html`<header class="header">
    ${state.sessions.length === 0 ? nothing : sessionChooser(state, speech)}
    ${state.total === 0 ? nothing : navigation(state, speech)}
    ${state.undo === null ? nothing : undoButton(state.undo, speech)}
    ${state.busy === null ? nothing : busyLine(state.busy)}
    ${state.error === null ? nothing : errorLine(state.error, speech)}
  </header>`;
}

function sessionChooser({ sessions, session }: TimelineState, speech: Speech): TemplateResult {
  const { t, format } = speech;
  const listed = listedSessions(sessions, session);
  const severalFolders = new Set(sessions.map(({ folder }) => folder)).size > 1;
  const more = sessions.length - listed.length;
  const chosen = sessions.find(({ id }) => id === session);
  const hint =
    chosen === undefined
      ? t('session')
      : `${title(chosen, speech)}\n${details(chosen, severalFolders, speech)}`;
  return html`<vscode-dropdown class="sessions" aria-label=${t('session')} title=${hint}>
    ${
      chosen === undefined
        ? nothing
        : html`<span slot="selected-value" class="chosen">
            <span class="chosenTitle">${title(chosen, speech)}</span>
            <span class="chosenDetails">${details(chosen, severalFolders, speech)}</span>
          </span>`
    }
    ${repeat(
      listed,
      ({ id }) => id,
      (choice) => html`<vscode-option value=${choice.id} title=${title(choice, speech)}
        >${t('sessionOption', title(choice, speech), details(choice, severalFolders, speech))}</vscode-option
      >`,
    )}
    ${
      more === 0
        ? nothing
        : html`<vscode-option disabled value="">${t('olderSessions', format.number(more))}</vscode-option>`
    }
  </vscode-dropdown>`;
}

function title({ title: text }: SessionChoice, speech: Speech): string {
  return text.trim() === '' ? speech.t('untitledSession') : promptLine(text, speech);
}

function details(choice: SessionChoice, folder: boolean, speech: Speech): string {
  const parts = [agentName(choice.agent, speech), relativeTime(choice.updatedAt, speech, 'narrow')];
  return [...parts, ...(folder ? [plainPath(choice.folder)] : [])].join(' · ');
}

/** The newest ones, and the chosen one wherever it is. */
function listedSessions(
  sessions: readonly SessionChoice[],
  chosen: string | null,
): readonly SessionChoice[] {
  const newest = sessions.slice(0, sessionsShown);
  const older = sessions.slice(sessionsShown).filter(({ id }) => id === chosen);
  return [...newest, ...older];
}

function navigation({ cursor, total }: TimelineState, { t, format }: Speech): TemplateResult {
  return html`<nav class="navigation" aria-label=${t('turnNavigation')}>
    ${stepButton({
      ...{ act: 'previous', label: t('previousTurn'), hint: t('stepHint'), key: '[' },
      content: html`${arrowLeft}<span class="word">${t('previous')}</span>`,
      atEnd: cursor <= 1,
    })}
    <span class="position">${t('position', format.number(cursor), format.number(total))}</span>
    ${stepButton({
      ...{ act: 'next', label: t('nextTurn'), hint: t('stepHint'), key: ']' },
      content: html`<span class="word">${t('next')}</span>${arrowRight}`,
      atEnd: cursor >= total,
    })}
    <span class="space"></span>
    <vscode-button
      appearance="icon"
      data-act="showHistory"
      aria-label=${t('viewFullHistory')}
      title=${t('viewFullHistory')}
      >${history}</vscode-button
    >
  </nav>`;
}

function undoButton(sentence: string, { t }: Speech): TemplateResult {
  return html`<vscode-button
    appearance="secondary"
    class="undo"
    data-act="undo"
    aria-label=${sentence}
    .ariaKeyshortcuts=${'u'}
    title=${`${sentence}\n${t('undoHint')}`}
    ><span class="undoContent">${undo}<span class="undoText">${sentence}</span></span></vscode-button
  >`;
}

function busyLine(sentence: string): TemplateResult {
  return html`<p class="busy">
    <vscode-progress-ring class="ring" aria-hidden="true"></vscode-progress-ring>
    <span>${sentence}</span>
  </p>`;
}

function errorLine(sentence: string, { t }: Speech): TemplateResult {
  return html`<div class="error">
    ${failure}
    <span class="errorText">${sentence}</span>
    <span class="errorActions">
      <button type="button" class="link" data-act="refresh">${t('retry')}</button>
      <button type="button" class="link" data-act="showLog">${t('showLog')}</button>
    </span>
  </div>`;
}
