/**
 * Gathers what a rewind of one session to before a turn must know about each path: the earliest saved state in the span,
 * what the agent last left, what is there now, and whether the old bytes can be had. Reads only.
 */
import { hashFile } from '../base/hash.ts';
import { lstatIfExists } from '../base/lstatIfExists.ts';
import { messageOf, UserError } from '../core/errors.ts';
import type { Root, SessionId } from '../core/ids.ts';
import type { PathFacts } from '../core/rewindPlan.ts';
import { absent, compareStates, type PathState } from '../core/state.ts';
import { blobOfRow } from './blobOfRow.ts';
import { pathOfKey } from './canonicalKey.ts';
import { hashedState } from './hashedState.ts';
import type { Step } from './journal.ts';
import { type KeptBytes, nothingKept } from './keptBytes.ts';
import { knownBefore } from './knownBefore.ts';
import type { ManifestRow } from './manifest.ts';
import { absoluteOf } from './places.ts';
import { faultOfBlob, readSession, type StoredCheckpoint } from './readSession.ts';
import { isAmong, pathsOf, type TouchedPath } from './touchedPaths.ts';

export interface RewindSpan {
  readonly root: Root;
  readonly session: SessionId;
  /** By ascending seq; the first one's turn is the one rewound to before. */
  readonly checkpoints: readonly StoredCheckpoint[];
  readonly facts: readonly SpanFacts[];
  /** Keys of folders that did not exist before the span, outermost first. */
  readonly folders: readonly string[];
  /** Folders that come back with their modes, whether something goes into them or not. */
  readonly returning?: readonly Step[];
}

export interface SpanFacts extends PathFacts {
  /** File with the old bytes; undefined when the target is no file or cannot be had. */
  readonly source: string | undefined;
  /** The present state is what a later turn of the same session left: merging with it mixes agents' work only. */
  readonly presentIsAgents?: boolean;
  /** File with the bytes of `left`, where it may be somewhere else than among the post-images. */
  readonly base?: string | undefined;
  /** An undo of ours merged agents' earlier work into what the agent left: that is to stay. */
  readonly isRejoined?: boolean;
  /** The target is a merge of ours in which there is only what was recorded. */
  readonly isMergedTarget?: boolean;
}

/** What else the caller knows of paths, beyond this session's checkpoints. */
export interface KnownStates {
  /** Paths whose editors hold unsaved changes. */
  readonly unsaved: ReadonlySet<string>;
  /** Whether a rewind took this checkpoint's turn back; memcode's stay in their place all the same. */
  readonly isTakenBack: (seq: number) => boolean;
  /** Whether an operation of ours wrote this state there. */
  readonly isWrittenByUs: (path: string, state: PathState) => boolean;
  /** Whether it is a merge by an operation of ours in which there is only agents' work. */
  readonly isMergedByUs: (path: string, state: PathState) => boolean;
  /** Seqs of the turns that an undo of ours merged back into it, when there is only agents' work in it. */
  readonly broughtBack: (path: string, state: PathState) => readonly number[] | undefined;
  /** A sentence naming who else left the path in this state. */
  readonly authorOf: (path: string, state: PathState) => string | undefined;
  readonly keptBytes: KeptBytes;
  /** Nothing is going to be written: bytes that nobody compares need not be got. */
  readonly isLook?: true;
}

/** Knows nothing. */
export const nothingKnown: KnownStates = {
  unsaved: new Set(),
  isTakenBack: () => false,
  isWrittenByUs: () => false,
  isMergedByUs: () => false,
  broughtBack: () => undefined,
  authorOf: () => undefined,
  keptBytes: nothingKept,
};

/**
 * @param from the seq of the turn to go back to before; the span is every checkpoint from it on
 * @throws UserError `damaged` when a checkpoint of the span cannot be trusted.
 */
