/** The value of `--conflicts`. The parser has already refused any other word. */
import type { ConflictChoice } from '../core/timeline.ts';
import type { VerbCall } from './verb.ts';

export function conflictChoice(call: VerbCall, fallback: ConflictChoice = 'keep'): ConflictChoice {
  const word = call.option('conflicts');
  return word === 'keep' || word === 'take' || word === 'merge' || word === 'fail'
    ? word
    : fallback;
}
