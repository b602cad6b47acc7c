/** Whether what turns wrote to memory goes with them: asked only where they wrote something. Pure. */
import type { MemoryChoice } from '../core/memory.ts';
import { memoryLabel } from '../core/memoryLabel.ts';
import type { MemoryPreview, PlannedAct } from '../core/timeline.ts';
import type { Plan } from './conflictChoice.ts';
import type { Localizer } from './localizer.ts';
import type { Question } from './question.ts';

const mostNamed = 12;

export function memoryQuestion(
  { paths, conflicts, notRestorable }: MemoryPreview,
  l10n: Localizer,
): Question<MemoryChoice> {
  const lines = paths.map(({ path, act }) => actLine(titleOf(path), act, l10n));
  const more = lines.length - mostNamed;
  const named = [
    ...lines.slice(0, mostNamed),
    ...(more > 0 ? [l10n.t('and {0} more', more)] : []),
  ].join('\n');
  const stays = [...conflicts, ...notRestorable].map(({ path, reason }) =>
    l10n.t('{0} stays: {1}', titleOf(path), reason),
  );
  return {
    message: l10n.t('Take back what these turns remembered, too?'),
    detail: [named, stays.join('\n'), l10n.t('Undoing it later brings this back as well.')]
      .filter((part) => part !== '')
      .join('\n\n'),
    choices: [
      { id: 'keep', label: l10n.t('Keep Memory') },
      { id: 'take-back', label: l10n.t('Take Back Memory Too') },
    ],
  };
}

/** There is something to ask about. */
export function wroteMemory(memory: MemoryPreview | undefined): memory is MemoryPreview {
  return memory !== undefined && memory.paths.length > 0;
}

/** What of memory cannot go back stands among the files that cannot, where memory goes with them. */
export function withMemory<P extends Plan>(plan: P, memory: MemoryPreview | undefined): P {
  if (memory === undefined || memory.notRestorable.length === 0) return plan;
  const lost = memory.notRestorable.map(({ path, reason }) => ({ path: titleOf(path), reason }));
  return { ...plan, notRestorable: [...plan.notRestorable, ...lost] };
}

/** At the beginning of a line. */
function titleOf(path: string): string {
  const label = memoryLabel(path);
  return label.charAt(0).toUpperCase() + label.slice(1);
}

function actLine(name: string, act: PlannedAct, l10n: Localizer): string {
  switch (act) {
    case 'create':
      return l10n.t('{0} comes back', name);
    case 'delete':
      return l10n.t('{0} is forgotten', name);
    case 'write':
    case 'none':
      return l10n.t('{0} gets its earlier text', name);
  }
}
