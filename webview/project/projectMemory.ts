/** What is remembered of a project: facts, notes, and how much waits for approval. */
import { html, nothing, type TemplateResult } from 'lit';
import type { ProjectMemory } from '../../src/protocol/projectMessages.ts';
import { plainPath } from '../turnText.ts';
import { ago, counted, type ProjectSpeech } from './projectSpeech.ts';

export function memorySection(
  memory: ProjectMemory | null,
  speech: ProjectSpeech,
): TemplateResult | typeof nothing {
  if (memory === null) return nothing;
  const { t, format } = speech;
  const { notes, noteCount, facts, pending } = memory;
  const isEmpty = notes.length === 0 && facts.length === 0;
  const more = noteCount - notes.length;
  return html`<section aria-labelledby="memory">
    <h2 id="memory">${t('memory')}</h2>
    ${isEmpty ? html`<p class="quiet">${t('noMemory')}</p>` : nothing}
    <ul class="rows">
      ${facts.map(
        ({ key, value }) =>
          html`<li class="fact"><span class="state">${key}</span> <span>${plainPath(value)}</span></li>`,
      )}
      ${notes.map((note) => noteRow(note, speech))}
    </ul>
    ${more > 0 ? html`<p class="quiet">${t('moreNotes', format.number(more))}</p>` : nothing}
    ${
      pending === 0
        ? nothing
        : html`<p class="quiet">${counted(pending, 'pendingOne', 'pendingMany', speech)}</p>`
    }
  </section>`;
}

function noteRow(
  { name, hook, pinned, updatedAt }: ProjectMemory['notes'][number],
  speech: ProjectSpeech,
): TemplateResult {
  const { t, format } = speech;
  return html`<li class="note">
    <button type="button" class="link name" data-act="openNote" data-name=${name}>
      ${plainPath(name)}
    </button>
    ${pinned ? html`<span class="quiet">${t('pinned')}</span>` : nothing}
    <span class="quiet" title=${format.absolute(updatedAt)}>${ago(updatedAt, speech)}</span>
    <p class="why">${plainPath(hook)}</p>
  </li>`;
}
