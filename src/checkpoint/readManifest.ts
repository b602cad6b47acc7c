/** Reads the manifest of one checkpoint folder. */
import path from 'node:path';
import { readIfExists } from '../base/atomicFile.ts';
import { messageOf } from '../core/errors.ts';
import { type ParsedManifest, parseManifest } from './manifest.ts';
import { manifestName } from './places.ts';

/** Neither value nor problems when the folder has no manifest (yet). Does not throw. */
export function readManifestFile(place: string): ParsedManifest {
  try {
    const text = readIfExists(path.join(place, manifestName));
    return text === undefined ? { problems: [] } : parseManifest(text);
  } catch (error) {
    return { problems: [`manifest.json cannot be read (${messageOf(error)}).`] };
  }
}
