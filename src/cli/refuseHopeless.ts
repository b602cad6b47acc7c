/** What the app would refuse after the question is refused before it. */
import type { RedoPreview, RewindOptions } from '../app/timelineApp.ts';
import { UserError } from '../core/errors.ts';

/** @throws UserError `damaged`, `conflicts`. */
export function refuseHopeless(
  { conflicts: files, notRestorable: lost, memory }: RedoPreview,
  { conflicts: choice, partial, memory: fate }: RewindOptions,
): void {
  const ofMemory = fate === 'take-back' ? memory : undefined;
  const notRestorable = [...lost, ...(ofMemory?.notRestorable ?? [])];
  if (notRestorable.length > 0 && !partial)
    throw new UserError(
      'damaged',
      'Nothing was changed, because not every file can be put back. --partial goes on without those.',
      { paths: notRestorable.map(({ path }) => path) },
    );
  const conflicts = [...files, ...(ofMemory?.conflicts ?? [])];
  if (conflicts.length > 0 && choice === 'fail')
    throw new UserError('conflicts', 'Nothing was changed, because files were changed since.', {
      paths: conflicts.map(({ path }) => path),
    });
}
