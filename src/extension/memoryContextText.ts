/** What an agent is given of memory, as a text for people: sizes and sources first, then the exact words. Pure. */
import type { ShownMemory } from '../app/memoryContextUse.ts';
import type { ComposedSource } from '../core/composedMemory.ts';
import type { Localizer } from './localizer.ts';

/** @param who the agent, or undefined for all. */
export function memoryContextText(
  shown: ShownMemory,
  who: string | undefined,
  l10n: Localizer,
): string {
  const { composed, isGiven, ownDocuments, documents, problems } = shown;
  const { text, characters, tokens, budget, sources } = composed;
  const notes = [
    ...(isGiven
      ? []
      : [l10n.t('Giving memory to agents is switched off: nothing of this is given.')]),
    ...(documents.isTrusted
      ? []
      : [l10n.t('This folder is not trusted: none of its documents is read.')]),
    ...sources.map((source) => sourceLine(source, l10n)),
    ...ownDocuments.map(({ label }) => l10n.t('{0}: it reads this one by itself', label)),
    ...documents.skipped.map(({ label, reason }) => l10n.t('{0}: left out, {1}', label, reason)),
    ...documents.importProblems.map(({ label, line, reason }) =>
      l10n.t('{0}: left out, {1}', `${label}, ${line}`, reason),
    ),
    ...problems.map(({ path, text: sentence }) => `${path}: ${sentence}`),
  ];
  const head =
    text === ''
      ? l10n.t('Agents are given nothing here.')
      : l10n.t(
          '{0} characters, about {1} tokens, of {2} bytes at most. In other scripts than Latin it may be twice as many tokens.',
          characters,
          tokens,
          budget,
        );
  const title =
    who === undefined
      ? l10n.t('What agents are given when a session starts here')
      : l10n.t('What {0} is given when a session starts here', who);
  return [
    title,
    head,
    ...notes.map((note) => `- ${note}`),
    ...(text === '' ? [] : ['', text]),
    '',
  ].join('\n');
}

function sourceLine({ kind, label, given, size }: ComposedSource, l10n: Localizer): string {
  const what = `${kind} ${label}`;
  return given === size
    ? l10n.t('{0}: {1} bytes', what, size)
    : l10n.t('{0}: {1} of {2} bytes, the rest is left out', what, given, size);
}
