/** What taking an operation back must know about each of its paths: its redo point is the target. Reads only. */
import { hashFile } from '../base/hash.ts';
import { lstatIfExists } from '../base/lstatIfExists.ts';
import { messageOf } from '../core/errors.ts';
import { asSessionId, type Root } from '../core/ids.ts';
import type { PathState } from '../core/state.ts';
import { pathOfKey } from './canonicalKey.ts';
import { hashedState } from './hashedState.ts';
import { type Journal, type Step, savedPlace } from './journal.ts';
import type { RewindSpan, SpanFacts } from './rewindFacts.ts';

export function redoSpan(
  home: string,
  root: Root,
  journal: Journal,
  unsaved: ReadonlySet<string> = new Set(),
): RewindSpan {
  const facts = journal.steps.flatMap((step, index) =>
    step.optional
      ? []
      : [factsOf(root, step, savedPlace(home, root, journal.operation, index), unsaved)],
  );
  // Folders the operation removed come back, those it made go again if they are empty.
  const made = journal.steps
    .filter((s) => s.optional && s.to.kind === 'directory' && isPlainFolder(root, s.path))
    .map((s) => s.path);
  const removed = journal.steps.filter((s) => s.optional && s.to.kind === 'absent');
  return {
    root,
    session: asSessionId(journal.session),
    checkpoints: [],
    facts: [...facts, ...removed.flatMap((step) => folderFacts(root, step))],
    folders: made,
  };
}

/** What somebody put in the place of a folder we made is not ours to remove. */
function isPlainFolder(root: Root, key: string): boolean {
  const named = pathOfKey(root, key);
  return 'key' in named && lstatIfExists(named.absolute)?.isDirectory() === true;
}

function factsOf(root: Root, step: Step, saved: string, unsaved: ReadonlySet<string>): SpanFacts {
  const base = {
    path: step.path,
    target: step.from,
    verified: true,
    left: step.to,
    unsaved: unsaved.has(step.path),
  };
  const named = pathOfKey(root, step.path);
  if ('refused' in named)
    return { ...base, present: { kind: 'other' }, hindrance: named.refused, source: undefined };
  const hindrance = step.from.kind === 'file' ? faultOfSaved(saved, step.from) : undefined;
  const source = step.from.kind === 'file' ? saved : undefined;
  try {
    return { ...base, present: hashedState(named.absolute), hindrance, source };
  } catch (error) {
    return {
      ...base,
      present: { kind: 'other' },
      hindrance: `It cannot be read now (${messageOf(error)}).`,
      source,
    };
  }
}

function folderFacts(root: Root, step: Step): readonly SpanFacts[] {
  const named = pathOfKey(root, step.path);
  if ('refused' in named || lstatIfExists(named.absolute)) return [];
  return [
    {
      path: step.path,
      target: step.from,
      verified: true,
      left: step.to,
      present: step.to,
      unsaved: false,
      hindrance: undefined,
      source: undefined,
    },
  ];
}

function faultOfSaved(saved: string, state: PathState & { kind: 'file' }): string | undefined {
  try {
    return hashFile(saved).sha256 === state.sha256
      ? undefined
      : 'Its saved bytes are not the ones that were saved.';
  } catch (error) {
    return `Its saved bytes cannot be read (${messageOf(error)}).`;
  }
}
