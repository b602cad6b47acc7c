/** `+12 −3`, for the eye only: the words are in the label of whatever holds it. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Lines } from '../src/core/lineSums.ts';
import type { Speech } from './turnText.ts';

export function lineCounts(
  lines: Lines | null,
  { format }: Speech,
): TemplateResult | typeof nothing {
  if (lines === null || (lines.added === 0 && lines.removed === 0)) return nothing;
  return html`<span class="lines">
    ${lines.added === 0 ? nothing : html`<span class="plus">+${format.number(lines.added)}</span>`}
    ${lines.removed === 0 ? nothing : html`<span class="minus">−${format.number(lines.removed)}</span>`}
  </span>`;
}
