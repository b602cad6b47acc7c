/**
 * opencode: our plugin hands its hooks on as `{hook, directory, input, output}` or `{hook: 'event', directory, event}`.
 * Subagents are sessions of their own there. Pure, part of the hook.
 */
import { type Fields, listOf, recordAt, recordOf, textAt } from '../fields.ts';
import type { PayloadHint, Reading } from '../reading.ts';

const hooks: Readonly<Record<string, string>> = {
  'chat.message': 'userPromptSubmit',
  'tool.execute.before': 'preToolUse',
  'tool.execute.after': 'postToolUse',
};

const events: Readonly<Record<string, string>> = {
  'session.created': 'sessionStart',
  'session.idle': 'stop',
  'session.error': 'stopFailure',
  'session.deleted': 'sessionEnd',
};

export function readOpencode(payload: Fields, hint: PayloadHint): Reading {
  const event = recordAt(payload, 'event');
  const type = textAt(event, 'type');
  const facts = recordAt(event, 'properties');
  const input = recordAt(payload, 'input');
  const output = recordAt(payload, 'output');
  const message = recordAt(output, 'message');
  const hook = textAt(payload, 'hook') ?? '';
  return {
    agent: 'opencode',
    event: type === undefined ? (hooks[hook] ?? hint.event) : (events[type] ?? type),
    session:
      textAt(input, 'sessionID') ??
      textAt(facts, 'sessionID') ??
      textAt(recordAt(facts, 'info'), 'id') ??
      textAt(payload, 'sessionID'),
    cwd: textAt(payload, 'directory'),
    promptId: textAt(message, 'id'),
    model: textAt(recordAt(message, 'model'), 'modelID'),
    prompt: promptIn(output),
    tool: textAt(input, 'tool'),
    input: input['args'] ?? output['args'],
    callId: textAt(input, 'callID'),
  };
}

/** What the person wrote; files that were put with it are parts of their own. */
function promptIn(output: Fields): string | undefined {
  const texts = listOf(output['parts']).flatMap((part) => {
    const fields = recordOf(part) ?? {};
    const text = textAt(fields, 'text');
    return fields['type'] === 'text' && fields['synthetic'] !== true && text !== undefined
      ? [text]
      : [];
  });
  return texts.length === 0 ? undefined : texts.join('\n');
}
