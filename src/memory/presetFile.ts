/** The file of a mode's presets. Looking writes nothing: until a person changes something, there is none. */
import fs from 'node:fs';
import path from 'node:path';
import type { MemoryProblem } from '../core/memory.ts';
import type { MemoryMode, PresetSet } from '../core/presets.ts';
import { readDocument } from './documentFile.ts';
import { type MemoryPlaces, memoryPath, presetsFolder } from './memoryPlaces.ts';
import { defaultPresets, normalisePresets } from './presets.ts';

/** Bytes. As many presets as there may be, in any script, take less. */
const largest = 2 * 1024 * 1024;

export interface ReadPresets {
  readonly set: PresetSet;
  /** Why the file's own presets are not shown. */
  readonly problem?: MemoryProblem;
}

export const presetsFile = (places: MemoryPlaces, mode: MemoryMode): string =>
  path.join(presetsFolder(places), `${mode}.json`);

export function readPresets(places: MemoryPlaces, mode: MemoryMode): ReadPresets {
  const file = presetsFile(places, mode);
  const read = readDocument(file, largest);
  if (read.kind === 'absent') return { set: defaultPresets(mode) };
  const set = read.kind === 'text' ? normalisePresets(fromJson(read.text), mode) : undefined;
  if (set !== undefined) return { set };
  const reason = read.kind === 'refused' ? read.reason : 'it is no list of presets';
  return {
    set: defaultPresets(mode),
    problem: {
      path: memoryPath(places, file),
      text: `The presets are those we bring, since the file cannot be used: ${reason}.`,
    },
  };
}

/** What stands in the file for a set. */
export function presetsText({ active, items }: PresetSet): string {
  return `${JSON.stringify({ active, items: items.slice(1) }, null, 2)}\n`;
}

/** Keeps a file that cannot be used beside its place. Call under the lock of memory. @throws system errors */
export function setPresetsAside(places: MemoryPlaces, mode: MemoryMode): void {
  const file = presetsFile(places, mode);
  if (readPresets(places, mode).problem !== undefined) fs.renameSync(file, freeName(file));
}

function freeName(file: string): string {
  for (let number = 1; ; number++)
    if (!fs.existsSync(`${file}.broken-${number}`)) return `${file}.broken-${number}`;
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // It is said with the file's name: `readPresets`.
    return undefined;
  }
}
