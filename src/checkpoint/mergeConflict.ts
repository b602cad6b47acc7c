/** Takes the agent's change out of a file that was changed since: base = what the agent left, theirs = the old state. */
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../base/atomicFile.ts';
import { hashBytes } from '../base/hash.ts';
import type { Root } from '../core/ids.ts';
import type { PathState } from '../core/state.ts';
import { mergeFiles } from '../git/mergeFiles.ts';
import { absoluteOf } from './places.ts';
import { postImagePlace } from './postImages.ts';
import type { SpanFacts } from './rewindFacts.ts';

export interface MergePlaces {
  /** Folder for merged contents; lives as long as the operation's record. */
  readonly scratch: string;
  readonly postImages: string;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Undefined unless all three are files and git merges them without a conflict. The mode goes back where nobody changed it
 * since. Where others changed the file between two turns there is no one base, and the merge would take their change out
 * as well.
 */
export function mergeConflict(
  root: Root,
  facts: SpanFacts,
  places: MergePlaces,
): { readonly source: string; readonly to: PathState } | undefined {
  const { left, present, source, target } = facts;
  if (left?.kind !== 'file' || present.kind !== 'file') return undefined;
  if (target.kind !== 'file' || source === undefined) return undefined;
  if (facts.unsaved || facts.doubt !== undefined) return undefined;
  const base =
    left.sha256 === undefined ? undefined : postImagePlace(places.postImages, left.sha256);
  if (base === undefined || !fs.existsSync(base)) return undefined;
  const merged = mergeFiles(absoluteOf(root, facts.path), base, source, root, places.environment);
  if (merged.kind !== 'clean') return undefined;
  makeFolder(places.scratch);
  const file = path.join(places.scratch, String(fs.readdirSync(places.scratch).length));
  fs.writeFileSync(file, merged.bytes, { mode: 0o600, flag: 'wx' });
  const { bytes } = merged;
  const mode = present.mode === left.mode ? target.mode : present.mode;
  return {
    source: file,
    to: { kind: 'file', mode, size: bytes.length, sha256: hashBytes(bytes) },
  };
}
