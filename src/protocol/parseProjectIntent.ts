/** Parses what a project's page posted. The page is another realm: nothing of it is trusted. */
import * as z from 'zod/mini';
import { autoCommitModes } from '../core/autoCommit.ts';
import { type ProjectIntent, projectActs, projectStatuses } from './projectMessages.ts';

const text = z.string().check(z.maxLength(4096));

const intent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('act'), act: z.enum(projectActs) }),
  z.object({ type: z.literal('setStatus'), status: z.enum(projectStatuses) }),
  z.object({ type: z.literal('setAutoCommit'), mode: z.enum(autoCommitModes) }),
  z.object({ type: z.literal('setJoins'), byFolder: z.boolean() }),
  z.object({ type: z.literal('openTurn'), turn: text }),
  z.object({ type: z.literal('commitTurn'), turn: text }),
  z.object({ type: z.literal('openSession'), session: text }),
  z.object({ type: z.literal('openNote'), name: text }),
  z.object({ type: z.literal('detach'), session: text }),
]);

/** The intent, or undefined for anything else. */
export function parseProjectIntent(value: unknown): ProjectIntent | undefined {
  const parsed = intent.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
