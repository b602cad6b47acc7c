/**
 * A model that follows a script: answers Claude Code, Codex and Gemini CLI on 127.0.0.1, without a network or a key. It
 * keeps no state; where a conversation is stands in each request.
 */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Fields, recordOf } from '../../../src/agents/fields.ts';
import { generateContent } from './generateContent.ts';
import { messages } from './messages.ts';
import { responses } from './responses.ts';
import { type Script, stepAt } from './script.ts';
import { toolCall } from './toolCall.ts';
import { type Answer, type Conversation, type Reply, replyTo } from './wire.ts';

export interface ModelServer extends AsyncDisposable {
  readonly url: string;
  /** The bodies of all requests so far. */
  readonly requests: readonly Fields[];
}

/** @param root the project's folder, absolute. */
export async function startModelServer(script: Script, root: string): Promise<ModelServer> {
  const requests: Fields[] = [];
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = bodyOf(Buffer.concat(parts).toString());
      requests.push(body);
      route(request.url ?? '', body, replyTo(response), script, root);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function route(url: string, body: Fields, reply: Reply, script: Script, root: string): void {
  const decide = (conversation: Conversation): Answer => answerTo(conversation, script, root);
  if (/count_tokens|:countTokens/.test(url)) reply.json({ input_tokens: 10, totalTokens: 10 });
  else if (/\/messages(?:\?|$)/.test(url)) messages(body, reply, decide);
  else if (/\/responses(?:\?|$)/.test(url)) responses(body, reply, decide);
  else if (/:(?:stream)?generateContent/i.test(url)) generateContent(body, reply, decide, url);
  else reply.json({ object: 'list', data: [], models: [], has_more: false });
}

/** A request that offers no tools (for a title, a summary) gets plain text and counts for nothing. */
function answerTo({ prompt, rounds, tools }: Conversation, script: Script, root: string): Answer {
  if (tools.length === 0) return { text: 'Scripted' };
  const step = stepAt(script, prompt, rounds);
  if (step.op === 'text') return { text: step.text };
  const steps = step.op === 'multi' ? step.calls : [step];
  const calls = steps.flatMap((one) => toolCall(one, tools, root) ?? []);
  return calls.length > 0 ? { calls } : { text: `No tool for ${step.op}: ${tools.join(', ')}` };
}

function bodyOf(text: string): Fields {
  try {
    return recordOf(JSON.parse(text)) ?? {};
  } catch {
    // Requests without a body, such as a list of models, read as empty.
    return {};
  }
}
