/**
 * `manifest.json`: memcode's shape with our optional fields (spec/checkpoints A.1 to A.3). Reading trusts nothing and
 * returns problems instead of throwing; writing gives the bytes Go's encoder would.
 */

import { absent, type PathState } from '../core/state.ts';
import type { Cause } from '../core/timeline.ts';

export interface ManifestRow {
  /** The key as the manifest has it; not yet checked against the disk. */
  readonly path: string;
  readonly before: PathState;
  /** What the agent last left there; missing before its edit was seen, and in what memcode wrote. */
  readonly after?: PathState;
  /** State at turn end where it is not `after`: somebody else changed the file meanwhile, or may have. */
  readonly end?: PathState;
  /** Somebody else changed it between two edits of the turn. */
  readonly isMixed?: boolean;
  /** What an edit found there that was not what the one before it had left; the last such state, where it is known. */
  readonly found?: PathState;
  readonly cause: Cause;
  /** Parent folders (keys) that did not exist when the pre-image was taken, outermost first. */
  readonly folders: readonly string[];
  /** Name below `<seq>/` of the pre-image when it could not have its usual place below `files/`. */
  readonly stored?: string;
  /** Git's id of the pre-image where that stays in the snapshot store, see `keptBytes`. */
  readonly blob?: string;
  /** The same of what a command left there; of an earlier state where edits followed. */
  readonly leftBlob?: string;
  /** A subagent announced it and has not said yet that it is done: it may write after the end of the turn. */
  readonly pending?: true;
  /** A command that went on in the background changed it, or somebody else did: a rewind asks. */
  readonly uncertain?: true;
  /** Of rows with cause `shell`: milliseconds since 1970 at which the path was as in `before`. */
  readonly since?: number;
  /** The agent's edits that were told have left nothing here, where there was nothing: it made none of the folders. */
  readonly idle?: true;
}

export interface Manifest {
  readonly seq: number;
  readonly label: string;
  /** RFC 3339, UTC: when the turn began. */
  readonly at: string;
  readonly files: readonly ManifestRow[];
  readonly session?: string;
  readonly agent?: string;
  /** The turn's number in its session. */
  readonly turn?: number;
  /** Set by us; missing in what memcode wrote, which is read-only for us. */
  readonly format?: number;
}

/** Our `format`. A higher one is read as far as it is understood and never written to. */
export const manifestFormat = 1;

export interface ParsedManifest {
  readonly value?: Manifest;
  /** Sentences; a manifest with problems is damaged. */
  readonly problems: readonly string[];
}

export function parseManifest(text: string): ParsedManifest {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    return {
      problems: [`manifest.json is not JSON (${error instanceof Error ? error.message : ''}).`],
    };
  }
  if (!isRecord(raw)) return { problems: ['manifest.json does not hold an object.'] };
  const { seq, label, at, files, session, agent, turn, format } = raw;
  if (typeof seq !== 'number' || !Number.isSafeInteger(seq) || seq < 1) {
    return { problems: ['manifest.json has no sequence number.'] };
  }
  const problems: string[] = [];
  const rows = (Array.isArray(files) ? files : []).flatMap((row: unknown, index) => {
    const parsed = parseRow(row);
    if (typeof parsed === 'string') problems.push(`Row ${index + 1} of manifest.json: ${parsed}`);
    return typeof parsed === 'string' ? [] : [parsed];
  });
  const value: Manifest = {
    seq,
    label: typeof label === 'string' ? label : '',
    at: typeof at === 'string' ? at : '',
    files: rows,
    ...(typeof session === 'string' && { session }),
    ...(typeof agent === 'string' && { agent }),
    ...(isCount(turn) && { turn }),
    ...(isCount(format) && { format }),
  };
  return { value, problems };
}

/** Two-space indent, memcode's keys first, no newline at the end, `<`, `>`, `&`, U+2028/9 escaped as Go does. */
export function formatManifest(manifest: Manifest): string {
  const { seq, label, at, session, agent, turn, format } = manifest;
  const files = manifest.files.map((row) => ({
    path: row.path,
    existed: row.before.kind !== 'absent',
    ...stateFields(row.before),
    cause: row.cause,
    ...(row.folders.length > 0 && { folders: row.folders }),
    ...(row.stored !== undefined && { stored: row.stored }),
    ...(row.blob !== undefined && { blob: row.blob }),
    ...(row.leftBlob !== undefined && { leftBlob: row.leftBlob }),
    ...(row.pending && { pending: true }),
    ...(row.idle && { idle: true }),
    ...(row.uncertain && { uncertain: true }),
    ...(row.since !== undefined && { since: row.since }),
    ...(row.after && { after: stateFields(row.after) }),
    ...(row.end && { end: stateFields(row.end) }),
    ...(row.isMixed && { mixed: true }),
    ...(row.found && { found: stateFields(row.found) }),
  }));
  return JSON.stringify({ seq, label, at, files, session, agent, turn, format }, null, 2).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Members of a state in a manifest; modes are decimal numbers there, as in Go's `os.FileMode`. */
function stateFields(state: PathState): Record<string, unknown> {
  return { ...state };
}

function parseRow(row: unknown): ManifestRow | string {
  if (!isRecord(row)) return 'it is not an object.';
  const { path, existed, cause, folders, stored, blob, leftBlob } = row;
  if (typeof path !== 'string' || path === '') return 'it has no path.';
  if (typeof existed !== 'boolean') return `${path} does not say whether it existed.`;
  const before = existed ? (parseState(row) ?? memcodeFile) : absent;
  if (existed && before.kind === 'absent') return `${path} both existed and was absent.`;
  const after = isRecord(row['after']) ? parseState(row['after']) : undefined;
  const end = isRecord(row['end']) ? parseState(row['end']) : undefined;
  const found = isRecord(row['found']) ? parseState(row['found']) : undefined;
  if (typeof stored === 'string' && !/^more\/\d+$/.test(stored))
    return `${path} is stored in a place that is not ours.`;
  return {
    path,
    before,
    cause: cause === 'shell' || cause === 'memory' ? cause : 'edit',
    folders: Array.isArray(folders)
      ? folders.filter((f): f is string => typeof f === 'string')
      : [],
    ...(typeof stored === 'string' && { stored }),
    ...(isBlobId(blob) && { blob }),
    ...(isBlobId(leftBlob) && { leftBlob }),
    ...(row['pending'] === true && { pending: true as const }),
    ...(row['idle'] === true && { idle: true as const }),
    ...(row['uncertain'] === true && { uncertain: true as const }),
    ...(isCount(row['since']) && { since: row['since'] }),
    ...(after && { after }),
    ...(end && { end }),
    ...(row['mixed'] === true && { isMixed: true }),
    ...(found && { found }),
  };
}

/** What memcode knows of a file: that it existed. Size and mode are those of the blob, see `readCheckpoint`. */
const memcodeFile: PathState = { kind: 'file', mode: 0o644, size: -1 };

function parseState(raw: Record<string, unknown>): PathState | undefined {
  const { kind, mode, size, sha256, target } = raw;
  const bits = isCount(mode) ? mode & 0o7777 : undefined;
  switch (kind) {
    case 'absent':
      return absent;
    case 'file':
      if (bits === undefined || !isCount(size)) return undefined;
      return {
        kind,
        mode: bits,
        size,
        ...(typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256) && { sha256 }),
      };
    case 'symlink':
      return typeof target === 'string' && target !== '' ? { kind, target } : undefined;
    case 'directory':
      return { kind, mode: bits ?? 0o755 };
    case 'other':
      return { kind };
    default:
      return undefined;
  }
}

function isBlobId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{40}$/.test(value);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
