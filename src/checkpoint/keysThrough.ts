/** Which rows of a turn a finished call can have changed. */

import { compareStates } from '../core/state.ts';
import { canonicalKey, sameKey } from './canonicalKey.ts';
import type { CaptureTarget } from './capture.ts';
import { stateOfKey } from './hashedState.ts';
import type { ManifestRow } from './manifest.ts';
import { pathsThrough } from './pathsThrough.ts';
import { checkpointPlace } from './places.ts';
import { readManifestFile } from './readManifest.ts';

/**
 * Keys of the paths the call named and, where one is a link that was there before the call, of what it leads to. Behind a
 * link that the call made lies what others may have changed meanwhile. @throws system errors
 */
export function keysThrough(
  target: CaptureTarget,
  paths: readonly string[],
  base: string,
): readonly string[] {
  const { root, session, head } = target;
  const rows = readManifestFile(checkpointPlace(root, session, head.seq)).value?.files ?? [];
  return paths.flatMap((given) => {
    const keys: string[] = [];
    const all = pathsThrough(given, base);
    for (const [index, one] of all.entries()) {
      const named = canonicalKey(root, one, base);
      if ('refused' in named) continue;
      keys.push(named.key);
      const isLink = index < all.length - 1;
      if (isLink && !isAsBefore(root, named.key, rows)) break;
    }
    return keys;
  });
}

/** Also where somebody else changed it before the call: what the call found there is not known. */
function isAsBefore(
  root: CaptureTarget['root'],
  key: string,
  rows: readonly ManifestRow[],
): boolean {
  const row = rows.find((one) => sameKey(one.path, key));
  if (row?.isMixed) return true;
  const known = row?.after ?? row?.found ?? row?.before;
  return known !== undefined && compareStates(known, stateOfKey(root, key)) === 'same';
}
