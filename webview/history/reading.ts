/** The turn that is read: what is known of it, then its messages. */
import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { repeat } from 'lit/directives/repeat.js';
import type { MessageView, OpenTurn } from '../../src/protocol/historyMessages.ts';
import { cutButton, readButton, words } from './messageParts.ts';
import { counted, type HistorySpeech, spokenAgent } from './speech.ts';
import { toolCall } from './toolCall.ts';

/** @param goesOnHere the next prompt goes on from this turn already */
export function reading(
  open: OpenTurn | null,
  goesOnHere: boolean,
  speech: HistorySpeech,
): unknown {
  return open === null
    ? html`<p class="nothing">${speech.t('nothingOpen')}</p>`
    : keyed(open.id, article(open, goesOnHere, speech));
}

function article(open: OpenTurn, goesOnHere: boolean, speech: HistorySpeech): TemplateResult {
  const { t, format } = speech;
  const { row, messages, omitted, next } = open;
  return html`<article aria-label=${t('messages', format.number(row.number))}>
    <header class="facts">
      <h2>${t('turnOn', format.number(row.number), row.branch)}</h2>
      <p>${factsOf(open, speech).join(' · ')}</p>
      <p class="acts">
        ${row.files === 0 ? nothing : act('showChanges', t('showChanges'), '')}
        ${goesOnHere ? nothing : act('goTo', t('goOnFromHere'), t('goOnFromHereHint'))}
      </p>
      ${next.length === 0 ? nothing : forks(open, speech)}
    </header>
    ${repeat(
      messages,
      ({ id }) => id,
      (message) => messageOf(message, open, speech),
    )}
    ${omitted === 0 ? nothing : html`<p class="quiet">${t('omitted', format.number(omitted))}</p>`}
  </article>`;
}

function act(name: string, label: string, hint: string): TemplateResult {
  return html`<vscode-button appearance="secondary" data-act=${name} title=${hint === '' ? nothing : hint}>${label}</vscode-button>`;
}

function factsOf(
  { row, model, tokens, duration }: OpenTurn,
  speech: HistorySpeech,
): readonly string[] {
  const { t, format } = speech;
  return [
    format.absolute(row.startedAt),
    spokenAgent(row.agent, speech),
    ...(model === null ? [] : [model]),
    t(row.end),
    ...(duration === null ? [] : [format.duration(duration)]),
    ...(tokens === null ? [] : [t('tokens', format.number(tokens))]),
    ...(row.files === 0 ? [] : [counted(row.files, 'files', speech)]),
    ...(row.imported ? [t('imported')] : []),
    ...(row.commit === null ? [] : [t('commit', row.commit)]),
  ];
}

function forks({ next }: OpenTurn, { t, format }: HistorySpeech): TemplateResult {
  return html`<p class="forks">
    ${t('goesOn', format.number(next.length))}:
    ${next.map(
      ({ id, branch }) =>
        html`<button type="button" class="link" data-act="openTurn" data-turn=${id}>${branch}</button>`,
    )}
  </p>`;
}

function messageOf(message: MessageView, open: OpenTurn, speech: HistorySpeech): TemplateResult {
  const isFound = message.id === open.message;
  if (message.role === 'tool') return toolCall(message, open.id, isFound, speech);
  const { t } = speech;
  const isPrompt = message.role === 'user';
  return html`<section class="message" data-role=${message.role} data-message=${message.id} data-found=${isFound ? '' : nothing}>
    <h3>${isPrompt ? t('prompt') : t('reply')}${readButton(message.id, open.id, speech)}</h3>
    ${
      message.content.trim() === ''
        ? html`<p class="quiet">${isPrompt ? t('emptyPrompt') : open.row.end === 'running' ? t('noReplyYet') : t('noReply')}</p>`
        : words(message.content, speech)
    }
    ${message.cut ? cutButton(message.id, open.id, speech) : nothing}
  </section>`;
}
