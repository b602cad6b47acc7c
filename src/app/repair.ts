/** Mends what can be mended in the store of one root. Never removes a pre-image or anything a person made. */
import { setStateAside, unreadableStates } from '../checkpoint/liveSession.ts';
import { messageOf } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import { type Fault, fault } from './fault.ts';
import { goneCheckpoints } from './goneCheckpoints.ts';
import type { IngestContext } from './ingest.ts';
import { mendCommits } from './leftCommits.ts';
import { leftovers } from './leftovers.ts';
import { lostPreImages } from './lostPreImages.ts';
import { unlistedOperations, unrecordedOperations } from './operationRecords.ts';
import { exclusively, type OperationContext } from './operations.ts';
import { restoreNumbers } from './restoreNumbers.ts';
import type { Finding } from './timelineApp.ts';
import { misplacedTurns } from './turnRecords.ts';

/** In this order, because what one mends decides what the next one finds. */
const checks: readonly ((context: IngestContext, root: Root) => readonly Fault[])[] = [
  leftovers,
  goneCheckpoints,
  unlistedOperations,
  unrecordedOperations,
  misplacedTurns,
  lostPreImages,
  unreadableLiveStates,
];

/** What `repair` would mend. Looks only. */
export function mendable(context: IngestContext, root: Root): readonly Finding[] {
  return checks.flatMap((check) => check(context, root)).map(({ finding }) => finding);
}

/**
 * @returns what was done, and what could not be.
 * @throws UserError `interrupted` while an operation is cut short, `locked`.
 */
export function repair(context: OperationContext, root: Root): Promise<readonly Finding[]> {
  return exclusively(context, root, async () => {
    const commits = await mendCommits(context, root);
    const done = checks.flatMap((check) => check(context, root).map(mend));
    restoreNumbers(context);
    return [...commits, ...done];
  });
}

function mend({ finding, mended, mend: work }: Fault): Finding {
  try {
    work();
    return { severity: 'note', subject: finding.subject, text: mended };
  } catch (error) {
    const text = `${finding.text} It could not be mended: ${messageOf(error)}`;
    return { severity: 'problem', subject: finding.subject, text };
  }
}

/** Hooks take such a session for a new one. */
function unreadableLiveStates({ home, now }: IngestContext): readonly Fault[] {
  return unreadableStates(home).map((file) =>
    fault(
      file,
      'What hooks must know of a session cannot be read.',
      'What could not be read of a session was set aside; its numbers go on.',
      () => setStateAside(file, now()),
    ),
  );
}
