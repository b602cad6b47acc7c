/** Copilot CLI: its own camelCase shape, without an event name, or Claude's shape. Pure, part of the hook. */
import { type Fields, has, recordAt, textAt } from '../fields.ts';
import { readGeneric } from '../generic/readGeneric.ts';
import type { PayloadHint, Reading } from '../reading.ts';

export function readCopilot(payload: Fields, hint: PayloadHint): Reading {
  const reading = readGeneric(payload, 'copilot', hint);
  const event = reading.event ?? eventByShape(payload);
  const result = textAt(recordAt(payload, 'toolResult'), 'resultType') ?? 'success';
  return { ...reading, event, failed: reading.failed || result !== 'success' };
}

function eventByShape(payload: Fields): string | undefined {
  if (has(payload, 'toolName')) {
    if (has(payload, 'error')) return 'postToolUseFailure';
    return has(payload, 'toolResult') ? 'postToolUse' : 'preToolUse';
  }
  if (has(payload, 'prompt')) return 'userPromptSubmitted';
  if (has(payload, 'initialPrompt', 'source')) return 'sessionStart';
  if (has(payload, 'stopReason')) return 'agentStop';
  return has(payload, 'reason') ? 'sessionEnd' : undefined;
}
