/** Brings whatever stands in a file of presets into order. Pure. */
import {
  type MemoryMode,
  noPreset,
  type Preset,
  type PresetSet,
  presetLimits,
} from '../core/presets.ts';
import { factoryPresets } from './presetFactory.ts';
import { noteLine } from './quickAdd.ts';

export function defaultPresets(mode: MemoryMode): PresetSet {
  return { active: noPreset.id, items: [noPreset, ...factoryPresets(mode)] };
}

/**
 * Rows without name and text go, the rest is trimmed and cut; explicit ids come before those that are filled in; an
 * active one that is not there is `none`. Undefined for what is no set at all.
 */
export function normalisePresets(value: unknown, mode: MemoryMode): PresetSet | undefined {
  if (typeof value !== 'object' || value === null || !('items' in value)) return undefined;
  if (!Array.isArray(value.items)) return undefined;
  const rows = value.items
    .map(rowOf)
    .filter((row) => row !== undefined)
    .slice(0, presetLimits.count);
  const ids = new Set<string>([noPreset.id, ...rows.map(({ id }) => id)]);
  const used = new Set<string>([noPreset.id]);
  const factory = new Set(factoryPresets(mode).map(({ id }) => id));
  const items = rows.map(({ id, name, content }): Preset => {
    const own = id === '' || used.has(id) ? freeId(ids) : id;
    used.add(own);
    ids.add(own);
    return { id: own, name: name === '' ? 'Untitled' : name, content, builtin: factory.has(own) };
  });
  const wanted = 'active' in value && typeof value.active === 'string' ? value.active.trim() : '';
  const active = used.has(wanted) ? wanted : noPreset.id;
  return { active, items: [noPreset, ...items] };
}

interface Row {
  /** Empty: to be filled in. */
  readonly id: string;
  readonly name: string;
  readonly content: string;
}

function rowOf(value: unknown): Row | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const id = textAt(value, 'id').trim();
  const name = cut(noteLine(textAt(value, 'name')), presetLimits.name).trim();
  const content = cut(textAt(value, 'content').toWellFormed().trim(), presetLimits.content).trim();
  if (id === noPreset.id || (name === '' && content === '')) return undefined;
  return { id: /^[\w.-]{1,64}$/.test(id) ? id : '', name, content };
}

function textAt(value: object, key: string): string {
  const text: unknown = Object.getOwnPropertyDescriptor(value, key)?.value;
  return typeof text === 'string' ? text : '';
}

/** By code point, so that no character is torn. */
function cut(text: string, count: number): string {
  return text.length <= count ? text : [...text].slice(0, count).join('');
}

/** `preset-1`, `preset-2`, … */
export function freeId(taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) if (!taken.has(`preset-${number}`)) return `preset-${number}`;
}
