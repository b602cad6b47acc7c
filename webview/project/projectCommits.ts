/** What became of the turns of a project, newest first. */
import { html, nothing, type TemplateResult } from 'lit';
import type { ProjectCommitRow, ProjectRow } from '../../src/protocol/projectMessages.ts';
import { plainPath } from '../turnText.ts';
import { ago, counted, type ProjectSpeech } from './projectSpeech.ts';

export function commitsSection(
  commits: readonly ProjectCommitRow[],
  { autoCommit }: ProjectRow,
  trusted: boolean,
  speech: ProjectSpeech,
): TemplateResult {
  const { t } = speech;
  const none = autoCommit === 'off' ? t('noCommitsOff') : t('noCommits');
  return html`<section aria-labelledby="commits">
    <h2 id="commits">${t('commits')}</h2>
    ${
      commits.length === 0
        ? html`<p class="quiet">${none}</p>`
        : html`<ul class="rows">
            ${commits.map((commit) => commitRow(commit, trusted, speech))}
          </ul>`
    }
  </section>`;
}

function commitRow(
  commit: ProjectCommitRow,
  trusted: boolean,
  speech: ProjectSpeech,
): TemplateResult {
  const { t, format } = speech;
  const { turn, number, prompt, state, at, files, why } = commit;
  return html`<li class="commit" data-state=${state}>
    <button type="button" class="link name" data-act="openTurn" data-turn=${turn}>
      ${t('commitLabel', number, prompt === '' ? t('emptyPrompt') : plainPath(prompt))}
    </button>
    <span class="state">${stateText(commit, speech)}</span>
    ${files === 0 ? nothing : html`<span class="quiet">${counted(files, 'filesOne', 'filesMany', speech)}</span>`}
    <span class="quiet" title=${format.absolute(at)}>${ago(at, speech)}</span>
    ${why === '' ? nothing : html`<p class="why">${plainPath(why)}</p>`}
    ${
      commit.canCommit && trusted
        ? html`<vscode-button appearance="secondary" data-act="commitTurn" data-turn=${turn}
            >${t('commitTurn')}</vscode-button
          >`
        : nothing
    }
  </li>`;
}

function stateText(
  { state, commit, branch, revertedBy }: ProjectCommitRow,
  { t }: ProjectSpeech,
): string {
  if (commit !== null && revertedBy !== null)
    return t('revertedBy', commit.slice(0, 8), revertedBy.slice(0, 8));
  if (commit !== null) return t('committedAs', commit.slice(0, 8), plainPath(branch ?? ''));
  return t(state === 'waiting' ? 'waiting' : 'skipped');
}
