/** `statState` with the hash of a regular file. Apart from it because of what `node:crypto` costs the hook. */
import { hashFile } from '../base/hash.ts';
import type { Root } from '../core/ids.ts';
import { absent, type PathState } from '../core/state.ts';
import { pathOfKey } from './canonicalKey.ts';
import { statState } from './pathState.ts';

/** @throws the system error of an unreadable path. */
export function hashedState(absolute: string): PathState {
  const state = statState(absolute);
  if (state.kind !== 'file') return state;
  const { sha256, size } = hashFile(absolute);
  return { ...state, size, sha256 };
}

/**
 * What is at a key. Behind a link nothing is: the key names a place in the root, not where the link leads.
 * `other` for a key that is refused. @throws the system error of an unreadable path.
 */
export function stateOfKey(root: Root, key: string): PathState {
  const named = pathOfKey(root, key);
  if ('key' in named) return hashedState(named.absolute);
  if (named.onDisk?.error !== undefined) throw named.onDisk.error;
  return named.onDisk?.isLink ? absent : { kind: 'other' };
}
