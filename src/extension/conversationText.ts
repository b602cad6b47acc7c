/** A whole conversation with its branches as one text: an outline, then every prompt and reply. Pure. */
import type { BranchSummary, HistoryTurn, Position } from '../core/history.ts';
import type { SessionSummary, ToolCount } from '../core/timeline.ts';
import { branchGraph } from './branchGraph.ts';
import { countTurns, type Localizer, spokenAgent } from './localizer.ts';
import { firstLine } from './shortText.ts';

export interface Conversation {
  readonly summary: SessionSummary;
  /** Of all branches, oldest first. */
  readonly turns: readonly HistoryTurn[];
  readonly branches: readonly BranchSummary[];
  readonly position: Position;
}

/** Prompts and replies stand there as they are: in the text editor nothing of them is more than text. */
export function conversationText(
  { summary, turns, branches, position }: Conversation,
  locale: string,
  l10n: Localizer,
): string {
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  const begins = new Map<string, string>();
  for (const turn of turns) {
    if (begins.has(turn.branch)) continue;
    const parent = turn.parent === null ? undefined : byId.get(turn.parent);
    const from = parent === undefined ? '' : `, ${l10n.t('goes on from turn {0}', parent.number)}`;
    begins.set(turn.branch, branches.length > 1 ? ` (${turn.branch}${from})` : '');
  }
  const graph = branchGraph(turns);
  const seen = new Set<string>();
  const outline = turns.map((turn, line) => {
    const begin = seen.has(turn.branch) ? '' : (begins.get(turn.branch) ?? '');
    seen.add(turn.branch);
    const mark = turn.id === position.turn ? ` ← ${l10n.t('next prompt goes on from here')}` : '';
    return `    ${graph[line]} ${turn.number}${begin} ${firstLine(turn.prompt, 100)}${mark}`;
  });
  const facts = [
    spokenAgent(l10n, summary.agent),
    summary.root,
    time.format(summary.startedAt),
    countTurns(l10n, turns.length),
    ...(branches.length > 1 ? [l10n.t('{0} branches', branches.length)] : []),
  ];
  return [
    `# ${firstLine(summary.title, 200)}`,
    facts.join(' · '),
    ...(outline.length === 0 ? [] : [outline.join('\n')]),
    ...turns.flatMap((turn) => [
      `## ${headOf(turn, branches.length > 1, time, l10n)}`,
      `### ${l10n.t('Prompt')}`,
      turn.prompt.trim() || l10n.t('(empty)'),
      `### ${l10n.t('Reply')}`,
      (turn.reply ?? '').trim() ||
        (turn.end === 'running' ? l10n.t('(not yet)') : l10n.t('(none recorded)')),
    ]),
  ]
    .join('\n\n')
    .concat('\n');
}

function headOf(
  { number, branch, startedAt, tools, imported }: HistoryTurn,
  isForked: boolean,
  time: Intl.DateTimeFormat,
  l10n: Localizer,
): string {
  return [
    l10n.t('Turn {0}', number),
    ...(isForked ? [branch] : []),
    time.format(startedAt),
    ...(tools.length === 0 ? [] : [tools.map(toolText).join(', ')]),
    ...(imported ? [l10n.t('imported')] : []),
  ].join(' · ');
}

function toolText({ name, count }: ToolCount): string {
  return count === 1 ? name : `${name} ×${count}`;
}
