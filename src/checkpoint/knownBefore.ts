/** The state before a turn with its content known: from the manifest, or, where that has no hash yet, from the saved bytes. */
import { hashFile } from '../base/hash.ts';
import { systemCode } from '../core/errors.ts';
import type { PathState } from '../core/state.ts';
import { blobOfRow } from './blobOfRow.ts';
import type { ManifestRow } from './manifest.ts';

/** `verified` is false when the manifest has no hash to hold the bytes against (memcode's rows, an edit cut short). */
export function knownBefore(
  place: string,
  row: ManifestRow,
): { readonly state: PathState; readonly verified: boolean } {
  const { before } = row;
  if (before.kind !== 'file' || before.sha256 !== undefined)
    return { state: before, verified: true };
  try {
    const { sha256, size } = hashFile(blobOfRow(place, row));
    return { state: size === before.size ? { ...before, sha256 } : before, verified: false };
  } catch (error) {
    // Missing or unreadable bytes are reported by `faultOfBlob`.
    if (systemCode(error) === undefined) throw error;
    return { state: before, verified: false };
  }
}
