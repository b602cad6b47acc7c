/** All memory as it was when a turn ended, as a text for people. Pure. */
import type { MemoryMoment } from '../app/memoryUse.ts';
import type { FactScope, MemoryScope } from '../core/memory.ts';
import type { TurnSummary } from '../core/timeline.ts';
import type { Localizer } from './localizer.ts';
import { firstLine } from './shortText.ts';

/** Bodies are marked line by line: no text can look like a heading of ours. */
export function momentText(
  { notes, sheets, gone }: MemoryMoment,
  turn: Pick<TurnSummary, 'number' | 'prompt'>,
  l10n: Localizer,
): string {
  const title = l10n.t('Memory after turn {0}: {1}', turn.number, firstLine(turn.prompt, 100));
  const facts = sheets
    .filter((sheet) => sheet.facts.length > 0)
    .map((sheet) =>
      [
        `## ${factsTitle(sheet.scope, l10n)}`,
        sheet.facts.map(({ key, value }) => `- ${key}: ${value}`).join('\n'),
      ].join('\n\n'),
    );
  const parts = notes.map(({ name, scope, isShadowed, body }) => {
    const hidden = isShadowed ? `\n\n${l10n.t('This project’s note of that name counts.')}` : '';
    return `## ${firstLine(name, 200)} (${noteTitle(scope, l10n)})${hidden}\n\n${quoted(body)}`;
  });
  const nothing = l10n.t('Nothing was remembered.');
  const lost = gone.map((file) =>
    l10n.t('The text of {0} at that time is not kept any more.', file),
  );
  const all = [...facts, ...parts, ...lost];
  return `${[`# ${title}`, ...(all.length === 0 ? [nothing] : all)].join('\n\n').trimEnd()}\n`;
}

function factsTitle(scope: FactScope, l10n: Localizer): string {
  return scope === 'profile' ? l10n.t('Facts about you') : l10n.t('Facts about this project');
}

function noteTitle(scope: MemoryScope, l10n: Localizer): string {
  return scope === 'project' ? l10n.t('note of this project') : l10n.t('note for all projects');
}

function quoted(body: string): string {
  return body
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}
