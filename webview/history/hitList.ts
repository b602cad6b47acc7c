/** What a search found, in the place of the turns. */
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type {
  ExcerptPart,
  HistorySearch,
  HitRow,
  OpenTurn,
} from '../../src/protocol/historyMessages.ts';
import { ago, type HistorySpeech, spokenAgent } from './speech.ts';

export function hitList(
  { hits, more }: HistorySearch,
  open: OpenTurn | null,
  speech: HistorySpeech,
): TemplateResult {
  const { t, format } = speech;
  return html`<p class="found" role="status">${foundText(hits.length, speech)}${more ? html` · ${t('foundMore', format.number(hits.length))}` : nothing}</p>
    <div class="hits" role="list" aria-label=${t('hitList')}>
      ${repeat(
        hits,
        ({ message }) => message,
        (hit) => html`<div role="listitem">
          <button
            type="button"
            class="hit"
            data-act="openHit"
            data-turn=${hit.turn}
            data-message=${hit.message}
            aria-pressed=${open?.message === hit.message}
          ><span class="excerpt" dir="auto">${hit.excerpt.map(part)}</span
            ><span class="second" title=${format.absolute(hit.at)}>${placeOf(hit, speech)}</span
          ></button>
        </div>`,
      )}
    </div>`;
}

function part({ text, isFound }: ExcerptPart): unknown {
  return isFound ? html`<mark>${text}</mark>` : text;
}

function foundText(count: number, { t, format }: HistorySpeech): string {
  if (count === 0) return t('nothingFound');
  return count === 1 ? t('foundOne') : t('foundMany', format.number(count));
}

function placeOf(hit: HitRow, speech: HistorySpeech): string {
  const { t, format } = speech;
  const what =
    hit.role === 'user'
      ? t('prompt')
      : hit.role === 'assistant'
        ? t('reply')
        : (hit.name ?? t('tool'));
  return [
    t('hitPlace', format.number(hit.number), what),
    spokenAgent(hit.agent, speech),
    ago(hit.at, speech, 'narrow'),
    ...(hit.title === null ? [] : [hit.title]),
  ].join(' · ');
}
