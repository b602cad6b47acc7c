/** What agents did to paths, as the checkpoints tell it: what was there before, what they left, and whose it is. */
import fs from 'node:fs';
import { postImageFolder } from '../base/home.ts';
import { stateOfKey } from '../checkpoint/hashedState.ts';
import { bytesOfRow, type KeptBytes, keptBytes } from '../checkpoint/keptBytes.ts';
import type { ManifestRow } from '../checkpoint/manifest.ts';
import { postImagePlace } from '../checkpoint/places.ts';
import type { StoredCheckpoint } from '../checkpoint/readSession.ts';
import type { LeftOutReason } from '../core/autoCommit.ts';
import type { Root, SessionId, TurnId } from '../core/ids.ts';
import { compareStates, type PathState } from '../core/state.ts';
import type { Leftover } from '../project/leftovers.ts';
import type { Database } from '../session/database.ts';
import { type StoredTurn, turnById } from '../session/timelineStore.ts';
import { checked, checkpointOf, type SideState } from './turnFiles.ts';

export interface AgentChange {
  /** Relative to the root. */
  readonly path: string;
  readonly session: SessionId;
  /** All turns it is the work of, oldest first. */
  readonly turns: readonly TurnId[];
  readonly before: SideState;
  /** Undefined: not known, or its bytes are not stored. */
  readonly after: SideState | undefined;
  /** Why it is not the agent's alone. */
  readonly fault?: LeftOutReason;
  /** Earlier turns left it uncommitted; the turn in question did not touch it. */
  readonly isLeftover?: true;
  /** It goes on from what this commit has at the path, rather than from `before`: it came after its turn's commit. */
  readonly committedIn?: string;
}

/** Reads checkpoints, each once. */
export class ChangeReader {
  readonly #database: Database;
  readonly #home: string;
  readonly #turns = new Map<TurnId, readonly AgentChange[] | undefined>();

  constructor({ database, home }: { readonly database: Database; readonly home: string }) {
    this.#database = database;
    this.#home = home;
  }

  /** Undefined when the turn has no readable checkpoint, or was taken back. */
  of(id: TurnId): readonly AgentChange[] | undefined {
    if (!this.#turns.has(id)) this.#turns.set(id, this.#read(id));
    return this.#turns.get(id);
  }

  /** What a leftover is now. Undefined when its turns cannot be read, or were taken back. */
  leftover({ path, baseTurn, turn, turns }: Leftover): AgentChange | undefined {
    const first = this.of(baseTurn)?.find((change) => change.path === path);
    const last = this.of(turn)?.find((change) => change.path === path);
    if (first === undefined || last === undefined) return undefined;
    return { ...last, before: first.before, turns, isLeftover: true };
  }

  #read(id: TurnId): readonly AgentChange[] | undefined {
    const turn = turnById(this.#database, id);
    if (turn === undefined || turn.rewoundBy !== null) return undefined;
    const checkpoint = checkpointOf(turn);
    if (checkpoint === undefined || 'problems' in checkpoint) return undefined;
    const kept = keptBytes(this.#home, turn.root);
    return checkpoint.manifest.files.flatMap((row) => {
      const change = changeOf(this.#home, turn, checkpoint, row, kept);
      return isNothing(change) ? [] : [change];
    });
  }
}

/** Git knows no folders: one that came or went shows in its files. */
function isNothing({ before, after }: AgentChange): boolean {
  if (after === undefined) return false;
  return (
    (isNoFile(before.state) && isNoFile(after.state)) ||
    compareStates(before.state, after.state) === 'same'
  );
}

export function isNoFile(state: PathState): boolean {
  return state.kind === 'absent' || state.kind === 'directory';
}

function changeOf(
  home: string,
  turn: StoredTurn,
  checkpoint: StoredCheckpoint,
  row: ManifestRow,
  kept: KeptBytes,
): AgentChange {
  const before = checked({ state: row.before, file: fileBefore(checkpoint, row, kept) });
  kept.fetchLeft(row);
  const after = row.after && afterOf(home, turn, row.after);
  const fault =
    faultOf(row) ?? ('reason' in before || after === undefined ? 'notStored' : undefined);
  return {
    path: row.path,
    session: turn.session,
    turns: [turn.id],
    before: 'reason' in before ? { state: row.before, file: undefined } : before,
    after,
    ...(fault !== undefined && { fault }),
  };
}

function faultOf(row: ManifestRow): LeftOutReason | undefined {
  if (row.end !== undefined || row.isMixed || row.uncertain)
    return row.after === undefined ? 'unattributed' : 'changedByOthers';
  const isKnown = row.after !== undefined && row.after.kind !== 'other';
  return isKnown && row.before.kind !== 'other' ? undefined : 'unattributed';
}

function fileBefore(
  { place }: StoredCheckpoint,
  row: ManifestRow,
  kept: KeptBytes,
): string | undefined {
  if (row.before.kind !== 'file') return undefined;
  const bytes = bytesOfRow(place, row, kept);
  return 'file' in bytes ? bytes.file : undefined;
}

function afterOf(home: string, { root }: StoredTurn, state: PathState): SideState | undefined {
  if (state.kind !== 'file') return { state, file: undefined };
  if (state.sha256 === undefined) return undefined;
  const file = postImagePlace(postImageFolder(home, root), state.sha256);
  const found = fs.existsSync(file) ? checked({ state, file }) : undefined;
  return found === undefined || 'reason' in found ? undefined : found;
}

/** What is at paths of a root now, each looked at once. */
export function presentStates(root: Root): (path: string) => PathState {
  const known = new Map<string, PathState>();
  return (path) => {
    const state = known.get(path) ?? stateNow(root, path);
    known.set(path, state);
    return state;
  };
}

export function stateNow(root: Root, path: string): PathState {
  try {
    return stateOfKey(root, path);
  } catch {
    // What cannot be read now is not what the agent left there.
    return { kind: 'other' };
  }
}
