/**
 * What the checkpoints of a span say of each path together: its earliest saved state, what was last left there, and
 * whether somebody else's work got into it on the way. Reads only.
 */
import { absent, compareStates, contentOf, type PathState } from '../core/state.ts';
import { keyName } from './canonicalKey.ts';
import { knownBefore } from './knownBefore.ts';
import type { ManifestRow } from './manifest.ts';
import type { StoredCheckpoint } from './readSession.ts';
import type { KnownStates } from './rewindFacts.ts';

export interface TouchedPath {
  readonly first: ManifestRow;
  /** Folder of the checkpoint that holds the first row. */
  readonly place: string;
  readonly last: ManifestRow;
  /** memcode wrote the last row: it records nothing of what it leaves. */
  readonly foreign: boolean;
  /** Somebody else may have changed it between two turns or edits, and it was not the old state again after that. */
  readonly changedBetween: boolean;
  /** What a turn or an edit found that the one before it had not left; the last such state. */
  readonly foundBetween?: PathState;
  /** What changed it may have been a command in the background. */
  readonly isUncertain: boolean;
  /** States in which there is only agents' work, or what was there before it: each `after`, and the first `before`. */
  readonly recorded: readonly PathState[];
}

export function pathsOf(
  checkpoints: readonly StoredCheckpoint[],
  known: KnownStates,
): readonly TouchedPath[] {
  const touched = new Map<string, TouchedPath>();
  const made = new Set<string>();
  // Contents with somebody else's work in them, from when on they are known.
  const shared = new Set<string>();
  const share = (state: PathState) => {
    const content = contentOf(state);
    if (content !== undefined) shared.add(content);
  };
  for (const { place, manifest, foreign } of checkpoints) {
    for (const whole of manifest.files) {
      // A folder that the span made and later named: before the span nothing was there.
      const isMade = whole.before.kind === 'directory' && made.has(whole.path);
      const row = isMade ? { ...whole, before: absent } : whole;
      for (const folder of row.folders) made.add(folder);
      const name = keyName(row.path);
      const before = touched.get(name);
      const found = knownBefore(place, row).state;
      const left = row.after === undefined ? [] : [row.after];
      if (before) {
        const isAccounted = isAmong(before.recorded, found) || known.isMergedByUs(row.path, found);
        const isChanged = !isAccounted && isChangedBetween(before, found);
        if (isChanged) share(found);
        const changedBetween = isShared(row, before.recorded, known, isChanged);
        // What the agent made of a file with somebody else's work in it holds that work.
        const recorded = changedBetween ? before.recorded : [...before.recorded, ...left];
        const isUncertain = before.isUncertain || row.uncertain === true;
        const now = { last: row, foreign, changedBetween, isUncertain, recorded };
        const foundBetween = foundIn(row) ?? (isChanged ? found : undefined);
        touched.set(name, { ...before, ...now, ...(foundBetween && { foundBetween }) });
      } else {
        const changedBetween = isShared(row, [found], known, false);
        const isUncertain = row.uncertain === true;
        const recorded = changedBetween ? [found] : [found, ...left];
        const now = { last: row, foreign, changedBetween, isUncertain, recorded };
        const foundBetween = foundIn(row);
        touched.set(name, { first: row, place, ...now, ...(foundBetween && { foundBetween }) });
      }
      if (touched.get(name)?.changedBetween) left.forEach(share);
    }
    // A command that moved such a file moved that work along.
    for (const { path, after } of manifest.files) {
      const one = touched.get(keyName(path));
      const isMoved = after !== undefined && shared.has(contentOf(after) ?? '');
      if (one && isMoved && !one.changedBetween)
        touched.set(keyName(path), {
          ...one,
          changedBetween: true,
          recorded: one.recorded.slice(0, 1),
        });
    }
  }
  return [...touched.values()];
}

/**
 * Whether there may be somebody else's work in what the turn left.
 * @param isChanged there was some in what it began with
 */
function isShared(
  row: ManifestRow,
  recorded: readonly PathState[],
  known: KnownStates,
  isChanged: boolean,
): boolean {
  if (row.uncertain) return true;
  if (!row.isMixed) return isChanged;
  // An operation of ours in the middle of the turn: from there on it is agents' work again.
  const { found } = row;
  return found === undefined || !(isAmong(recorded, found) || known.isMergedByUs(row.path, found));
}

/** What an edit found that was somebody else's. */
function foundIn({ isMixed, found }: ManifestRow): PathState | undefined {
  return isMixed ? found : undefined;
}

/** Whether one of the states is this one. */
export function isAmong(states: readonly PathState[], state: PathState): boolean {
  return states.some((other) => compareStates(other, state) === 'same');
}

function isChangedBetween(known: TouchedPath, found: PathState): boolean {
  const { last, first, place } = known;
  if (compareStates(knownBefore(place, first).state, found) === 'same') return false;
  if (known.changedBetween) return true;
  return last.after === undefined
    ? !known.foreign
    : compareStates(last.after, found) === 'different';
}
