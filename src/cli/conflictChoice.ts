/** The values of `--conflicts` and `--memory`. The parser has already refused any other word. */
import { type MemoryChoice, memoryChoices } from '../core/memory.ts';
import type { ConflictChoice } from '../core/timeline.ts';
import type { VerbCall } from './verb.ts';

export function conflictChoice(call: VerbCall, fallback: ConflictChoice = 'keep'): ConflictChoice {
  const word = call.option('conflicts');
  return word === 'keep' || word === 'take' || word === 'merge' || word === 'fail'
    ? word
    : fallback;
}

export function memoryChoice(call: VerbCall): MemoryChoice {
  const word = call.option('memory');
  return memoryChoices.find((choice) => choice === word) ?? 'keep';
}