export function rewindFacts(
  root: Root,
  session: SessionId,
  from: number,
  known: KnownStates = nothingKnown,
): RewindSpan {
  const checkpoints = checkpointsFrom(root, session, from).filter(
    (checkpoint) => !known.isTakenBack(checkpoint.seq),
  );
  const folders = foldersOf(root, checkpoints);
  const own = new Set(folders);
  const touched = pathsOf(checkpoints, known);
  const span = new Set(checkpoints.map(({ seq }) => seq));
  const isWithin = (seqs: readonly number[] = []) => seqs.every((seq) => span.has(seq));
  const knownHere: KnownStates = {
    ...known,
    // What an undo brought back goes with the turns it is of.
    isMergedByUs: (path, state) => {
      const back = known.broughtBack(path, state);
      return known.isMergedByUs(path, state) || (back !== undefined && isWithin(back));
    },
  };
  const isPartly = (seqs: readonly number[] = []) =>
    !isWithin(seqs) && seqs.some((seq) => span.has(seq));
  const facts = touched
    .map((one) => behindOwnLink(root, one, touched, known) ?? factsOf(root, one, knownHere))
    .map((one) => withOwnFolder(one, own))
    // No merge takes some of it out and leaves the rest: a person says.
    .map((one) =>
      one.isRejoined && isPartly(known.broughtBack(one.path, one.present))
        ? { ...one, isRejoined: false }
        : one,
    );
  return { root, session, checkpoints, facts, folders };
}

/** The span put a link in the place of a folder: what it recorded below it is not there now. */
export function behindOwnLink(
  root: Root,
  { first, place, last }: TouchedPath,
  all: readonly TouchedPath[],
  known: KnownStates,
): SpanFacts | undefined {
  const named = pathOfKey(root, first.path);
  if ('key' in named || !named.onDisk?.isLink) return undefined;
  const { at } = named.onDisk;
  if (!all.some(({ first: other }) => absoluteOf(root, other.path) === at)) return undefined;
  const { state: target, verified } = knownBefore(place, first);
  const saved = savedBytes(place, first, known, true);
  const hindrance = 'fault' in saved ? saved.fault : undefined;
  const source = 'file' in saved ? saved.file : undefined;
  return {
    path: first.path,
    target,
    verified,
    left: last.after,
    present: absent,
    unsaved: false,
    hindrance,
    source,
  };
}

/** A folder that the span itself made is no trace of anybody else, whatever the agent's last word on the path was. */
function withOwnFolder(facts: SpanFacts, folders: ReadonlySet<string>): SpanFacts {
  return facts.present.kind === 'directory' && folders.has(facts.path)
    ? { ...facts, left: facts.present, doubt: undefined }
    : facts;
}

/** Sound checkpoints from a number on, by ascending seq. @throws UserError `damaged` naming the first that is not. */
export function checkpointsFrom(
  root: Root,
  session: SessionId,
  from: number,
): readonly StoredCheckpoint[] {
  const { checkpoints, damaged } = readSession(root, session, (seq) => seq >= from);
  const [bad] = damaged;
  if (bad) {
    throw new UserError(
      'damaged',
      `Checkpoint ${bad.seq} of session ${session} is damaged: ${bad.problems.join(' ')} Nothing was changed.`,
      { session, seq: bad.seq, folder: bad.place },
    );
  }
  return checkpoints;
}

function doubtOf(
  { last, foreign, changedBetween, isUncertain }: TouchedPath,
  isKnown = false,
): string | undefined {
  if (isUncertain) return 'A command in the background changed it, or somebody else did meanwhile.';
  if (changedBetween) return 'It was also changed in between, and who did that is not recorded.';
  if (last.after === undefined && !foreign && !isKnown)
    return 'What the agent left there is not known: its edit or its turn was cut short.';
  return undefined;
}

