/** What the three wire formats have in common: a request read into a conversation, an answer written back. */
import type { ServerResponse } from 'node:http';
import { type Fields, listOf, recordOf, textAt } from '../../../src/agents/fields.ts';
import type { Call } from './toolCall.ts';

/** Where a conversation is. */
export interface Conversation {
  readonly prompt: string;
  /** Answers with tool calls since the prompt. */
  readonly rounds: number;
  readonly tools: readonly string[];
}

export type Answer = { readonly text: string } | { readonly calls: readonly Call[] };
export type Decide = (conversation: Conversation) => Answer;

export interface Reply {
  readonly json: (value: unknown) => void;
  /** Server-sent events; an unnamed one has data only. */
  readonly stream: (events: readonly { readonly name?: string; readonly data: unknown }[]) => void;
}

export function replyTo(response: ServerResponse): Reply {
  return {
    json: (value) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    },
    stream: (events) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const { name, data } of events) {
        if (name !== undefined) response.write(`event: ${name}\n`);
        response.write(`data: ${JSON.stringify(data)}\n\n`);
      }
      response.end();
    },
  };
}

export const recordsIn = (value: unknown): readonly Fields[] =>
  listOf(value)
    .map(recordOf)
    .filter((item) => item !== undefined);

/** The text of a message's content, which may be a plain string or a list of blocks. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return recordsIn(content)
    .map((block) => textAt(block, 'text') ?? '')
    .join('\n');
}

let counter = 0;

export function newId(prefix: string): string {
  counter++;
  return `${prefix}_${String(counter).padStart(6, '0')}`;
}
