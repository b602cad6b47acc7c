/** Anthropic Messages: Claude Code. */
import { type Fields, textAt } from '../../../src/agents/fields.ts';
import { contentText, type Decide, newId, type Reply, recordsIn } from './wire.ts';

export function messages(body: Fields, reply: Reply, decide: Decide): void {
  const list = recordsIn(body['messages']);
  const holds = (message: Fields, type: string): boolean =>
    recordsIn(message['content']).some((block) => block['type'] === type);
  const at = list.findLastIndex(
    (message) => message['role'] === 'user' && !holds(message, 'tool_result'),
  );
  const answer = decide({
    prompt: contentText(list[at]?.['content']),
    rounds: list
      .slice(at + 1)
      .filter((message) => message['role'] === 'assistant' && holds(message, 'tool_use')).length,
    tools: recordsIn(body['tools']).map((tool) => textAt(tool, 'name') ?? ''),
  });
  const content =
    'calls' in answer
      ? answer.calls.map(({ name, args }) => ({
          type: 'tool_use',
          id: newId('toolu'),
          name,
          input: args,
        }))
      : [{ type: 'text', text: answer.text }];
  const end = { stop_reason: 'calls' in answer ? 'tool_use' : 'end_turn', stop_sequence: null };
  const usage = { input_tokens: 10, output_tokens: 5 };
  const message = { id: newId('msg'), type: 'message', role: 'assistant', model: body['model'] };
  if (body['stream'] !== true) {
    reply.json({ ...message, content, ...end, usage });
    return;
  }
  const event = (type: string, value: object) => ({ name: type, data: { type, ...value } });
  reply.stream([
    event('message_start', { message: { ...message, content: [], stop_reason: null, usage } }),
    ...content.flatMap((block, index) => [
      event('content_block_start', {
        index,
        content_block: 'input' in block ? { ...block, input: {} } : { type: 'text', text: '' },
      }),
      event('content_block_delta', {
        index,
        delta:
          'input' in block
            ? { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
            : { type: 'text_delta', text: block.text },
      }),
      event('content_block_stop', { index }),
    ]),
    event('message_delta', { delta: end, usage }),
    event('message_stop', {}),
  ]);
}
