/** Parses what the history page posted. The page is another realm: nothing of it is trusted. */
import * as z from 'zod/mini';
import type { HistoryIntent } from './historyMessages.ts';

const text = z.string().check(z.maxLength(4096));
const turn = text;
const message = text;

const intent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('showWindow'), index: z.int().check(z.gte(0)) }),
  z.object({ type: z.literal('openTurn'), turn }),
  z.object({ type: z.literal('openHit'), turn, message }),
  z.object({ type: z.literal('step'), step: z.enum(['prev', 'next', 'latest']) }),
  z.object({ type: z.literal('goTo'), turn }),
  z.object({ type: z.literal('switchBranch'), branch: text }),
  z.object({ type: z.literal('search'), text, everywhere: z.boolean() }),
  z.object({ type: z.literal('readMessage'), turn, message }),
  z.object({ type: z.literal('showChanges'), turn }),
  z.object({ type: z.literal('readAll') }),
  z.object({ type: z.literal('openMirror') }),
]);

/** The intent, or undefined for anything else. */
export function parseHistoryIntent(value: unknown): HistoryIntent | undefined {
  const parsed = intent.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
