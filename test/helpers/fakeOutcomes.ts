/** What the fake app's plans come to, path by path. */
import type { RedoPreview, RewindOptions } from '../../src/app/timelineApp.ts';
import { UserError } from '../../src/core/errors.ts';
import type {
  ConflictChoice,
  ConflictPath,
  PathOutcome,
  PlannedAct,
  PlannedPath,
  TurnSummary,
} from '../../src/core/timeline.ts';

export function refuse({ conflicts, notRestorable }: RedoPreview, options: RewindOptions): void {
  if (options.conflicts === 'fail' && conflicts.length > 0)
    throw new UserError('conflicts', 'Nothing was changed: there are conflicts.', {
      paths: conflicts.map(({ path }) => path),
    });
  if (options.partial !== true && notRestorable.length > 0)
    throw new UserError('damaged', 'Nothing was changed, because not every file can be put back.', {
      paths: notRestorable.map(({ path }) => path),
    });
}

export function planned(
  turns: readonly TurnSummary[],
  conflicts: readonly ConflictPath[],
): readonly PlannedPath[] {
  const taken = new Set(conflicts.map(({ path }) => path));
  const paths = new Set(turns.flatMap(({ files }) => files.map(({ path }) => path)));
  return [...paths].filter((path) => !taken.has(path)).map((path) => plan(path, 'write'));
}

export function plan(path: string, act: PlannedAct): PlannedPath {
  return { path, act, added: null, removed: null, unverified: false };
}

const done = {
  write: { result: 'restored', why: 'Its content is what it was.' },
  create: { result: 'recreated', why: 'The turn had deleted it.' },
  delete: { result: 'deleted', why: 'The turn had created it.' },
  none: { result: 'unchanged', why: 'It is already what it was.' },
} as const;

export function outcome(path: string, act: PlannedAct): PathOutcome {
  return { path, ...done[act] };
}

export function choiceOf(path: string, options: RewindOptions): ConflictChoice {
  if (options.byHand?.has(path)) return 'keep';
  return options.choices?.get(path) ?? options.conflicts ?? 'keep';
}

export function conflictOutcome(
  { path, act, reason }: ConflictPath,
  options: RewindOptions,
): PathOutcome {
  const choice = choiceOf(path, options);
  if (choice === 'take') return outcome(path, act);
  return choice === 'merge'
    ? { path, result: 'merged', why: 'Both changes fit.' }
    : { path, result: 'kept', why: reason };
}
