/** OpenAI Responses: Codex, also in its "code mode", where the model writes JavaScript that calls the tools. */
import { type Fields, textAt } from '../../../src/agents/fields.ts';
import type { Call } from './toolCall.ts';
import { type Answer, contentText, type Decide, newId, type Reply, recordsIn } from './wire.ts';

interface Tool {
  readonly name: string;
  readonly isFreeForm: boolean;
  readonly namespace?: string;
}

export function responses(body: Fields, reply: Reply, decide: Decide): void {
  const input = recordsIn(body['input']);
  const at = input.findLastIndex(isPrompt);
  // Newer models get their tools in an input item.
  const extra = input
    .filter((item) => item['type'] === 'additional_tools')
    .flatMap((item) => toolsIn(item['tools']));
  const tools = [...toolsIn(body['tools']), ...extra];
  const hasTool = (name: string): boolean =>
    tools.some((tool) => tool.isFreeForm && tool.name === name);
  const inCode = hasTool('exec') && !hasTool('apply_patch');
  const answer = decide({
    prompt: contentText(input[at]?.['content']),
    rounds: input
      .slice(at + 1)
      .filter(({ type }) => type === 'function_call' || type === 'custom_tool_call').length,
    tools: inCode ? ['apply_patch', 'exec_command'] : tools.map(({ name }) => name),
  });
  const output = itemsOf(inCode ? asCode(answer) : answer, tools);
  const response = {
    id: newId('resp'),
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    model: body['model'],
    status: 'completed',
    output,
    usage: {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 15,
    },
  };
  if (body['stream'] !== true) {
    reply.json(response);
    return;
  }
  const event = (type: string, value: object) => ({ name: type, data: { type, ...value } });
  reply.stream([
    event('response.created', { response: { ...response, status: 'in_progress', output: [] } }),
    ...output.flatMap((item, output_index) => [
      event('response.output_item.added', { output_index, item }),
      event('response.output_item.done', { output_index, item }),
    ]),
    event('response.completed', { response }),
  ]);
}

/** Context that the client adds looks like a message of the user. */
function isPrompt(item: Fields): boolean {
  const isMessage = (item['type'] ?? 'message') === 'message' && item['role'] === 'user';
  return isMessage && !/^\s*<|^# AGENTS/.test(contentText(item['content']));
}

function toolsIn(value: unknown, namespace?: string): readonly Tool[] {
  return recordsIn(value).flatMap((tool) => {
    const name = textAt(tool, 'name', 'type') ?? '';
    if (tool['tools'] !== undefined) return toolsIn(tool['tools'], name);
    const isFreeForm = tool['type'] === 'custom';
    return [{ name, isFreeForm, ...(namespace !== undefined && { namespace }) }];
  });
}

function asCode(answer: Answer): Answer {
  if (!('calls' in answer)) return answer;
  const sources = answer.calls.map(({ name, args }) => {
    const argument = name === 'apply_patch' ? args['input'] : args;
    return `tools.${name}(${JSON.stringify(argument)})`;
  });
  const [only] = sources;
  const awaited = sources.length === 1 ? only : `Promise.all([${sources.join(', ')}])`;
  return { calls: [{ name: 'exec', args: { input: `text(await ${awaited});` } }] };
}

function itemsOf(answer: Answer, tools: readonly Tool[]): readonly object[] {
  if ('calls' in answer) return answer.calls.map((call) => callItem(call, tools));
  const content = [{ type: 'output_text', text: answer.text, annotations: [] }];
  return [{ type: 'message', id: newId('msg'), role: 'assistant', status: 'completed', content }];
}

function callItem({ name, args }: Call, tools: readonly Tool[]): object {
  const tool = tools.find((one) => one.name === name);
  const base = {
    call_id: newId('call'),
    name,
    ...(tool?.namespace !== undefined && { namespace: tool.namespace }),
    status: 'completed',
  };
  return tool?.isFreeForm
    ? { type: 'custom_tool_call', id: newId('ctc'), ...base, input: args['input'] ?? '' }
    : { type: 'function_call', id: newId('fc'), ...base, arguments: JSON.stringify(args) };
}
