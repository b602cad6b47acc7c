/** What the templates of the history page need besides their data. */
import { agentName as knownAgentName } from '../../src/core/agentName.ts';
import { type HistoryStringId, historyStrings } from '../../src/protocol/historyStrings.ts';
import type { Formatter } from '../formatter.ts';
import { type TranslateIds, translatorOf } from '../translate.ts';

export type HistoryTranslate = TranslateIds<HistoryStringId>;

export interface HistorySpeech {
  readonly t: HistoryTranslate;
  readonly format: Formatter;
  /** Milliseconds since 1970 at the host, moving on. */
  readonly now: number;
}

export function historyTranslator(strings: Readonly<Record<string, string>>): HistoryTranslate {
  return translatorOf(strings, historyStrings);
}

export function spokenAgent(agent: string, { t }: HistorySpeech): string {
  return knownAgentName(agent) ?? t('unknownAgent');
}

export function ago(
  at: number,
  { t, format, now }: HistorySpeech,
  style: 'narrow' | 'long',
): string {
  return format.relative(at, now, style) ?? t('now');
}

/** `1 file`, `3 files`; the two ids that end in `One` and `Many`. */
export function counted(
  count: number,
  of: 'files' | 'tools' | 'turns',
  { t, format }: HistorySpeech,
): string {
  return count === 1 ? t(`${of}One`) : t(`${of}Many`, format.number(count));
}
