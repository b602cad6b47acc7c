/** The sessions of a project, newest activity first. */
import { html, nothing, type TemplateResult } from 'lit';
import type { ProjectSessionRow, ProjectState } from '../../src/protocol/projectMessages.ts';
import { plainPath } from '../turnText.ts';
import { agentName, ago, counted, type ProjectSpeech } from './projectSpeech.ts';

export function sessionsSection(state: ProjectState, speech: ProjectSpeech): TemplateResult {
  const { sessions, sessionCount, trusted } = state;
  const { t, format } = speech;
  const more = sessionCount - sessions.length;
  return html`<section aria-labelledby="sessions">
    <h2 id="sessions">${t('sessions')}</h2>
    ${
      sessions.length === 0
        ? html`<p class="quiet">${t('noSessions')}</p>`
        : html`<ul class="rows">
            ${sessions.map((session) => sessionRow(session, trusted, speech))}
          </ul>`
    }
    ${more > 0 ? html`<p class="quiet">${t('moreSessions', format.number(more))}</p>` : nothing}
    <vscode-button appearance="secondary" data-act="attach" ?disabled=${!trusted}
      >${t('attach')}</vscode-button
    >
  </section>`;
}

function sessionRow(
  { id, agent, title, turns, updatedAt }: ProjectSessionRow,
  trusted: boolean,
  speech: ProjectSpeech,
): TemplateResult {
  const { t, format } = speech;
  const name = title.trim() === '' ? t('untitledSession') : plainPath(title);
  return html`<li class="session">
    <button type="button" class="link name" data-act="openSession" data-session=${id}>${name}</button>
    <span class="quiet">${agentName(agent, speech)}</span>
    <span class="quiet">${counted(turns, 'turnsOne', 'turnsMany', speech)}</span>
    <span class="quiet" title=${format.absolute(updatedAt)}>${ago(updatedAt, speech)}</span>
    ${
      trusted
        ? html`<button
            type="button"
            class="link"
            data-act="detach"
            data-session=${id}
            aria-label=${t('detach', name)}
          >
            ${t('detachShort')}
          </button>`
        : nothing
    }
  </li>`;
}
