/** Pieces of messages of every kind. */
import { html, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { markdown } from '../markdown/blocks.ts';
import type { HistorySpeech } from './speech.ts';

/** Parsed again only when it has changed. */
export function words(text: string, { t }: HistorySpeech): unknown {
  return guard([text], () => markdown(text, (alternative) => t('image', alternative)));
}

export function cutButton(message: string, turn: string, { t }: HistorySpeech): TemplateResult {
  return html`<button type="button" class="link cut" data-act="readMessage" data-turn=${turn} data-message=${message}>… ${t('cut')}</button>`;
}

export function readButton(message: string, turn: string, { t }: HistorySpeech): TemplateResult {
  return html`<button type="button" class="link read" data-act="readMessage" data-turn=${turn} data-message=${message}>${t('readMessage')}</button>`;
}
