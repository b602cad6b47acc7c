/**
 * Claude's payload shape, which most clients copied, with the spellings that copies use (camelCase names, Cursor's
 * `command` and `file_path` at top level, `tool_result`). Pure, part of the hook.
 */
import { type Fields, listOf, recordAt, textAt } from '../fields.ts';
import type { PayloadHint, Reading } from '../reading.ts';

/** Leaves out `prompt_id`: in a copy it need not change with each prompt. */
export function readGeneric(payload: Fields, agent: string, hint: PayloadHint): Reading {
  const event = textAt(payload, 'hook_event_name', 'hookEventName') ?? hint.event;
  const prompt = textAt(payload, 'prompt');
  return {
    agent,
    event,
    session: textAt(payload, 'session_id', 'sessionId', 'conversation_id', 'sessionID'),
    cwd: textAt(payload, 'cwd') ?? firstText(payload['workspace_roots']),
    model: textAt(payload, 'model'),
    subagent: textAt(payload, 'agent_id'),
    transcript: textAt(payload, 'transcript_path', 'transcriptPath'),
    source: textAt(payload, 'source'),
    reason: textAt(payload, 'reason'),
    prompt,
    notification: prompt?.startsWith('<task-notification>'),
    reply: textAt(payload, 'last_assistant_message', 'prompt_response'),
    ...toolOf(payload, event ?? ''),
  };
}

function toolOf(payload: Fields, event: string): Partial<Reading> {
  const isShell = /ShellExecution$/i.test(event);
  const response = recordAt(payload, 'tool_response');
  const error = payload['error'] ?? response['error'];
  return {
    tool: textAt(payload, 'tool_name', 'toolName') ?? (isShell ? 'Shell' : 'Edit'),
    input: payload['tool_input'] ?? payload['toolArgs'] ?? ownInput(payload),
    callId: textAt(payload, 'tool_use_id'),
    failed: /Failure$/i.test(event) || (Boolean(error) && error !== 'null'),
  };
}

/** Cursor's own events put the tool's arguments beside everything else. */
function ownInput(payload: Fields): Fields {
  return { command: payload['command'], file_path: payload['file_path'] };
}

function firstText(value: unknown): string | undefined {
  const first = listOf(value)[0];
  return typeof first === 'string' ? first : undefined;
}
