/** Codex: a turn id of its own name. Its patches and heredocs are `patchPaths`' matter. Pure, part of the hook. */
import { type Fields, textAt } from '../fields.ts';
import { readGeneric } from '../generic/readGeneric.ts';
import type { PayloadHint, Reading } from '../reading.ts';

export function readCodex(payload: Fields, hint: PayloadHint): Reading {
  return { ...readGeneric(payload, 'codex', hint), promptId: textAt(payload, 'turn_id') };
}
