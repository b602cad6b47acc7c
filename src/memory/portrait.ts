/**
 * Portraits: what agents should know of the person they work for, in up to three texts that the person writes: `user.md` and
 * `memory.md` for all modes, `<mode>.md` for one.
 */
import path from 'node:path';
import type { MemoryProblem } from '../core/memory.ts';
import type { MemoryMode } from '../core/presets.ts';
import { readDocument } from './documentFile.ts';
import { type MemoryPlaces, memoryPath, portraitFolder } from './memoryPlaces.ts';

export interface PortraitText {
  /** Relative to the memory folder. */
  readonly label: string;
  readonly file: string;
  /** Trimmed, as it is written otherwise: portraits import nothing. */
  readonly text: string;
}

export interface Portrait {
  readonly texts: readonly PortraitText[];
  readonly problems: readonly MemoryProblem[];
}

/** The one that is edited for a mode. */
export const portraitFile = (places: MemoryPlaces, mode: MemoryMode): string =>
  path.join(portraitFolder(places), `${mode}.md`);

/** In the order in which they are given. */
export function portraitFiles(places: MemoryPlaces, mode: MemoryMode): readonly string[] {
  const general = ['user.md', 'memory.md'].map((name) => path.join(portraitFolder(places), name));
  return [...general, portraitFile(places, mode)];
}

export function readPortrait(places: MemoryPlaces, mode: MemoryMode): Portrait {
  const texts: PortraitText[] = [];
  const problems: MemoryProblem[] = [];
  for (const file of portraitFiles(places, mode)) {
    const read = readDocument(file);
    const label = memoryPath(places, file);
    if (read.kind === 'refused')
      problems.push({ path: label, text: `It is left out: ${read.reason}.` });
    if (read.kind !== 'text') continue;
    const text = read.text.replaceAll('\r\n', '\n').trim();
    if (text !== '') texts.push({ label, file, text });
  }
  return { texts, problems };
}
