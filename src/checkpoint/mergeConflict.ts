/** Takes the agent's change out of a file that was changed since: base = what the agent left, theirs = the old state. */
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../base/atomicFile.ts';
import { hashBytes, hashFile } from '../base/hash.ts';
import type { Root } from '../core/ids.ts';
import type { FileState, PathState } from '../core/state.ts';
import type { Mergeability } from '../core/timeline.ts';
import { type MergeOutcome, mergeFiles } from '../git/mergeFiles.ts';
import type { KeptBytes } from './keptBytes.ts';
import { absoluteOf, postImagePlace } from './places.ts';
import type { SpanFacts } from './rewindFacts.ts';

export interface MergePlaces {
  /** Folder for merged contents; lives as long as the operation's record. */
  readonly scratch: string;
  readonly postImages: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly keptBytes: KeptBytes;
}

/**
 * Undefined unless all three are files and git merges them without a conflict. The mode goes back where nobody changed it
 * since.
 */
export function mergeConflict(
  root: Root,
  facts: SpanFacts,
  places: MergePlaces,
): { readonly source: string; readonly to: PathState } | undefined {
  const three = threeFiles(facts, places);
  if (three === undefined || facts.unsaved) return undefined;
  const { left, present, target } = three;
  const merged = merge(root, three, places);
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

/** What `mergeConflict` would come to, without writing. Undefined: unsaved changes, so that nobody can tell yet. */
export function mergeability(
  root: Root,
  facts: SpanFacts,
  places: Omit<MergePlaces, 'scratch' | 'keptBytes'>,
): Mergeability | undefined {
  const three = threeFiles(facts, places);
  const merged = three && merge(root, three, places);
  if (merged === undefined || merged.kind === 'impossible') return 'impossible';
  if (facts.unsaved) return undefined;
  return merged.kind === 'clean' ? 'clean' : 'byHand';
}

interface ThreeFiles {
  readonly path: string;
  readonly left: FileState;
  readonly present: FileState;
  readonly target: FileState;
  /** Files with the bytes of `left` and `target`. */
  readonly base: string;
  readonly source: string;
}

/**
 * Undefined where one of the three is no file, or its bytes are not there. Where others changed the file between two turns
 * there is no one base, and the merge would take their change out as well.
 */
function threeFiles(
  { path, left, present, target, source, doubt, base: known }: SpanFacts,
  { postImages }: Pick<MergePlaces, 'postImages'>,
): ThreeFiles | undefined {
  if (left?.kind !== 'file' || present.kind !== 'file' || target.kind !== 'file') return undefined;
  if (source === undefined || doubt !== undefined || left.sha256 === undefined) return undefined;
  const { sha256 } = left;
  const kept = [known, postImagePlace(postImages, sha256)].filter((file) => file !== undefined);
  // A base with other bytes than the agent left would merge silently into something nobody wrote.
  const base = kept.find((file) => fs.existsSync(file) && hashFile(file).sha256 === sha256);
  return base === undefined ? undefined : { path, left, present, target, base, source };
}

function merge(
  root: Root,
  { path, base, source }: ThreeFiles,
  { environment }: Pick<MergePlaces, 'environment'>,
): MergeOutcome {
  return mergeFiles(absoluteOf(root, path), base, source, root, environment);
}
