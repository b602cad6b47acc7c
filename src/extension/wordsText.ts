/** A turn in its own words. Pure. */
import type { TurnSummary } from '../core/timeline.ts';
import { type Localizer, spokenAgent } from './localizer.ts';

export function wordsText(
  { number, agent, model, startedAt, prompt, reply, end }: TurnSummary,
  locale: string,
  l10n: Localizer,
): string {
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' });
  const facts = [
    spokenAgent(l10n, agent),
    ...(model === null ? [] : [model]),
    time.format(startedAt),
  ];
  const none = end === 'running' ? l10n.t('(not yet)') : l10n.t('(none recorded)');
  return [
    `# ${l10n.t('Turn {0}', number)}`,
    facts.join(' · '),
    `## ${l10n.t('Prompt')}`,
    prompt.trim() || l10n.t('(empty)'),
    `## ${l10n.t('Reply')}`,
    `${(reply ?? '').trim() || none}\n`,
  ].join('\n\n');
}
