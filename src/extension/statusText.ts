/** The words of the status bar item. Pure. */
import type { Localizer } from './localizer.ts';

export interface StatusFacts {
  readonly folder: string;
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

export interface StatusText {
  readonly text: string;
  readonly tooltip: string;
  /** For screen readers: no icon, no abbreviation. */
  readonly label: string;
}

export function statusText(facts: StatusFacts, l10n: Localizer): StatusText {
  const icon = facts.busy === null ? '$(history)' : '$(loading~spin)';
  const folder = facts.folder.replaceAll('$(', '\\$(');
  const click = l10n.t('Click to open the timeline.');
  if (facts.total === 0) {
    const tooltip = `${l10n.t('No agent turn recorded in {0} yet.', facts.folder)}\n${click}`;
    return {
      text: `${icon} ${folder}`,
      tooltip,
      label: l10n.t('Memcode Timeline: {0}, no turns', facts.folder),
    };
  }
  const lines = [
    l10n.t('Turn {0} of {1} in {2}: {3}', facts.cursor, facts.total, facts.folder, facts.prompt),
    ...(facts.running ? [l10n.t('The agent is working.')] : []),
    ...(facts.busy === null ? [] : [facts.busy]),
    click,
  ];
  return {
    text: `${icon} ${folder} · ${l10n.t('turn {0}/{1}', facts.cursor, facts.total)}`,
    tooltip: lines.join('\n'),
    label: l10n.t(
      'Memcode Timeline: {0}, turn {1} of {2}',
      facts.folder,
      facts.cursor,
      facts.total,
    ),
  };
}
