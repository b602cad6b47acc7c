/** Claude Code: its own turn id; everything else is the generic shape, which is its own. Pure, part of the hook. */
import { type Fields, textAt } from '../fields.ts';
import { readGeneric } from '../generic/readGeneric.ts';
import type { PayloadHint, Reading } from '../reading.ts';

export function readClaude(payload: Fields, hint: PayloadHint): Reading {
  return { ...readGeneric(payload, 'claude', hint), promptId: textAt(payload, 'prompt_id') };
}
