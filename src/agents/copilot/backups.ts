/**
 * What Copilot CLI keeps beside its transcript for its own undo: files as each prompt found them, by the prompt's event. It
 * names them by hashes of their bytes; what does not bear its name is not it.
 */
import fs from 'node:fs';
import path from 'node:path';
import { hashBytes } from '../../base/hash.ts';
import { type Fields, listOf, recordAt, recordOf, textAt } from '../fields.ts';

/** Path -> text; null where there was no file. What is not kept, or no text, is missing. */
export type BackedUp = ReadonlyMap<string, string | null>;

const longestIndex = 32 << 20;
const largest = 4 << 20;

/** By the event of the prompt. Empty where there is no such record, or none that can be read. */
export function backupsBeside(transcript: string): ReadonlyMap<string, BackedUp> {
  const folder = path.join(path.dirname(transcript), 'rewind-file-snapshots');
  const found = new Map<string, BackedUp>();
  for (const snapshot of listOf(readIndex(path.join(folder, 'index.json'))['snapshots'])) {
    const record = recordOf(snapshot) ?? {};
    const event = textAt(record, 'eventId');
    if (event === undefined) continue;
    const files = new Map<string, string | null>();
    for (const value of Object.values(recordAt(record, 'files'))) {
      const file = recordOf(value) ?? {};
      const name = textAt(file, 'path');
      if (name === undefined) continue;
      const before = imageIn(folder, recordAt(file, 'preimage'));
      if (before !== undefined) files.set(name, before);
    }
    found.set(event, files);
  }
  return found;
}

/** The transcript counts without it. */
function readIndex(file: string): Fields {
  try {
    if (fs.statSync(file).size > longestIndex) return {};
    return recordOf(JSON.parse(fs.readFileSync(file, 'utf8'))) ?? {};
  } catch {
    return {};
  }
}

function imageIn(folder: string, image: Fields): string | null | undefined {
  if (image['kind'] === 'absent') return null;
  const hash = textAt(image, 'contentHash');
  if (hash === undefined || !/^[0-9a-f]{64}$/.test(hash)) return undefined;
  const file = path.join(folder, 'backups', hash);
  try {
    if (fs.statSync(file).size > largest) return undefined;
    const bytes = fs.readFileSync(file);
    if (hashBytes(bytes) !== hash) return undefined;
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Only what some later prompt found is kept there; bytes that are no text are no text to look at.
    return undefined;
  }
}
