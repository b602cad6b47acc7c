/**
 * A rewind goes back to states that were saved before some turn was reverted, and so hold what that revert took out. Here
 * it is taken out of them again, so that a reverted turn stays reverted whichever later turn is gone back to. The same the
 * other way: what an undo brought back since stays there.
 */
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../base/atomicFile.ts';
import { hashBytes } from '../base/hash.ts';
import type { Root } from '../core/ids.ts';
import { mergeFiles } from '../git/mergeFiles.ts';
import { keyName } from './canonicalKey.ts';
import { bytesOfRow } from './keptBytes.ts';
import type { ManifestRow } from './manifest.ts';
import { type MergePlaces, mergeConflict } from './mergeConflict.ts';
import { postImagePlace } from './places.ts';
import { readSession } from './readSession.ts';
import type { RewindSpan, SpanFacts } from './rewindFacts.ts';

/**
 * @param reverted seqs of turns before the span that are reverted
 * @returns the span with other targets where that merges cleanly; their bytes are in `places.scratch`
 */
export function withoutReverted(
  span: RewindSpan,
  reverted: readonly number[],
  places: MergePlaces,
): RewindSpan {
  const whole = { ...span, facts: span.facts.map((one) => withRejoined(one, span.root, places)) };
  if (reverted.length === 0) return whole;
  const wanted = new Set(reverted);
  const { checkpoints } = readSession(span.root, span.session, (seq) => wanted.has(seq));
  const turns = checkpoints.toReversed().map(({ place, manifest }) => ({
    place,
    rows: new Map(manifest.files.map((row) => [keyName(row.path), row])),
  }));
  const facts = whole.facts.map((one) =>
    turns.reduce((now, turn) => without(now, turn, span.root, places), one),
  );
  return { ...whole, facts };
}

/** Only the span's own changes go; what does not merge stays a conflict. */
function withRejoined(facts: SpanFacts, root: Root, places: MergePlaces): SpanFacts {
  const merged = facts.isRejoined ? mergeConflict(root, facts, places) : undefined;
  if (merged === undefined) return facts;
  const { to: target, source } = merged;
  return { ...facts, target, source, left: facts.present, isMergedTarget: true };
}

interface RevertedTurn {
  readonly place: string;
  readonly rows: ReadonlyMap<string, ManifestRow>;
}

function without(
  facts: SpanFacts,
  turn: RevertedTurn,
  folder: string,
  { scratch, postImages, environment, keptBytes }: MergePlaces,
): SpanFacts {
  const { target, source } = facts;
  const row = turn.rows.get(keyName(facts.path));
  if (target.kind !== 'file' || source === undefined || facts.hindrance !== undefined) return facts;
  if (row?.before.kind !== 'file' || row.after?.kind !== 'file') return facts;
  const base = postImagePlace(postImages, row.after.sha256 ?? '');
  if (row.after.sha256 === undefined || !fs.existsSync(base)) return facts;
  const kept = bytesOfRow(turn.place, row, keptBytes);
  if ('fault' in kept) return facts;
  const merged = mergeFiles(source, base, kept.file, folder, environment);
  if (merged.kind !== 'clean') return facts;
  const sha256 = hashBytes(merged.bytes);
  if (sha256 === target.sha256) return facts;
  makeFolder(scratch);
  const file = path.join(scratch, String(fs.readdirSync(scratch).length));
  fs.writeFileSync(file, merged.bytes, { mode: 0o600, flag: 'wx' });
  const bare = { ...target, size: merged.bytes.length, sha256 };
  return { ...facts, target: bare, source: file, isMergedTarget: true };
}
