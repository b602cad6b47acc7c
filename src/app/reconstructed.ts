/**
 * What transcripts tell of files before and after imported turns: agents put the text of a file they edit, or a diff of
 * it, into their own record. All of it can be looked at; what two records tell alike can be restored, too.
 */
import fs from 'node:fs';
import path from 'node:path';
import type { TranscriptChange } from '../agents/transcript.ts';
import { isMissing, makeFolder, writeFileAtomic } from '../base/atomicFile.ts';
import { hashBytes } from '../base/hash.ts';
import { reconstructedFolder } from '../base/home.ts';
import type { RestoreTarget } from '../checkpoint/restoreFacts.ts';
import type { Root } from '../core/ids.ts';
import type { FileState } from '../core/state.ts';
import type { Database } from '../session/database.ts';
import { statement } from '../session/statements.ts';
import type { StoredTurn } from '../session/timelineStore.ts';
import { foundAfter } from './foundAfter.ts';
import { type ChainRow, type ChainState, chainStates, type Text } from './reconstructedChain.ts';
import { textPatching } from './textPatching.ts';
import type { Side, SideContent } from './timelineApp.ts';

interface Place {
  readonly home: string;
  readonly database: Database;
}

const absent = 'absent';
const largest = 4 << 20;
/** UTF-16 units of all diffs of one file in one turn. */
const longestPatches = 1 << 20;
const usualMode = 0o644;

interface Told {
  readonly before: Text;
  after: Text;
  patches: string[];
  isReplayed: boolean;
}

/** Call inside a transaction. @param keyOf undefined for a file that is not of the project */
export function saveReconstructed(
  { home, database, root }: Place & { readonly root: string },
  turn: string,
  changes: readonly TranscriptChange[],
  keyOf: (given: string) => string | undefined,
): void {
  const files = new Map<string, Told>();
  for (const change of changes) {
    const key = keyOf(change.path);
    if (key === undefined) continue;
    const known = files.get(key);
    if (known) follow(known, change);
    else files.set(key, first(change));
  }
  const folder = reconstructedFolder(home, root as Root);
  statement(database, 'DELETE FROM reconstructed WHERE turn = ?').run(turn);
  for (const [key, { before, after, patches, isReplayed }] of files) {
    if (before === undefined && after === undefined && patches.length === 0) continue;
    const diffs = patches.length === 0 ? null : JSON.stringify(patches);
    statement(
      database,
      'INSERT INTO reconstructed (turn, path, before, after, patches, replayed) VALUES (?, ?, ?, ?, ?, ?)',
    ).run(
      ...[turn, key, keep(folder, before), keep(folder, after)],
      diffs !== null && diffs.length > longestPatches ? null : diffs,
      isReplayed ? 1 : 0,
    );
  }
}

function first({ before, after, patch, isReplayed }: TranscriptChange): Told {
  const isPatched = after === undefined && patch !== undefined;
  const made = isPatched && typeof before === 'string' ? textPatching.apply(before, patch) : after;
  return {
    before,
    after: made,
    patches: isPatched && before === undefined ? [patch] : [],
    isReplayed: isReplayed === true || (isPatched && made !== undefined),
  };
}

/** A further change of the same file in the same turn. */
function follow(known: Told, { before, after, patch, isReplayed }: TranscriptChange): void {
  const isPatched = after === undefined && patch !== undefined;
  if (isPatched && known.patches.length > 0) {
    known.patches.push(patch);
    return;
  }
  const fits = before === undefined || before === known.after;
  const left = known.after;
  known.after =
    isPatched && typeof left === 'string' && fits ? textPatching.apply(left, patch) : after;
  known.isReplayed &&= fits && (isReplayed === true || isPatched) && known.after !== undefined;
  known.patches = [];
}

/** @returns how the row names the text */
function keep(folder: string, text: Text): string | null {
  if (text === null) return absent;
  if (text === undefined || text.length > largest) return null;
  const bytes = Buffer.from(text);
  const hash = hashBytes(bytes);
  const file = placeOf(folder, hash);
  if (!fs.existsSync(file)) {
    makeFolder(path.dirname(file));
    writeFileAtomic(file, bytes, { durable: false });
  }
  return hash;
}

