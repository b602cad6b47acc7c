/**
 * Cline, CLI and extension: one executable an event, a shape of its own. A prompt stands in its transcript only, so a turn
 * begins without one. Pure, part of the hook.
 */
import { type Fields, has, listOf, recordAt, textAt } from '../fields.ts';
import type { PayloadHint, Reading } from '../reading.ts';

const events: Readonly<Record<string, string>> = {
  agent_start: 'userPromptSubmit',
  prompt_submit: 'userPromptSubmit',
  tool_call: 'preToolUse',
  tool_result: 'postToolUse',
  agent_end: 'stop',
  agent_abort: 'interrupt',
  session_shutdown: 'sessionEnd',
};

export function readCline(payload: Fields, hint: PayloadHint): Reading {
  const call = recordAt(payload, has(payload, 'tool_result') ? 'tool_result' : 'tool_call');
  const older = recordAt(payload, has(payload, 'postToolUse') ? 'postToolUse' : 'preToolUse');
  const parent = payload['parent_agent_id'];
  const isSubagent = typeof parent === 'string' && parent !== '';
  const event = events[textAt(payload, 'hookName') ?? ''] ?? hint.event;
  const turn = recordAt(payload, 'turn');
  return {
    agent: 'cline',
    // A subagent's start is no prompt of a person.
    event: isSubagent && event === 'userPromptSubmit' ? 'subagentStart' : event,
    session:
      textAt(recordAt(payload, 'sessionContext'), 'rootSessionId') ?? textAt(payload, 'taskId'),
    cwd:
      textAt(recordAt(payload, 'workspaceInfo'), 'rootPath') ??
      firstText(payload['workspaceRoots']),
    subagent: isSubagent ? textAt(payload, 'agent_id') : undefined,
    prompt: textAt(recordAt(payload, 'userPromptSubmit'), 'prompt') ?? textAt(payload, 'prompt'),
    reply: textAt(turn, 'outputText'),
    tool: textAt(call, 'name') ?? textAt(older, 'toolName'),
    input: call['input'] ?? older['parameters'],
    callId: textAt(call, 'id'),
    failed: has(recordAt(call, 'output'), 'error') && !succeeded(recordAt(call, 'output')),
  };
}

/** What succeeds has an empty error beside it. */
function succeeded(output: Fields): boolean {
  return output['success'] === true || output['error'] === '' || output['error'] === null;
}

function firstText(value: unknown): string | undefined {
  const first = listOf(value)[0];
  return typeof first === 'string' ? first : undefined;
}
