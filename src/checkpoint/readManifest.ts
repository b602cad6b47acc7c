/** Reads the manifest of one checkpoint folder. */
import path from 'node:path';
import { readPlainText } from '../base/readPlainText.ts';
import { messageOf } from '../core/errors.ts';
import { type ParsedManifest, parseManifest } from './manifest.ts';
import { manifestName, spareManifestName } from './places.ts';

/** Neither value nor problems when the folder has no manifest (yet). Does not throw. */
export function readManifestFile(place: string): ParsedManifest {
  const newest = readOne(place, manifestName);
  if (newest.problems.length === 0) return newest;
  // A power cut can tear a manifest that was not flushed yet; the one before it is there then.
  const before = readOne(place, spareManifestName);
  return before.value !== undefined && before.problems.length === 0 ? before : newest;
}

function readOne(place: string, name: string): ParsedManifest {
  try {
    const text = readPlainText(path.join(place, name));
    return text === undefined ? { problems: [] } : parseManifest(text);
  } catch (error) {
    return { problems: [`${name} cannot be read (${messageOf(error)}).`] };
  }
}
