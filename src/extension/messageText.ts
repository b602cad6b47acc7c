/** One message of a conversation in full. Pure. */
import type { MessageNode } from '../core/history.ts';
import type { TurnSummary } from '../core/timeline.ts';
import { inputText } from '../core/toolInput.ts';
import { type Localizer, spokenAgent } from './localizer.ts';

/** Prompt, reply, or the tool's own name. */
export function messageName({ role, name }: MessageNode, l10n: Localizer): string {
  if (role === 'user') return l10n.t('prompt');
  if (role === 'assistant') return l10n.t('reply');
  return (name ?? l10n.t('tool')).replaceAll(/\s+/g, ' ').trim();
}

/** What it says stands there as it is: in the text editor nothing of it is more than text. */
export function messageText(
  node: MessageNode,
  { number, agent }: Pick<TurnSummary, 'number' | 'agent'>,
  locale: string,
  l10n: Localizer,
): string {
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' });
  const facts = [
    spokenAgent(l10n, agent),
    ...(node.model === null ? [] : [node.model]),
    time.format(node.createdAt),
    ...(node.failed ? [l10n.t('failed')] : []),
  ];
  const content = node.content.trim() || l10n.t('(empty)');
  return [
    `# ${l10n.t('Turn {0}', number)}: ${messageName(node, l10n)}`,
    facts.join(' · '),
    ...(node.said === null ? [] : [node.said.trim()]),
    ...(node.input === null ? [] : [`## ${l10n.t('Input')}`, inputText(node.input)]),
    ...(node.role === 'tool' ? [`## ${l10n.t('Result')}`] : []),
    `${content}\n`,
  ].join('\n\n');
}
