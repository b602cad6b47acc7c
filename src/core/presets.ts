/** Presets: named texts of preferences, of which exactly one is active in each mode. Pure types and limits. */

export interface Preset {
  readonly id: string;
  /** One line. */
  readonly name: string;
  /** Empty for none, which is active at first and cannot be removed. */
  readonly content: string;
  /** It comes from us, though it may have been edited since. */
  readonly builtin: boolean;
}

export interface PresetSet {
  /** Id of one of the items. */
  readonly active: string;
  /** `none` first. */
  readonly items: readonly Preset[];
}

export const noPreset: Preset = { id: 'none', name: 'None', content: '', builtin: true };

export const presetLimits = {
  /** Beside `none`. */
  count: 50,
  /** Code points. */
  content: 4_000,
  name: 80,
} as const;

/** What work an agent does. Presets and portraits belong to a mode; notes may. */
export const memoryModes = ['dev', 'cowork'] as const;
export type MemoryMode = (typeof memoryModes)[number];

export function isMemoryMode(value: unknown): value is MemoryMode {
  return memoryModes.some((mode) => mode === value);
}
