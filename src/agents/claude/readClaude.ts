/**
 * Claude Code: its own turn id, and what goes on in the background; everything else is the generic shape, which is its
 * own. Pure, part of the hook.
 */
import { type Fields, listOf, recordOf, textAt } from '../fields.ts';
import { readGeneric } from '../generic/readGeneric.ts';
import type { PayloadHint, Reading } from '../reading.ts';

export function readClaude(payload: Fields, hint: PayloadHint): Reading {
  return {
    ...readGeneric(payload, 'claude', hint),
    promptId: textAt(payload, 'prompt_id'),
    running: runningCommands(payload['background_tasks']),
  };
}

/** Subagents tell of their commands themselves. Undefined where Claude does not say. */
function runningCommands(tasks: unknown): number | undefined {
  if (!Array.isArray(tasks)) return undefined;
  return listOf(tasks).filter((task) => {
    const { type, status } = recordOf(task) ?? {};
    return type !== 'subagent' && (status === 'running' || status === undefined);
  }).length;
}
