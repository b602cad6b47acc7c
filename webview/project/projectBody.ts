/** What a project's page shows: its head, settings, commits, sessions, room. */
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { type AutoCommitMode, autoCommitModes } from '../../src/core/autoCommit.ts';
import {
  type ProjectRow,
  type ProjectState,
  projectStatuses,
} from '../../src/protocol/projectMessages.ts';
import { warning } from '../icons.ts';
import { plainPath } from '../turnText.ts';
import { commitsSection } from './projectCommits.ts';
import { memorySection } from './projectMemory.ts';
import { sessionsSection } from './projectSessions.ts';
import { ago, type ProjectSpeech } from './projectSpeech.ts';

export function projectBody(state: ProjectState, speech: ProjectSpeech): TemplateResult {
  const { project } = state;
  const { t } = speech;
  if (project === null)
    return html`<section class="gone"><h1>${t('gone')}</h1><p>${t('goneHint')}</p></section>`;
  return html`
    ${head(project, state.trusted, speech)}
    ${settings(project, state.trusted, speech)}
    ${commitsSection(state.commits, project, state.trusted, speech)}
    ${sessionsSection(state, speech)}
    ${memorySection(state.memory, speech)} ${disk(state.disk, speech)}
  `;
}

function head(project: ProjectRow, trusted: boolean, speech: ProjectSpeech): TemplateResult {
  const { t } = speech;
  return html`<header>
    <h1>${plainPath(project.name)}</h1>
    ${project.description === '' ? nothing : html`<p>${project.description}</p>`}
    <p class="quiet">
      <span class="path">${plainPath(project.workdir)}</span> ·
      <span title=${speech.format.absolute(project.createdAt)}
        >${t('made', ago(project.createdAt, speech))}</span
      >
    </p>
    ${project.isMissing ? html`<p class="warning">${warning} ${t('missing')}</p>` : nothing}
    <p class="buttons">
      ${button('openFolder', t('openFolder'), !project.isMissing)}
      ${button('locate', t('locate'), trusted)} ${button('rename', t('rename'), trusted)}
      ${button('remove', t('remove'), trusted)}
    </p>
  </header>`;
}

export function button(act: string, label: string, isEnabled: boolean): TemplateResult {
  return html`<vscode-button appearance="secondary" data-act=${act} ?disabled=${!isEnabled}
    >${label}</vscode-button
  >`;
}

interface Option {
  readonly value: string;
  readonly label: string;
}

/** `live`: after a question that was given up the list goes back to what is so. */
function choice(
  id: string,
  label: string,
  value: string,
  options: readonly Option[],
  isEnabled: boolean,
): TemplateResult {
  return html`<label id=${`${id}-label`}>${label}</label>
    <vscode-dropdown
      id=${id}
      aria-label=${label}
      .value=${live(value)}
      ?disabled=${!isEnabled}
    >
      ${options.map(
        (option) =>
          html`<vscode-option value=${option.value} ?selected=${option.value === value}
            >${option.label}</vscode-option
          >`,
      )}
    </vscode-dropdown>`;
}

function settings(project: ProjectRow, trusted: boolean, { t }: ProjectSpeech): TemplateResult {
  const modes: Readonly<Record<AutoCommitMode, string>> = {
    off: t('off'),
    whenClean: t('whenClean'),
    agentPathsOnly: t('agentPathsOnly'),
    separateHunks: t('separateHunks'),
  };
  const hints: Readonly<Record<AutoCommitMode, string>> = {
    off: t('offHint'),
    whenClean: t('whenCleanHint'),
    agentPathsOnly: t('agentPathsOnlyHint'),
    separateHunks: t('separateHunksHint'),
  };
  const statuses = { active: t('active'), paused: t('paused'), done: t('done') };
  return html`<section aria-labelledby="settings">
    <h2 id="settings">${t('settings')}</h2>
    <div class="settings">
      ${choice(
        'status',
        t('status'),
        project.status,
        projectStatuses.map((value) => ({ value, label: statuses[value] })),
        trusted,
      )}
      ${choice(
        'autoCommit',
        t('autoCommit'),
        project.autoCommit,
        autoCommitModes.map((value) => ({ value, label: modes[value] })),
        trusted,
      )}
      ${choice(
        'joins',
        t('joins'),
        project.joinsByFolder ? 'folder' : 'hand',
        [
          { value: 'folder', label: t('joinsByFolder') },
          { value: 'hand', label: t('joinsByHand') },
        ],
        trusted,
      )}
    </div>
    <p class="quiet">${project.status === 'active' ? hints[project.autoCommit] : t('pausedHint')}</p>
    <button type="button" class="link" data-act="showSettings">${t('allSettings')}</button>
  </section>`;
}

function disk(bytes: number | null, { t, format }: ProjectSpeech): TemplateResult {
  const megabytes = Math.max(1, Math.round((bytes ?? 0) / 100_000)) / 10;
  return html`<section aria-labelledby="disk">
    <h2 id="disk">${t('disk')}</h2>
    <p>${bytes === null ? t('diskCounting') : t('diskBytes', format.number(megabytes))}</p>
  </section>`;
}