const placeOf = (folder: string, hash: string): string =>
  path.join(folder, hash.slice(0, 2), hash.slice(2));

/** Undefined when the transcript told nothing of it. `verified`: another record tells the same. */
export function reconstructedContent(
  place: Place,
  turn: StoredTurn,
  key: string,
  side: Side,
): SideContent | undefined {
  const chain = chainOf(place, turn, key);
  if (chain === undefined) return undefined;
  const { states, faults } = chain;
  const state = states.get(turn.id)?.[side];
  const reason = faults.get(`${turn.id} ${side}`) ?? 'The transcript does not tell it.';
  if (state === undefined) return { kind: 'unavailable', reason };
  if (state.text === null) return { kind: 'absent' };
  return { kind: 'bytes', bytes: Buffer.from(state.text), verified: state.verified };
}

/** What one side of a file can be restored to, or a sentence why it cannot. Undefined as `reconstructedContent`. */
export function reconstructedTarget(
  place: Place,
  turn: StoredTurn,
  key: string,
  side: Side,
): RestoreTarget | { readonly reason: string } | undefined {
  const chain = chainOf(place, turn, key);
  if (chain === undefined) return undefined;
  const { states, faults, rows, mode } = chain;
  const state = states.get(turn.id)?.[side];
  if (state === undefined)
    return { reason: faults.get(`${turn.id} ${side}`) ?? 'The transcript does not tell it.' };
  if (!state.verified)
    return { reason: 'Only the transcript tells it, and nothing else confirms that it was so.' };
  const newest = rows.at(-1)?.turn;
  const left = newest === undefined ? undefined : states.get(newest)?.after;
  return {
    ...restorable(place, turn, state, mode),
    ...(left !== undefined && { left: restorable(place, turn, left, mode).state }),
  };
}

function restorable(
  { home }: Place,
  { root }: StoredTurn,
  { text }: ChainState,
  mode: number | undefined,
): RestoreTarget {
  if (text === null) return { state: { kind: 'absent' }, file: undefined };
  const bytes = Buffer.from(text);
  const folder = reconstructedFolder(home, root);
  const sha256 = keep(folder, text) ?? hashBytes(bytes);
  const state: FileState = { kind: 'file', mode: mode ?? usualMode, size: bytes.length, sha256 };
  return { state, file: placeOf(folder, sha256) };
}

/** All that is told of a file in the session of a turn. */
function chainOf({ home, database }: Place, turn: StoredTurn, key: string) {
  const stored = statement(
    database,
    `SELECT r.* FROM reconstructed r JOIN turns t ON t.id = r.turn
     WHERE t.session = ? AND t.root = ? AND r.path = ? ORDER BY t.seq`,
  ).all(turn.session, turn.root, key);
  if (!stored.some((row) => row['turn'] === turn.id)) return undefined;
  const folder = reconstructedFolder(home, turn.root);
  const faults = new Map<string, string>();
  const rows = stored.map((row): ChainRow => {
    const id = String(row['turn']);
    const text = (side: Side): Text => {
      const read = readText(folder, row[side]);
      if (typeof read !== 'object' || read === null) return read;
      faults.set(`${id} ${side}`, read.fault);
      return undefined;
    };
    return {
      turn: id,
      before: text('before'),
      after: text('after'),
      patches: row['patches'] === null ? [] : JSON.parse(String(row['patches'])),
      isReplayed: row['replayed'] === 1,
    };
  });
  const { text: end, mode } = foundAfter(turn, key);
  return { rows, faults, mode, states: chainStates(rows, end, textPatching) };
}

function readText(folder: string, name: unknown): Text | { readonly fault: string } {
  if (name === null || name === undefined) return undefined;
  if (name === absent) return null;
  const hash = String(name);
  try {
    const bytes = fs.readFileSync(placeOf(folder, hash));
    return hashBytes(bytes) === hash
      ? bytes.toString('utf8')
      : { fault: 'What was kept of it is damaged.' };
  } catch (error) {
    if (isMissing(error)) return { fault: 'What was kept of it is gone.' };
    throw error;
  }
}
