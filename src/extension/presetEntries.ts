/** Presets as entries of a quick pick. Pure. */
import { noPreset, type PresetSet } from '../core/presets.ts';
import type { Localizer } from './localizer.ts';
import type { PickEntry } from './question.ts';
import { firstLine, plainLabel } from './shortText.ts';

export type PresetChoice =
  | { readonly act: 'use' | 'edit'; readonly preset: string }
  | { readonly act: 'add' };

export function presetEntries(
  { active, items }: PresetSet,
  l10n: Localizer,
): readonly PickEntry<PresetChoice>[] {
  const edit = l10n.t('Edit');
  return [
    ...items.map(
      ({ id, name, content }): PickEntry<PresetChoice> => ({
        kind: 'item',
        label: plainLabel(name),
        description: id === active ? l10n.t('active') : '',
        detail: plainLabel(firstLine(content, 120)),
        icon: id === active ? 'pass-filled' : 'circle-large-outline',
        value: { act: 'use', preset: id },
        active: id === active,
        buttons:
          id === noPreset.id
            ? []
            : [{ icon: 'edit', tooltip: edit, value: { act: 'edit', preset: id } }],
      }),
    ),
    { kind: 'separator', label: '' },
    {
      kind: 'item',
      label: l10n.t('New Preset…'),
      description: '',
      detail: '',
      icon: 'add',
      value: { act: 'add' },
    },
  ];
}
