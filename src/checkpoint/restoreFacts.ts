/** What bringing one file to a recorded state must know. Reads only. */
import { messageOf } from '../core/errors.ts';
import type { Root, SessionId } from '../core/ids.ts';
import type { PathState } from '../core/state.ts';
import { pathOfKey, sameKey } from './canonicalKey.ts';
import { hashedState } from './hashedState.ts';
import { readSession } from './readSession.ts';
import type { KnownStates, RewindSpan, SpanFacts } from './rewindFacts.ts';

export interface RestoreTarget {
  readonly state: PathState;
  /** File with the bytes, when the state is a file. */
  readonly file: string | undefined;
  /** What the agent left there last, where no checkpoint tells. */
  readonly left?: PathState;
}

/** `target` has been read and checked by the caller; here it is decided whether the present state may be lost. */
export function restoreFacts(
  root: Root,
  session: SessionId,
  path: string,
  target: RestoreTarget,
  known: KnownStates,
): RewindSpan {
  const facts = factsOf(root, session, path, target, known);
  return { root, session, checkpoints: [], facts: [facts], folders: [] };
}

function factsOf(
  root: Root,
  session: SessionId,
  path: string,
  target: RestoreTarget,
  known: KnownStates,
): SpanFacts {
  const base = {
    path,
    target: target.state,
    source: target.file,
    verified: target.state.kind !== 'file' || target.state.sha256 !== undefined,
    unsaved: known.unsaved.has(path),
    left: lastLeft(root, session, path) ?? target.left,
  };
  const named = pathOfKey(root, path);
  if ('refused' in named) return { ...base, present: { kind: 'other' }, hindrance: named.refused };
  try {
    const present = hashedState(named.absolute);
    const isOurs =
      known.isWrittenByUs(path, present) ||
      known.isMergedByUs(path, present) ||
      known.broughtBack(path, present) !== undefined;
    if (isOurs) return { ...base, present, left: present, hindrance: undefined };
    const doubt = base.left === undefined ? 'What the agent left there is not known.' : undefined;
    return { ...base, present, hindrance: undefined, doubt, author: known.authorOf(path, present) };
  } catch (error) {
    return {
      ...base,
      present: { kind: 'other' },
      hindrance: `It cannot be read now (${messageOf(error)}).`,
    };
  }
}

function lastLeft(root: Root, session: SessionId, path: string): PathState | undefined {
  const rows = readSession(root, session).checkpoints.flatMap((c) =>
    c.manifest.files.filter((row) => sameKey(row.path, path)),
  );
  return rows.at(-1)?.after;
}
