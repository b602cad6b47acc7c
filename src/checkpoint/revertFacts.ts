/**
 * What taking one turn out of the middle must know: the turn's own pre-images are the targets, its post-images the base
 * of a merge with what later turns (or people) made of the files. Reads only.
 */

import { UserError } from '../core/errors.ts';
import type { Root, SessionId } from '../core/ids.ts';
import { compareStates } from '../core/state.ts';
import { keyName } from './canonicalKey.ts';
import type { Manifest, ManifestRow } from './manifest.ts';
import type { StoredCheckpoint } from './readSession.ts';
import {
  behindOwnLink,
  checkpointsFrom,
  factsOf,
  foldersOf,
  type KnownStates,
  type RewindSpan,
  type SpanFacts,
} from './rewindFacts.ts';
import { pathsOf } from './touchedPaths.ts';

/** @throws UserError `damaged`; `nothingToDo` when the turn has no checkpoint. */
export function revertFacts(
  root: Root,
  session: SessionId,
  seq: number,
  known: KnownStates,
): RewindSpan {
  const [checkpoint, ...later] = checkpointsFrom(root, session, seq);
  if (checkpoint?.seq !== seq) {
    throw new UserError(
      'nothingToDo',
      'The turn changed no files, so there is nothing to revert.',
      { session, seq },
    );
  }
  const only = [checkpoint];
  // Only what this turn left is the base: a state that an earlier revert wrote is merged with, never gone over.
  const unaided = { ...known, isWrittenByUs: () => false, isMergedByUs: () => false };
  const lastRows = lastRowsOf(later);
  const touched = pathsOf(only, known);
  const facts = touched
    .map((one) => behindOwnLink(root, one, touched, known) ?? factsOf(root, one, unaided))
    .map((one) => withLater(one, lastRows))
    .map((one) => withMerged(one, known));
  return { root, session, checkpoints: only, facts, folders: foldersOf(root, only) };
}

type LastRows = ReadonlyMap<string, { readonly row: ManifestRow; readonly manifest: Manifest }>;

function lastRowsOf(checkpoints: readonly StoredCheckpoint[]): LastRows {
  return new Map(
    checkpoints.flatMap(({ manifest }) =>
      manifest.files.map((row) => [keyName(row.path), { row, manifest }]),
    ),
  );
}

/** Names the later turn of the session that left the path as it is now. */
function withLater(facts: SpanFacts, lastRows: LastRows): SpanFacts {
  const last = lastRows.get(keyName(facts.path));
  if (!last?.row.after || compareStates(last.row.after, facts.present) !== 'same') return facts;
  const number = last.manifest.turn ?? last.manifest.seq;
  return { ...facts, presentIsAgents: true, author: `Turn ${number} changed it further.` };
}

/** Names an earlier revert, whose result holds agents' work only. */
function withMerged(facts: SpanFacts, known: KnownStates): SpanFacts {
  if (facts.isRejoined) return { ...facts, presentIsAgents: true };
  if (facts.author !== undefined || !known.isMergedByUs(facts.path, facts.present)) return facts;
  return { ...facts, presentIsAgents: true, author: 'An earlier revert changed it further.' };
}
