/** Why a turn's checkpoint cannot be read, remembered as long as its manifest does not change: a timeline has many turns. */
import fs from 'node:fs';
import path from 'node:path';
import { checkpointPlace, manifestName } from '../checkpoint/places.ts';
import { readManifestFile } from '../checkpoint/readManifest.ts';
import type { StoredTurn } from '../session/timelineStore.ts';

/** The returned function gives a sentence, or null for a turn without a checkpoint, taken back, or sound. */
export function damageReader(): (turn: StoredTurn) => string | null {
  const known = new Map<string, { readonly stamp: string; readonly damage: string | null }>();
  return (turn) => {
    if (turn.rewoundBy !== null || turn.prunedAt !== null) return null;
    const place = checkpointPlace(turn.root, turn.session, turn.seq);
    const file = path.join(place, manifestName);
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (stat === undefined)
      return turn.files.length === 0 ? null : `Its checkpoint is gone: there is no ${file}.`;
    const stamp = `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
    const remembered = known.get(place);
    if (remembered?.stamp === stamp) return remembered.damage;
    const { problems } = readManifestFile(place);
    const damage = problems.length > 0 ? problems.join(' ') : null;
    known.set(place, { stamp, damage });
    return damage;
  };
}
