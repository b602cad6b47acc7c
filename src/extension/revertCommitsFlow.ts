/** Reverting commits of turns that were taken back: the question, and what is said afterwards. No vscode. */
import type { TimelineApp } from '../app/timelineApp.ts';
import type { TurnCommit } from '../core/autoCommit.ts';
import { UserError } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import type { Localizer } from './localizer.ts';
import type { Ask } from './question.ts';
import { firstFew, firstLine } from './shortText.ts';

export interface RevertCommitsContext {
  readonly app: TimelineApp;
  readonly l10n: Localizer;
  readonly ask: Ask;
}

const mostNamed = 10;

/** @returns what to say; undefined when it was given up. @throws UserError `nothingToDo` and what reverting throws. */
export async function revertCommitsFlow(
  root: Root,
  { app, l10n, ask }: RevertCommitsContext,
): Promise<string | undefined> {
  const commits = await app.projects.revertable(root);
  if (commits.length === 0)
    throw new UserError(
      'nothingToDo',
      l10n.t('There is no commit to revert. Rewind turns that were committed first.'),
    );
  const { few, more } = firstFew(commits, mostNamed);
  const answer = await ask({
    message:
      commits.length === 1
        ? l10n.t('Revert the commit of this turn?')
        : l10n.t('Revert the commits of these {0} turns?', commits.length),
    detail: [
      ...few.map((commit) => lineOf(commit, app, l10n)),
      ...(more > 0 ? [l10n.t('and {0} more', more)] : []),
      '',
      l10n.t('One new commit each is made. No file changes: they have gone back already.'),
    ].join('\n'),
    choices: [{ id: 'revert', label: l10n.t('Revert Commits') }],
  });
  if (answer === undefined) return undefined;
  const reverted = await app.projects.revertCommits(
    root,
    commits.map(({ turn }) => turn),
  );
  const newest = reverted.at(-1)?.by.slice(0, 8) ?? '';
  return reverted.length === 1
    ? l10n.t('1 commit was reverted by {0}.', newest)
    : l10n.t('{0} commits were reverted; the newest commit is {1}.', reverted.length, newest);
}

function lineOf(commit: TurnCommit, app: TimelineApp, l10n: Localizer): string {
  const { number, prompt } = app.turn(commit.turn);
  const hash = commit.commit?.slice(0, 8) ?? '';
  return l10n.t('{0}, turn {1}: {2}', hash, number, firstLine(prompt, 60));
}
