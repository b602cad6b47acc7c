/** Where the bytes of a row's pre-image are. */
import path from 'node:path';
import type { Key } from '../core/ids.ts';
import type { ManifestRow } from './manifest.ts';
import { blobPlace } from './places.ts';

/** @param place the checkpoint's folder; the row's path must have passed `pathOfKey`. */
export function blobOfRow(place: string, row: ManifestRow): string {
  return row.stored === undefined
    ? blobPlace(place, row.path as Key)
    : path.join(place, ...row.stored.split('/'));
}
