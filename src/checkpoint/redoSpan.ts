/** What taking an operation back must know about each of its paths: its redo point is the target. Changes nothing but our own store. */
import { hashFile } from '../base/hash.ts';
import { lstatIfExists } from '../base/lstatIfExists.ts';
import { messageOf } from '../core/errors.ts';
import { asSessionId, type Root } from '../core/ids.ts';
import { momentOf } from '../core/pathOutcome.ts';
import { compareStates, type PathState } from '../core/state.ts';
import { type KeyResult, keyName, pathOfKey } from './canonicalKey.ts';
import { stateOfKey } from './hashedState.ts';
import type { Journal, Step } from './journal.ts';
import { absoluteOf, rewoundPlace } from './places.ts';
import { readCheckpointsIn, readSession } from './readSession.ts';
import { savedFiles } from './redoPoint.ts';
import { type KnownStates, nothingKnown, type RewindSpan, type SpanFacts } from './rewindFacts.ts';
import { pathsOf, type TouchedPath } from './touchedPaths.ts';

export function redoSpan(
  home: string,
  root: Root,
  journal: Journal,
  known: KnownStates = nothingKnown,
): RewindSpan {
  const { unsaved } = known;
  const saved = savedFiles(home, root, journal);
  const facts = journal.steps.flatMap((step, index) =>
    step.optional ? [] : [factsOf(root, journal, step, () => saved(index), unsaved)],
  );
  const withAgents = ofAgents(root, journal, known);
  // Folders the operation removed come back, those it made go again if they are empty.
  const made = journal.steps
    .filter((s) => s.optional && s.to.kind === 'directory' && isPlainFolder(root, s.path))
    .map((s) => s.path);
  const removed = journal.steps.filter(
    (s) => s.optional && s.to.kind === 'absent' && isFree(root, journal, s.path),
  );
  return {
    root,
    session: asSessionId(journal.session),
    checkpoints: [],
    facts: facts.map(withAgents),
    folders: made,
    returning: removed.map(({ path, from, to }) => ({ path, from: to, to: from, optional: true })),
  };
}

/** Marks what is merged of agents' work only: what was there before the operation, and what is there now. */
function ofAgents(
  root: Root,
  { session: id, operation }: Journal,
  known: KnownStates,
): (facts: SpanFacts) => SpanFacts {
  // Read at the first need only: mostly everything is as the operation left it.
  let touched: ReadonlyMap<string, TouchedPath> | undefined;
  const touchedPath = (path: string) => {
    if (touched !== undefined) return touched.get(keyName(path));
    const session = asSessionId(id);
    const aside = readCheckpointsIn(root, rewoundPlace(root, session, operation)).checkpoints;
    const all = [...readSession(root, session).checkpoints, ...aside].sort((a, b) => a.seq - b.seq);
    touched = new Map(pathsOf(all, known).map((one) => [keyName(one.first.path), one]));
    return touched.get(keyName(path));
  };
  return (facts) => {
    const { path, left, present, target } = facts;
    if (left === undefined || compareStates(left, present) !== 'different') return facts;
    const own = touchedPath(path);
    if (own === undefined || own.changedBetween) return facts;
    const isAgents = (state: PathState) =>
      own.recorded.some((one) => compareStates(one, state) === 'same') ||
      known.isMergedByUs(path, state) ||
      known.broughtBack(path, state) !== undefined;
    return isAgents(present) && isAgents(target) ? { ...facts, presentIsAgents: true } : facts;
  };
}

/** What somebody put in the place of a folder we made is not ours to remove. */
function isPlainFolder(root: Root, key: string): boolean {
  const named = pathOfKey(root, key);
  return 'key' in named && lstatIfExists(named.absolute)?.isDirectory() === true;
}

function factsOf(
  root: Root,
  journal: Journal,
  step: Step,
  saved: () => string,
  unsaved: ReadonlySet<string>,
): SpanFacts {
  const base = {
    path: step.path,
    target: step.from,
    verified: true,
    left: step.to,
    since: momentOf(journal.kind),
    unsaved: unsaved.has(step.path),
    base: step.source,
  };
  const named = pathOfKey(root, step.path);
  if ('refused' in named && !isBehindOwnLink(root, journal, named))
    return { ...base, present: { kind: 'other' }, hindrance: named.refused, source: undefined };
  const { hindrance, source } = sourceOf(step.from, saved);
  try {
    return { ...base, present: stateOfKey(root, step.path), hindrance, source };
  } catch (error) {
    return {
      ...base,
      present: { kind: 'other' },
      hindrance: `It cannot be read now (${messageOf(error)}).`,
      source,
    };
  }
}

function isFree(root: Root, journal: Journal, key: string): boolean {
  const named = pathOfKey(root, key);
  return 'key' in named
    ? lstatIfExists(named.absolute) === undefined
    : isBehindOwnLink(root, journal, named);
}

/** The operation put a link in the place of a folder: what was below it is not there now. */
function isBehindOwnLink(root: Root, { steps }: Journal, named: KeyResult): boolean {
  if ('key' in named || !named.onDisk?.isLink) return false;
  const { at } = named.onDisk;
  return steps.some((step) => absoluteOf(root, step.path) === at);
}

function sourceOf(
  state: PathState,
  saved: () => string,
): { readonly hindrance: string | undefined; readonly source: string | undefined } {
  if (state.kind !== 'file') return { hindrance: undefined, source: undefined };
  try {
    const source = saved();
    return hashFile(source).sha256 === state.sha256
      ? { hindrance: undefined, source }
      : { hindrance: 'Its saved bytes are not the ones that were saved.', source };
  } catch (error) {
    return {
      hindrance: `Its saved bytes cannot be read (${messageOf(error)}).`,
      source: undefined,
    };
  }
}
