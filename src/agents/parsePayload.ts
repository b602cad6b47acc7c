/**
 * From a hook's payload to the event it tells of. The only door into this folder for the hook; never throws, whatever
 * the payload is. Pure, without dependencies: it is most of what the hook loads.
 */
import { readClaude } from './claude/readClaude.ts';
import { readCline } from './cline/readCline.ts';
import { readCodex } from './codex/readCodex.ts';
import { readCopilot } from './copilot/readCopilot.ts';
import { readCursor } from './cursor/readCursor.ts';
import { detectAgent } from './detectAgent.ts';
import { type Fields, recordOf } from './fields.ts';
import { readGemini } from './gemini/readGemini.ts';
import { readGeneric } from './generic/readGeneric.ts';
import { readOpencode } from './opencode/readOpencode.ts';
import { eventOf, type ParsedPayload, type PayloadHint, type Reading } from './reading.ts';

/**
 * @param payload the parsed JSON, of any type.
 * @returns the event, or `ignored` with the reason in words: nothing to record, which is no error.
 */
export function parsePayload(payload: unknown, hint: PayloadHint): ParsedPayload {
  const fields = recordOf(payload);
  if (fields === undefined) return { ignored: 'the payload is not an object' };
  return eventOf(read(fields, detectAgent(fields, hint), hint));
}

function read(payload: Fields, agent: string, hint: PayloadHint): Reading {
  switch (agent) {
    case 'claude':
      return readClaude(payload, hint);
    case 'codex':
      return readCodex(payload, hint);
    case 'gemini':
      return readGemini(payload, hint);
    case 'copilot':
      return readCopilot(payload, hint);
    case 'cursor':
      return readCursor(payload, hint);
    case 'cline':
      return readCline(payload, hint);
    case 'opencode':
      return readOpencode(payload, hint);
    default:
      return readGeneric(payload, agent, hint);
  }
}
