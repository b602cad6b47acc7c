/** Gemini `generateContent` and `streamGenerateContent`: Gemini CLI. */
import { type Fields, recordAt, textAt } from '../../../src/agents/fields.ts';
import { contentText, type Decide, newId, type Reply, recordsIn } from './wire.ts';

export function generateContent(body: Fields, reply: Reply, decide: Decide, url: string): void {
  const contents = recordsIn(body['contents']);
  const holds = (content: Fields | undefined, part: string): boolean =>
    recordsIn(content?.['parts']).some((one) => one[part] !== undefined);
  const at = contents.findLastIndex(
    (content) => content['role'] === 'user' && !holds(content, 'functionResponse'),
  );
  // The client's own routers and checkers ask for JSON.
  const wantsJson =
    textAt(recordAt(body, 'generationConfig'), 'responseMimeType') === 'application/json';
  const answer = wantsJson
    ? { text: JSON.stringify(routerAnswer) }
    : decide({
        prompt: contentText(contents[at]?.['parts']),
        rounds: contents
          .slice(at + 1)
          .filter((content) => content['role'] === 'model' && holds(content, 'functionCall'))
          .length,
        tools: recordsIn(body['tools'])
          .flatMap((tool) => recordsIn(tool['functionDeclarations']))
          .map((tool) => textAt(tool, 'name') ?? ''),
      });
  const parts =
    'calls' in answer
      ? answer.calls.map(({ name, args }) => ({ functionCall: { name, args } }))
      : [{ text: answer.text }];
  const result = {
    candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    modelVersion: 'scripted',
    responseId: newId('r'),
  };
  if (url.includes(':streamGenerateContent')) reply.stream([{ data: result }]);
  else reply.json(result);
}

const routerAnswer = {
  reasoning: 'scripted',
  model_choice: 'pro',
  next_speaker: 'user',
  complexity_score: 50,
  complexity_reasoning: 'scripted',
};
