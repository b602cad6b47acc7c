/** Parses what the page posted. The page is another realm: nothing of it is trusted. */
import * as z from 'zod/mini';
import { type Intent, viewCommands } from './messages.ts';

const text = z.string().check(z.maxLength(4096));
const index = z.int().check(z.gte(0));

const intent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('focus'), focused: z.boolean() }),
  z.object({ type: z.literal('selectSession'), session: text }),
  z.object({ type: z.literal('select'), number: index }),
  z.object({ type: z.literal('previous') }),
  z.object({ type: z.literal('next') }),
  z.object({ type: z.literal('showWindow'), index }),
  z.object({ type: z.literal('openTurn'), turn: text }),
  z.object({ type: z.literal('openDiff'), turn: text, path: text }),
  z.object({ type: z.literal('readTurn'), turn: text }),
  z.object({ type: z.literal('rewind'), turn: text }),
  z.object({ type: z.literal('compareSnapshot'), snapshot: text }),
  z.object({ type: z.literal('restoreSnapshot'), snapshot: text }),
  z.object({ type: z.literal('undo') }),
  z.object({ type: z.literal('command'), command: z.enum(viewCommands) }),
]);

/** The intent, or undefined for anything else. */
export function parseIntent(value: unknown): Intent | undefined {
  const parsed = intent.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
