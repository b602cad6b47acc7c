/** `statState` with the hash of a regular file. Apart from it because of what `node:crypto` costs the hook. */
import { hashFile } from '../base/hash.ts';
import type { PathState } from '../core/state.ts';
import { statState } from './pathState.ts';

/** @throws the system error of an unreadable path. */
export function hashedState(absolute: string): PathState {
  const state = statState(absolute);
  if (state.kind !== 'file') return state;
  const { sha256, size } = hashFile(absolute);
  return { ...state, size, sha256 };
}
