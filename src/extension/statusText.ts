/** The words of the status bar item. Pure. */
import type { Localizer } from './localizer.ts';

export interface StatusFacts {
  readonly folder: string;
  /** That of the folder, if any. */
  readonly project: StatusProject | undefined;
  /** Number of the turn looked at; 0 when there is none. */
  readonly cursor: number;
  readonly total: number;
  /** Prompt of the turn looked at, one line. */
  readonly prompt: string;
  /** The agent works on the last turn. */
  readonly running: boolean;
  /** What we are doing, if anything: a sentence. */
  readonly busy: string | null;
}

export interface StatusProject {
  readonly name: string;
  /** As `shortFolder` has it. */
  readonly folder: string;
  /** Why its newest turn was not committed: a sentence. */
  readonly skipped: string | null;
}

export interface StatusText {
  readonly text: string;
  readonly tooltip: string;
  /** For screen readers: no icon, no abbreviation. */
  readonly label: string;
  /** Something was not committed that should have been. */
  readonly isWarning: boolean;
}

export function statusText(facts: StatusFacts, l10n: Localizer): StatusText {
  const { project, total, cursor } = facts;
  const skipped = project?.skipped ?? null;
  const isWarning = skipped !== null;
  const icon = facts.busy !== null ? '$(loading~spin)' : isWarning ? '$(warning)' : '$(history)';
  const name = project?.name ?? facts.folder;
  // A folder that is called as its project is said once.
  const isSaid = project === undefined || project.folder.split(/[\\/]/).at(-1) === name;
  const shown = isSaid ? [name] : [name, project.folder];
  const turn = total === 0 ? [] : [l10n.t('turn {0}/{1}', cursor, total)];
  const lines = [
    ...(project === undefined ? [] : [l10n.t('Project {0} in {1}', project.name, project.folder)]),
    total === 0
      ? l10n.t('No agent turn recorded in {0} yet.', facts.folder)
      : l10n.t('Turn {0} of {1} in {2}: {3}', cursor, total, facts.folder, facts.prompt),
    ...(facts.running ? [l10n.t('The agent is working.')] : []),
    ...(facts.busy === null ? [] : [facts.busy]),
    ...(skipped === null ? [] : [skipped]),
    project === undefined
      ? l10n.t('Click to open the timeline.')
      : l10n.t('Click to open the page of the project.'),
  ];
  const label =
    total === 0
      ? l10n.t('Memcode Timeline: {0}, no turns', name)
      : l10n.t('Memcode Timeline: {0}, turn {1} of {2}', name, cursor, total);
  return {
    text: `${icon} ${[...shown, ...turn].map(plain).join(' · ')}`,
    tooltip: lines.join('\n'),
    label: isWarning ? `${label}. ${skipped}` : label,
    isWarning,
  };
}

/** A name cannot bring an icon with it. */
function plain(text: string): string {
  return text.replaceAll('$(', '\\$(');
}

/** A folder in few characters: `~` for the person's own, and the last two names of what is long. */
export function shortFolder(folder: string, userHome: string, separator: string): string {
  const below = folder.startsWith(userHome + separator);
  const known = below ? `~${folder.slice(userHome.length)}` : folder;
  const names = known.split(separator);
  const isShort = known.length <= longestFolder || names.length <= 3;
  return isShort ? known : ['…', ...names.slice(-2)].join(separator);
}

const longestFolder = 24;
