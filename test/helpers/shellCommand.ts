/** A call of a shell tool by its hooks alone, and what the timeline shows of a session's files. */
import { agentShapes } from './storeAgents.ts';
import type { AgentSession, StoreDriver } from './storeDriver.ts';

/** For each turn its files with their causes; `?` for what is uncertain. */
export async function shown(d: StoreDriver, session = 'session-1'): Promise<unknown> {
  return (await d.turns(session)).map((t) =>
    t.files.map((f) => `${f.path} ${f.cause}${f.uncertain ? '?' : ''}`),
  );
}

/** Both hooks of a call of a shell tool; `work` is what happens between them. */
export async function command(
  s: AgentSession,
  text: string,
  work: () => unknown,
  { callId = 'call', ...input }: Readonly<Record<string, unknown>> & { callId?: string } = {},
): Promise<void> {
  const shape = agentShapes[s.agent];
  const named = (when: 'before' | 'after') => {
    const body = shape.shell(when, text);
    return { ...body, tool_input: { ...(body['tool_input'] as object), ...input } };
  };
  await s.send(named('before'), { callId });
  await work();
  await s.send(named('after'), { callId });
}
