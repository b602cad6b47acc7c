/** Replaces the manifest of one checkpoint folder, so that a power cut leaves the old one or the new one. */
import fs from 'node:fs';
import path from 'node:path';
import { syncFile, writeFileAtomic } from '../base/atomicFile.ts';
import { systemCode } from '../core/errors.ts';
import { formatManifest, type Manifest } from './manifest.ts';
import { manifestName, spareManifestName } from './places.ts';

/**
 * Call under the session's lock.
 *
 * A file renamed into place before it is flushed can be torn by a power cut. So that one flush is enough where flushing
 * before and after the rename would be two, the manifest before stays beside it as the spare until the new one is
 * flushed; `readManifestFile` takes the spare for a manifest it cannot understand. Then a cut costs the newest row only.
 * @param flush false where the newest row stands for bytes that are flushed later themselves: the spare stays, and with
 * both the row is made durable by the next write (the next row's or the seal's).
 */
export function writeManifest(place: string, manifest: Manifest, flush = true): void {
  const file = path.join(place, manifestName);
  const spare = path.join(place, spareManifestName);
  const text = formatManifest(manifest);
  if (!keepSpare(file, spare)) {
    writeFileAtomic(file, text);
    return;
  }
  writeFileAtomic(file, text, { durable: false });
  if (flush) flushManifest(place);
}

/** What was written without a flush becomes certain. Call under the session's lock. Nothing to do without a spare. */
export function flushManifest(place: string): void {
  const spare = path.join(place, spareManifestName);
  if (!fs.existsSync(spare)) return;
  syncFile(path.join(place, manifestName)); // takes the name along
  fs.rmSync(spare, { force: true });
}

/**
 * False when there is no manifest yet, or the disk knows no second names: then the flushes do it alone. A spare that is
 * there already is older than rows that were never flushed; it stays the last that is certain.
 */
function keepSpare(file: string, spare: string): boolean {
  try {
    fs.linkSync(file, spare);
    return true;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return systemCode(error) === 'EEXIST';
  }
}
