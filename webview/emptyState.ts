/** What the page shows instead of turns. */
import { html, type TemplateResult } from 'lit';
import { empty } from './icons.ts';
import type { Speech } from './turnText.ts';

export function emptyState(reason: 'noSession' | 'noTurns', { t }: Speech): TemplateResult {
  return html`<section class="empty">
    ${empty}
    <h2>${t(reason)}</h2>
    <p>${t(reason === 'noSession' ? 'noSessionHint' : 'noTurnsHint')}</p>
    <vscode-button data-act="connectAgent">${t('connectAgent')}</vscode-button>
  </section>`;
}
