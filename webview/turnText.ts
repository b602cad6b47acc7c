/** A turn in words: what its row shows and what a screen reader says. Pure. */
import { agentName as knownAgentName } from '../src/core/agentName.ts';
import { isQuiet, skipText } from '../src/core/autoCommitText.ts';
import type { Lines } from '../src/core/lineSums.ts';
import type { Change, ToolCount, TouchSummary, TurnEnd } from '../src/core/timeline.ts';
import type { TurnRow } from '../src/protocol/messages.ts';
import type { ViewStringId } from '../src/protocol/viewStrings.ts';
import type { Formatter } from './formatter.ts';
import type { Translate } from './strings.ts';

/** What templates need besides their data. */
export interface Speech {
  readonly t: Translate;
  readonly format: Formatter;
  /** Milliseconds since 1970 at the host, moving on. */
  readonly now: number;
}

export function agentName(agent: string, { t }: Speech): string {
  return knownAgentName(agent) ?? t('unknownAgent');
}

export const endIds: Readonly<Record<TurnEnd, ViewStringId>> = {
  running: 'running',
  stop: 'finished',
  interrupt: 'interrupted',
  failed: 'failed',
  nextPrompt: 'endedByPrompt',
  sessionEnd: 'endedBySession',
  stale: 'stale',
};

export const changeLetters: Readonly<Record<Change, string>> = {
  added: 'A',
  modified: 'M',
  deleted: 'D',
  mode: 'M',
  type: 'T',
};

/** The first line that says something. */
export function promptLine(prompt: string, { t }: Speech): string {
  const line = prompt.split(/\r\n|[\n\r\u2028\u2029]/).find((text) => text.trim() !== '');
  return line?.trim() ?? t('emptyPrompt');
}

/** Text for one line: control characters and direction overrides, which could disguise a path, are made visible. */
export function plainPath(path: string): string {
  return path.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}

export function relativeTime(at: number, speech: Speech, style: 'narrow' | 'long'): string {
  return speech.format.relative(at, speech.now, style) ?? speech.t('now');
}

export function filesText(count: number, { t, format }: Speech): string {
  if (count === 0) return t('noFiles');
  return count === 1 ? t('filesOne') : t('filesMany', format.number(count));
}

/** The lines of one file; null where they are not known. */
export function linesOf({ added, removed }: TouchSummary): Lines | null {
  return added === null || removed === null ? null : { added, removed };
}

export function linesSpoken(lines: Lines, { t, format }: Speech): string {
  const added = t('linesAdded', format.number(lines.added));
  return `${added}, ${t('linesRemoved', format.number(lines.removed))}`;
}

export function toolsText(tools: readonly ToolCount[], { t, format }: Speech): string {
  return tools
    .map(({ name, count }) => (count === 1 ? name : t('toolMany', name, format.number(count))))
    .join(', ');
}

/** The row's accessible name: everything the row shows by place, shape or colour, in words. */
export function spokenTurn(row: TurnRow, current: boolean, speech: Speech): string {
  const { t } = speech;
  const { lines } = row;
  const parts = [
    t('turnLabel', row.number, promptLine(row.prompt, speech)),
    current ? t('current') : '',
    t(endIds[row.end]),
    agentName(row.agent, speech),
    relativeTime(row.startedAt, speech, 'long'),
    filesText(row.fileCount, speech),
    lines === null ? '' : linesSpoken(lines, speech),
    row.tools.length === 0 ? '' : t('toolsSpoken', toolsText(row.tools, speech)),
    ...marksOf(row, speech).map((mark) => mark.text),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** What it found is still there to go back to. */
export function isStored(row: TurnRow): boolean {
  return row.prunedAt === null && row.damaged === null;
}

export interface Mark {
  readonly kind: 'rewound' | 'damaged' | 'warning' | 'failed' | 'plain';
  readonly text: string;
  readonly hint: string;
}

/** What is out of the ordinary about a turn; most turns have none. */
export function marksOf(row: TurnRow, speech: Speech): readonly Mark[] {
  const { t, format } = speech;
  const marks: Mark[] = [];
  if (row.rewoundBy !== null) {
    marks.push({ kind: 'rewound', text: t('takenBack'), hint: takenBackHint(row, speech) });
  }
  if (row.partly !== null) marks.push(partlyMark(row.partly, speech));
  if (row.damaged !== null) {
    marks.push({ kind: 'damaged', text: t('damaged'), hint: t('damagedHint', row.damaged) });
  }
  if (row.imported === true) {
    marks.push({ kind: 'plain', text: t('imported'), hint: t('importedHint') });
  } else if (row.prunedAt !== null) {
    marks.push({ kind: 'plain', text: t('pruned'), hint: t('prunedHint') });
  }
  const skipped = uncommitted(row);
  if (skipped !== undefined)
    marks.push({ kind: 'plain', text: t('notCommitted'), hint: plainPath(skipped) });
  const unsaved = row.unprotected.length;
  if (unsaved > 0) {
    const text = unsaved === 1 ? t('unprotectedOne') : t('unprotectedMany', format.number(unsaved));
    const hint = row.unprotected
      .map(({ path, reason }) => t('unprotectedPath', plainPath(path), reason))
      .join('\n');
    marks.push({ kind: 'warning', text, hint });
  }
  if (row.uncapturedShell) {
    marks.push({ kind: 'warning', text: t('uncapturedShell'), hint: t('uncapturedShellHint') });
  }
  return marks;
}

/** Why a turn of a committing project was not committed, where somebody should know. */
function uncommitted({ autoCommit, rewoundBy }: TurnRow): string | undefined {
  if (autoCommit?.state !== 'skipped' || autoCommit.reason === null || rewoundBy !== null)
    return undefined;
  return isQuiet(autoCommit.reason) ? undefined : skipText(autoCommit);
}

/** Its commit, as short as people name it; nothing where there is none. */
export function commitText({ autoCommit }: TurnRow, { t }: Speech): readonly string[] {
  if (autoCommit === undefined || autoCommit.commit === null) return [];
  const { commit, revertedBy } = autoCommit;
  const short = commit.slice(0, 8);
  return revertedBy === undefined
    ? [t('commit', short)]
    : [t('commitReverted', short, revertedBy.slice(0, 8))];
}

/** The row's time is the turn's: this one is the operation's. */
export function takenBackHint({ takenBack }: TurnRow, speech: Speech): string {
  const { t } = speech;
  if (takenBack === null) return t('takenBackHint');
  return t('takenBackBy', takenBack.label, relativeTime(takenBack.at, speech, 'long'));
}

function partlyMark({ label, at, kept }: NonNullable<TurnRow['partly']>, speech: Speech): Mark {
  const { t, format } = speech;
  const when = relativeTime(at, speech, 'long');
  if (kept.length === 0)
    return { kind: 'warning', text: t('partlyNone'), hint: t('partlyNoneHint', label, when) };
  const names = kept.map(plainPath).join(', ');
  return {
    kind: 'warning',
    text: kept.length === 1 ? t('partlyOne') : t('partlyMany', format.number(kept.length)),
    hint: t('partlyHint', label, when, names),
  };
}
