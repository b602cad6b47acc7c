/** What an operation found at a path before it changed it: its redo point, to be shown. */
import { readJournal } from '../checkpoint/journal.ts';
import { savedFiles } from '../checkpoint/redoPoint.ts';
import type { OperationId, Root } from '../core/ids.ts';
import type { SideContent } from './timelineApp.ts';
import { checked, contentOfState } from './turnFiles.ts';

/** @throws UserError `notFound`, `damaged`. */
export function replacedFile(
  home: string,
  root: Root,
  operation: OperationId,
  at: string,
): SideContent {
  const journal = readJournal(home, root, operation);
  const { steps } = journal;
  const index = steps.findIndex((step) => step.path === at && !step.optional);
  const step = steps[index];
  if (step === undefined)
    return { kind: 'unavailable', reason: 'The operation did not change this file.' };
  const { from: state } = step;
  const file = state.kind === 'file' ? savedFiles(home, root, journal)(index) : undefined;
  const found = checked({ state, file });
  return 'reason' in found ? { kind: 'unavailable', reason: found.reason } : contentOfState(found);
}
