/** The files of a mirror: one for each message, and what is known of the session. Bytes only; nothing is written here. */
import type { MessageNode } from '../../core/history.ts';

export const messagesFolder = 'messages';
export const metaFile = 'meta.json';

/** Sorting names is sorting messages, up to a million of them. */
export function messageFile(node: Pick<MessageNode, 'seq' | 'role' | 'id'>): string {
  return `${String(node.seq).padStart(6, '0')}-${node.role[0]}-${node.id}.json`;
}

/** Whether we would name a file so: what a commit made by hand holds beside those is never written anywhere. */
export function isMessageFile(name: string): boolean {
  return /^\d{6,}-[uat]-[0-9a-f]{12}-i?\d+-[uat]\d*\.json$/.test(name);
}

export function messageBytes(node: MessageNode): Buffer {
  const metadata = {
    turn: node.turn,
    seq: node.seq,
    ...(node.model !== null && { model: node.model }),
    ...(node.inputTokens !== null && { input_tokens: node.inputTokens }),
    ...(node.outputTokens !== null && { output_tokens: node.outputTokens }),
    ...(node.duration !== null && { duration_ms: node.duration }),
    ...(node.name !== null && { name: node.name }),
    ...(node.callId !== null && { call_id: node.callId }),
    ...(node.input !== null && { input: node.input }),
    ...(node.role === 'tool' && { failed: node.failed }),
    ...(node.said !== null && { said: node.said }),
  };
  return jsonBytes({
    id: node.id,
    role: node.role,
    content: node.content,
    predecessor: node.predecessor,
    caller: node.caller,
    created_at: node.createdAt / 1000,
    metadata,
  });
}

export interface SessionFacts {
  readonly id: string;
  readonly agent: string;
  readonly root: string;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly updatedAt: number;
}

/** As it was when a turn had ended; before the first turn: no turns. */
export function metaBytes(
  session: SessionFacts,
  at: {
    readonly turns: number;
    readonly branch: string;
    readonly model: string | null;
    readonly updatedAt: number;
  },
): Buffer {
  return jsonBytes({
    id: session.id,
    title: session.title,
    agent: session.agent,
    model: at.model,
    root: session.root,
    branch: at.branch,
    turns: at.turns,
    started_at: session.startedAt / 1000,
    updated_at: at.updatedAt / 1000,
  });
}

function jsonBytes(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}
