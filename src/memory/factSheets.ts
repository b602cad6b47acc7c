/** Sheets of facts as they lie in their files. Reads only. */
import { isUserError, messageOf, systemCode } from '../core/errors.ts';
import type { FactScope, FactSheet } from '../core/memory.ts';
import { readFacts } from './facts.ts';
import { readMemoryFile } from './memoryFile.ts';
import { factsFile, type MemoryPlaces, memoryPath } from './memoryPlaces.ts';

export interface FactsOnDisk {
  readonly sheet: FactSheet;
  /** Absolute. */
  readonly file: string;
}

/** Undefined for a project's where there is none. A file that cannot be read is a sheet without facts that says so. */
export function readSheet(
  places: MemoryPlaces,
  scope: FactScope,
  cap: number,
  read: (file: string) => Uint8Array | undefined = readMemoryFile,
): FactsOnDisk | undefined {
  const file = factsFile(places, scope);
  if (file === undefined) return undefined;
  const path = memoryPath(places, file);
  try {
    return { sheet: readFacts(read(file), scope, cap, path), file };
  } catch (error) {
    if (!isUserError(error) && systemCode(error) === undefined) throw error;
    const problems = [{ path, text: messageOf(error) }];
    return { sheet: { scope, facts: [], used: 0, cap, problems }, file };
  }
}
