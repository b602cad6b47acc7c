/** Moves the checkpoints of an operation aside (`.rewound/<owner>/<seq>`) or back. Can be repeated after a crash. */
import fs from 'node:fs';
import path from 'node:path';
import { isMissing, makeFolder, syncFolder } from '../base/atomicFile.ts';
import { carriedBy } from '../base/carriedAlong.ts';
import { systemCode, UserError } from '../core/errors.ts';
import type { Root, SessionId } from '../core/ids.ts';
import { obstacleOnTheWay } from './canonicalKey.ts';
import type { Effect } from './journal.ts';
import { checkpointPlace, rewoundPlace } from './places.ts';
import { readManifestFile } from './readManifest.ts';

/**
 * Carries out the part of an effect that concerns checkpoints. What memcode wrote stays where it is
 * (spec/checkpoints A.2.7). @param flushedLater a folder that the caller flushes after this. @throws system errors.
 */
export function moveCheckpoints(
  root: Root,
  session: SessionId,
  effect: Effect,
  flushedLater?: string,
): void {
  if (effect.kind !== 'takeBack' && effect.kind !== 'bringBack') return;
  const aside = rewoundPlace(root, session, effect.owner);
  const link = obstacleOnTheWay(root, path.relative(root, aside).split(path.sep));
  if (link) throw new UserError('damaged', `The checkpoints are not moved: ${link.why}`);
  for (const seq of effect.seqs) {
    const here = checkpointPlace(root, session, seq);
    const there = path.join(aside, String(seq));
    const [from, to] = effect.kind === 'takeBack' ? [here, there] : [there, here];
    if (!fs.existsSync(from) || isForeign(seq, from)) continue;
    moveCheckpoint(from, to, flushedLater);
  }
  if (effect.kind !== 'bringBack') return;
  removeIfEmpty(aside);
  removeIfEmpty(path.dirname(aside));
}

/** Whatever else is there is somebody's checkpoint. */
function removeIfEmpty(folder: string): void {
  try {
    fs.rmdirSync(folder);
  } catch (error) {
    if (!isMissing(error) && systemCode(error) !== 'ENOTEMPTY') throw error;
  }
}

/** Moves one checkpoint; nothing may be in its new place. `flushedLater` as above. @throws system errors. */
export function moveCheckpoint(from: string, to: string, flushedLater?: string): void {
  const [old, now] = [path.dirname(from), path.dirname(to)];
  makeFolder(now);
  fs.renameSync(from, to);
  const last = flushedLater ?? old;
  const isCarried = carriedBy(last);
  for (const folder of [now, old]) {
    if (folder !== last && !isCarried(folder)) syncFolder(folder);
  }
  if (flushedLater === undefined) syncFolder(old);
}

function isForeign(seq: number, place: string): boolean {
  const { value, problems } = readManifestFile(place);
  return problems.length === 0 && value?.seq === seq && value.format === undefined;
}
