/** What a person does to a set of presets. Each gives a new set, in order again. Pure. */
import { UserError } from '../core/errors.ts';
import {
  type MemoryMode,
  noPreset,
  type Preset,
  type PresetSet,
  presetLimits,
} from '../core/presets.ts';
import { factoryPresets } from './presetFactory.ts';
import { freeId, normalisePresets } from './presets.ts';

export type PresetEdit =
  | { readonly act: 'use' | 'remove' | 'duplicate'; readonly preset: string }
  | { readonly act: 'add'; readonly name: string; readonly content: string }
  | {
      readonly act: 'edit';
      readonly preset: string;
      readonly name?: string;
      readonly content?: string;
    }
  /** Brings presets of ours back that were removed; those that are there stay as they are. */
  | { readonly act: 'restore' };

/** @throws UserError `notFound`; `usage` for what cannot be done, named. */
export function editPresets(set: PresetSet, edit: PresetEdit, mode: MemoryMode): PresetSet {
  const changed = edited(set, edit, mode);
  const count = changed.items.length - 1;
  if (count > presetLimits.count)
    throw new UserError('usage', `There can be ${presetLimits.count} presets at most.`, { count });
  return normalisePresets(changed, mode) ?? set;
}

function edited(set: PresetSet, edit: PresetEdit, mode: MemoryMode): PresetSet {
  const { active, items } = set;
  switch (edit.act) {
    case 'use':
      return { active: findPreset(set, edit.preset).id, items };
    case 'add':
      return { active, items: [...items, fresh(items, edit.name, edit.content)] };
    case 'duplicate': {
      const { name, content } = findPreset(set, edit.preset);
      return { active, items: [...items, fresh(items, `${name} (copy)`, content)] };
    }
    case 'edit': {
      const preset = notNone(findPreset(set, edit.preset));
      const { name = preset.name, content = preset.content } = edit;
      const next = checked({ ...preset, name, content });
      return { active, items: items.map((each) => (each === preset ? next : each)) };
    }
    case 'remove': {
      const preset = notNone(findPreset(set, edit.preset));
      return { active, items: items.filter((each) => each !== preset) };
    }
    case 'restore': {
      const ids = new Set(items.map(({ id }) => id));
      return {
        active,
        items: [...items, ...factoryPresets(mode).filter(({ id }) => !ids.has(id))],
      };
    }
    default:
      return edit satisfies never;
  }
}

/** By id, else by name. @throws UserError `notFound`; `usage` when several have the name. */
export function findPreset({ items }: PresetSet, wanted: string): Preset {
  const byId = items.find(({ id }) => id === wanted);
  if (byId !== undefined) return byId;
  const named = items.filter(({ name }) => name.toLowerCase() === wanted.trim().toLowerCase());
  const [only] = named;
  if (only === undefined)
    throw new UserError('notFound', `There is no preset ${wanted}.`, { preset: wanted });
  if (named.length === 1) return only;
  throw new UserError('usage', `Several presets are called ${wanted}. Name one by its id.`, {
    presets: named.map(({ id }) => id),
  });
}

function fresh(items: readonly Preset[], name: string, content: string): Preset {
  const id = freeId(new Set(items.map((each) => each.id)));
  return checked({ id, name, content, builtin: false });
}

/** What a person types is refused rather than cut. */
function checked(preset: Preset): Preset {
  const { name, content } = preset;
  if (name.trim() === '') throw new UserError('usage', 'A preset needs a name.');
  if ([...name].length > presetLimits.name)
    throw new UserError('usage', `A name has ${presetLimits.name} characters at most.`);
  if ([...content].length > presetLimits.content)
    throw new UserError('usage', `A preset has ${presetLimits.content} characters at most.`);
  return preset;
}

function notNone(preset: Preset): Preset {
  if (preset.id !== noPreset.id) return preset;
  throw new UserError('usage', `${noPreset.name} stands for no preset and stays as it is.`);
}
