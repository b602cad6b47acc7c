/** Sessions, their branches and messages found in them, as entries of a quick pick. Pure. */
import type { BranchSummary, HistoryTurn, SearchHit } from '../core/history.ts';
import type { SessionId } from '../core/ids.ts';
import { countTurns, type Localizer, spokenAgent } from './localizer.ts';
import { messageName } from './messageText.ts';
import type { PickEntry } from './question.ts';
import { firstLine, plainLabel } from './shortText.ts';
import type { SessionInFolder } from './timelineModel.ts';

type Item<T> = Extract<PickEntry<T>, { kind: 'item' }>;

/** @param active the session that Enter picks */
export function sessionEntries(
  sessions: readonly SessionInFolder[],
  active: SessionId | undefined,
  locale: string,
  l10n: Localizer,
): readonly Item<SessionId>[] {
  const age = shortTime(locale);
  return sessions.map(({ summary, folder }) => ({
    kind: 'item',
    label: plainLabel(summary.title),
    description: `${spokenAgent(l10n, summary.agent)} · ${folder}`,
    detail: `${countTurns(l10n, summary.turns)} · ${age.format(summary.updatedAt)}`,
    value: summary.id,
    active: summary.id === active,
  }));
}

/** @param looked the branch that is looked at: Enter picks it */
export function branchEntries(
  branches: readonly BranchSummary[],
  turns: readonly HistoryTurn[],
  looked: string,
  l10n: Localizer,
): readonly Item<BranchSummary>[] {
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  return branches.map((branch) => {
    const from = branch.forkedFrom === null ? undefined : byId.get(branch.forkedFrom);
    return {
      kind: 'item',
      label: branch.name,
      description: [
        countTurns(l10n, branch.turns),
        ...(from === undefined ? [] : [l10n.t('goes on from turn {0}', from.number)]),
        ...(branch.isCurrent ? [l10n.t('newest')] : []),
        ...(branch.name === looked ? [l10n.t('next prompt goes on from here')] : []),
      ].join(' · '),
      detail: plainLabel(firstLine(byId.get(branch.tip)?.prompt ?? '', 100)),
      icon: 'git-branch',
      value: branch,
      active: branch.name === looked,
    };
  });
}

/** Messages of several searches, newest first. */
export function newestHits(
  found: readonly (readonly SearchHit[])[],
  most: number,
): readonly SearchHit[] {
  return found
    .flat()
    .toSorted((a, b) => b.node.createdAt - a.node.createdAt || b.node.seq - a.node.seq)
    .slice(0, most);
}

/** First line, turn, agent, time; below the session, and what was found unless the first line shows it. */
export function hitEntries(
  hits: readonly SearchHit[],
  locale: string,
  l10n: Localizer,
): readonly Item<SearchHit>[] {
  const time = shortTime(locale);
  return hits.map((hit) => {
    const { node, title, agent, number, excerpt } = hit;
    const own = node.content.trim() === '' ? (node.input ?? '') : node.content;
    const line = firstLine(own, 100);
    const isShown = line.includes(excerpt.replace(/…$/, ''));
    return {
      kind: 'item',
      label: plainLabel(line === '' ? messageName(node, l10n) : line),
      description: plainLabel(
        [
          l10n.t('turn {0}, {1}', number, messageName(node, l10n)),
          spokenAgent(l10n, agent),
          time.format(node.createdAt),
        ].join(' · '),
      ),
      detail: plainLabel([firstLine(title, 60), ...(isShown ? [] : [excerpt])].join(' · ')),
      value: hit,
    };
  });
}

function shortTime(locale: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
}
