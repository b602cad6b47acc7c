/** What people are told when an agent's work was not committed, and what they can do about it. Pure. */
import type { SkipReason, TurnCommit } from '../core/autoCommit.ts';
import { isQuiet, skipText } from '../core/autoCommitText.ts';
import type { ProjectSummary } from '../core/project.ts';
import type { Localizer } from './localizer.ts';
import type { Choice } from './question.ts';

export type NoticeChoice = 'commit' | 'branch' | 'show' | 'mute';

export interface Notice {
  readonly message: string;
  readonly choices: readonly Choice<NoticeChoice>[];
}

/** Somebody else's work was in the way: it can be left out. */
const besideTheAgents: ReadonlySet<SkipReason> = new Set<SkipReason>([
  'userChanges',
  'userStaged',
  'changedBefore',
  'changedByOthers',
  'unattributed',
]);

/** Whether to commit the agent's own files alone may come to more than what was done. */
export function canCommitAgentPaths({ state, reason }: TurnCommit): boolean {
  return state === 'skipped' && reason !== null && besideTheAgents.has(reason);
}

/** @param number of the turn, as people see it */
export function skipNotice(
  commit: TurnCommit,
  project: Pick<ProjectSummary, 'name' | 'autoCommit'>,
  number: number,
  l10n: Localizer,
): Notice {
  const canCommit = canCommitAgentPaths(commit) && project.autoCommit === 'whenClean';
  return {
    message: l10n.t('{0}, turn {1}: {2}', project.name, number, skipText(commit) ?? ''),
    choices: [
      ...(canCommit
        ? [{ id: 'commit', label: l10n.t("Commit Only the Agent's Files") } as const]
        : []),
      ...(commit.reason === 'detachedHead'
        ? [{ id: 'branch', label: l10n.t('Create Branch…') } as const]
        : []),
      { id: 'show', label: l10n.t('Show Changes') },
      { id: 'mute', label: l10n.t("Don't Show Again") },
    ],
  };
}

/** What became of a commit that a person asked for. */
export function committedText(
  commit: TurnCommit,
  project: Pick<ProjectSummary, 'name'>,
  number: number,
  l10n: Localizer,
): string {
  return commit.commit === null
    ? l10n.t('{0}, turn {1}: {2}', project.name, number, skipText(commit) ?? '')
    : l10n.t(
        'Turn {0} was committed as {1}. From now on only the agent’s own files are committed in {2}.',
        number,
        commit.commit.slice(0, 8),
        project.name,
      );
}

/** The newest decision of a project, as long as it is one that somebody should know of. */
export function standingSkip(newest: TurnCommit | undefined): string | null {
  if (newest?.state !== 'skipped' || newest.reason === null || isQuiet(newest.reason)) return null;
  return skipText(newest) ?? null;
}
