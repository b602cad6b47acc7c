/** Cursor, from its documentation: a conversation, an id for each user message, `status` when it stops. Pure, part of the hook. */
import { type Fields, textAt } from '../fields.ts';
import { readGeneric } from '../generic/readGeneric.ts';
import type { PayloadHint, Reading } from '../reading.ts';

const ends: Readonly<Record<string, string>> = { aborted: 'interrupt', error: 'stopFailure' };

export function readCursor(payload: Fields, hint: PayloadHint): Reading {
  const reading = readGeneric(payload, 'cursor', hint);
  const status = /^stop$/i.test(reading.event ?? '') ? textAt(payload, 'status') : undefined;
  return {
    ...reading,
    event: status !== undefined && Object.hasOwn(ends, status) ? ends[status] : reading.event,
    promptId: textAt(payload, 'generation_id'),
  };
}
