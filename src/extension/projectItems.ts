/** Projects, their sessions and turns as rows of the Projects view. Pure. */
import type { ProjectSummary } from '../core/project.ts';
import type { SessionSummary, TurnSummary } from '../core/timeline.ts';
import { countFiles, countTurns, type Localizer, spokenAgent } from './localizer.ts';
import { firstLine, plainLabel } from './shortText.ts';

export interface Row {
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  /** Id of a product icon. */
  readonly icon: string;
  /** For the `when` clauses of menus. */
  readonly context: string;
}

const icons: Readonly<Record<ProjectSummary['status'], string>> = {
  active: 'project',
  paused: 'debug-pause',
  done: 'pass',
};

/** @param skipped why the newest turn of it was not committed, if that is so */
export function projectRow(
  project: ProjectSummary,
  isHere: boolean,
  skipped: string | null,
  l10n: Localizer,
): Row {
  const { name, description, workdir, isMissing, status, sessions, autoCommit } = project;
  const words = {
    active: l10n.t('active'),
    paused: l10n.t('paused'),
    done: l10n.t('done'),
  };
  const count =
    sessions.length === 1 ? l10n.t('1 session') : l10n.t('{0} sessions', sessions.length);
  const lines = [
    name,
    ...(description === '' ? [] : [description]),
    workdir,
    ...(isMissing ? [l10n.t('The folder cannot be found. Its sessions stay.')] : []),
    autoCommitText(autoCommit, l10n),
    ...(skipped === null ? [] : [skipped]),
  ];
  return {
    label: plainLabel(name),
    description: [
      isMissing ? l10n.t('folder missing') : words[status],
      count,
      ...(isHere ? [l10n.t('this folder')] : []),
    ].join(' · '),
    tooltip: lines.join('\n'),
    icon: isMissing || (skipped !== null && status === 'active') ? 'warning' : icons[status],
    context: ['project', status, ...(isMissing ? ['missing'] : [])].join('.'),
  };
}

/** What becomes of agents' work in a project: a sentence. */
export function autoCommitText(mode: ProjectSummary['autoCommit'], l10n: Localizer): string {
  switch (mode) {
    case 'off':
      return l10n.t('Agents’ work is not committed.');
    case 'whenClean':
      return l10n.t('Agents’ work is committed while nothing of yours is uncommitted.');
    case 'agentPathsOnly':
      return l10n.t('Agents’ work is committed where only the agent changed a file.');
    case 'separateHunks':
      return l10n.t(
        'Agents’ work is committed; in files you changed too, the agent’s part of them.',
      );
  }
}

export function sessionRow(session: SessionSummary, locale: string, l10n: Localizer): Row {
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const agent = spokenAgent(l10n, session.agent);
  return {
    label: plainLabel(firstLine(session.title, 100)),
    description: `${agent} · ${countTurns(l10n, session.turns)}`,
    tooltip: [firstLine(session.title, 300), agent, time.format(session.updatedAt)].join('\n'),
    icon: 'comment-discussion',
    context: 'session',
  };
}

export function turnRow(turn: TurnSummary, l10n: Localizer): Row {
  const { number, prompt, files, rewoundBy, end, autoCommit } = turn;
  const commit = autoCommit?.commit?.slice(0, 8);
  return {
    label: plainLabel(
      l10n.t('Turn {0}: {1}', number, firstLine(prompt, 100) || l10n.t('(empty prompt)')),
    ),
    description: [
      ...(files.length === 0 ? [] : [countFiles(l10n, files.length)]),
      ...(commit === undefined ? [] : [commit]),
      ...(rewoundBy === null ? [] : [l10n.t('taken back')]),
      ...(end === 'running' ? [l10n.t('running')] : []),
    ].join(' · '),
    tooltip: firstLine(prompt, 300),
    icon: rewoundBy === null ? (commit === undefined ? 'circle-outline' : 'git-commit') : 'discard',
    context: 'turn',
  };
}
