/** Versions of a file of memory as entries of a quick pick, newest first. Pure. */
import type { MemoryVersion } from '../app/memoryUse.ts';
import { agentName } from '../core/agentName.ts';
import type { Localizer } from './localizer.ts';
import type { PickEntry } from './question.ts';
import { firstLine, plainLabel } from './shortText.ts';

export type VersionChoice =
  | { readonly act: 'show'; readonly version: MemoryVersion }
  | {
      readonly act: 'restore';
      readonly version: MemoryVersion;
      readonly side: 'before' | 'after';
    };

/** @param numberOf of the turn that made a change, where it is known */
export function versionEntries(
  versions: readonly MemoryVersion[],
  numberOf: (version: MemoryVersion) => number | undefined,
  locale: string,
  l10n: Localizer,
): readonly PickEntry<VersionChoice>[] {
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
  return versions.map((version) => {
    const { touch, before, after } = version;
    const number = numberOf(version);
    // What a removal took is what one wants back of it.
    const side = touch.after === null ? 'before' : 'after';
    const isKept = version[side] !== undefined && version[side] !== null;
    return {
      kind: 'item',
      label: changeText(version, l10n),
      description: [
        writerText(version, l10n),
        ...(number === undefined ? [] : [l10n.t('turn {0}', number)]),
        time.format(touch.at),
      ].join(' · '),
      detail: plainLabel(firstLine(lastLine(after ?? before ?? ''), 120)),
      icon: touch.before === null ? 'add' : touch.after === null ? 'trash' : 'edit',
      value: { act: 'show', version },
      buttons: isKept
        ? [
            {
              icon: 'discard',
              tooltip: l10n.t('Bring This Text Back'),
              value: { act: 'restore', version, side },
            },
          ]
        : [],
    };
  });
}

function changeText({ touch }: MemoryVersion, l10n: Localizer): string {
  if (touch.before === null) return l10n.t('Written');
  return touch.after === null ? l10n.t('Removed') : l10n.t('Changed');
}

function writerText({ touch: { origin } }: MemoryVersion, l10n: Localizer): string {
  switch (origin.actor) {
    case 'person':
      return l10n.t('you');
    case 'undo':
      return l10n.t('an undo');
    case 'agent':
      return agentName(origin.agent ?? '') ?? l10n.t('an agent');
    default:
      return origin.actor satisfies never;
  }
}

/** Files of notes begin with their front matter. */
function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}