export function factsOf(root: Root, touched: TouchedPath, known: KnownStates): SpanFacts {
  const { first, place, last } = touched;
  const named = pathOfKey(root, first.path);
  const base = {
    path: first.path,
    left: last.after,
    unsaved: known.unsaved.has(first.path),
    doubt: withNamedDoubt(doubtOf(touched), touched, known),
  };
  if ('refused' in named) {
    return {
      ...base,
      target: first.before,
      verified: true,
      present: { kind: 'other' },
      hindrance: named.refused,
      source: undefined,
    };
  }
  const { state: target, verified } = knownBefore(place, first);
  const present = presentState(named.absolute);
  const isAsLeft = last.after !== undefined && compareStates(last.after, present.state) === 'same';
  const saved = savedBytes(place, first, known, isAsLeft);
  if (!isAsLeft) known.keptBytes.fetchLeft(last);
  const fault =
    ('fault' in saved ? saved.fault : undefined) ??
    present.fault ??
    faultOfPresent(present.state) ??
    faultOfTarget(target);
  const source = 'file' in saved && fault === undefined ? saved.file : undefined;
  const whole = { ...base, target, verified, present: present.state, hindrance: fault, source };
  // Nearly always, and then there is nothing to look up.
  if (isAsLeft && base.doubt === undefined) return whole;
  if (isAccounted(touched, present.state, known)) {
    const doubt = withNamedDoubt(doubtOf(touched, true), touched, known);
    return { ...whole, left: present.state, doubt };
  }
  if (known.broughtBack(first.path, present.state) === undefined)
    return { ...whole, author: known.authorOf(first.path, present.state) };
  const author = 'An undo has brought earlier work of agents back into it.';
  return { ...whole, isRejoined: true, author };
}

/** Where another session's turn left what was found in between, the conflict says which. */
function withNamedDoubt(doubt: string | undefined, touched: TouchedPath, known: KnownStates) {
  const { changedBetween, foundBetween, first } = touched;
  if (doubt === undefined || !changedBetween || foundBetween === undefined) return doubt;
  return known.authorOf(first.path, foundBetween) ?? doubt;
}

/** An operation of ours left it so, and going over it loses nobody's work. */
function isAccounted(
  { first, recorded }: TouchedPath,
  present: PathState,
  known: KnownStates,
): boolean {
  if (known.isMergedByUs(first.path, present)) return true;
  return known.isWrittenByUs(first.path, present) && isAmong(recorded, present);
}

function presentState(absolute: string): { state: PathState; fault?: string } {
  try {
    return { state: hashedState(absolute) };
  } catch (error) {
    return { state: { kind: 'other' }, fault: `It cannot be read now (${messageOf(error)}).` };
  }
}

/** Where the bytes of a pre-image are, held against size and hash; neither member where it is no file. */
function savedBytes(
  place: string,
  row: ManifestRow,
  { keptBytes, isLook }: KnownStates,
  isAsLeft: boolean,
): { readonly file?: string } | { readonly fault: string } {
  if (row.before.kind !== 'file') return {};
  if (row.blob !== undefined) {
    if (!isLook || !isAsLeft) return keptBytes.fetch(row);
    const lost = keptBytes.faultOf(row);
    return lost === undefined ? {} : { fault: lost };
  }
  const fault = faultOfBlob(place, row);
  if (fault !== undefined) return { fault };
  const file = blobOfRow(place, row);
  if (row.before.sha256 === undefined) return { file };
  try {
    const same = hashFile(file).sha256 === row.before.sha256;
    return same ? { file } : { fault: 'Its saved bytes are not the ones that were saved.' };
  } catch (error) {
    return { fault: `Its saved bytes cannot be read (${messageOf(error)}).` };
  }
}

/** Moving it aside would be as good as losing it: such a thing cannot be copied. */
function faultOfPresent(present: PathState): string | undefined {
  return present.kind === 'other' ? 'A special file is in its place.' : undefined;
}

function faultOfTarget(target: PathState): string | undefined {
  return target.kind === 'other' ? 'What was there before could not be saved.' : undefined;
}

/** Only folders that are plain sub-folders of the root today; each is removed later only if it is empty. */
export function foldersOf(root: Root, checkpoints: readonly StoredCheckpoint[]): readonly string[] {
  const keys = new Set(
    checkpoints.flatMap((c) => c.manifest.files.flatMap((row) => (row.idle ? [] : row.folders))),
  );
  return [...keys]
    .filter((key) => {
      const named = pathOfKey(root, key);
      return 'key' in named && lstatIfExists(named.absolute)?.isDirectory();
    })
    .sort((a, b) => depth(a) - depth(b));
}

function depth(key: string): number {
  return key.split('/').length;
}
