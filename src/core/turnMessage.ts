/** The message of a turn's commit in the mirror. Text of people and agents is data: one line, no controls. Pure. */
import type { ToolCount, TurnEnd } from './timeline.ts';

const longestPrompt = 60;
const longestReply = 80;

export interface TurnFacts {
  /** Depth on its branch, from 1. */
  readonly number: number;
  readonly prompt: string;
  readonly reply: string | null;
  /** In order of first use. */
  readonly tools: readonly ToolCount[];
  /** Milliseconds. */
  readonly duration: number | null;
  /** Of input and output together; null where the agent does not tell. */
  readonly tokens: number | null;
  readonly end: TurnEnd;
  /** Id of the assistant node. */
  readonly node: string;
  readonly nodes: number;
  readonly maxSeq: number;
}

export function turnMessage(turn: TurnFacts): string {
  const calls = turn.tools.reduce((sum, { count }) => sum + count, 0);
  const names = turn.tools.map(({ name, count }) => {
    const plain = firstCharacters(name, longestPrompt).replaceAll(',', ' ') || 'tool';
    return count === 1 ? plain : `${plain} × ${count}`;
  });
  const meta = [
    ...(turn.duration === null ? [] : [`turn took ${(turn.duration / 1000).toFixed(1)}s`]),
    `${calls} tools`,
    ...(turn.tokens === null ? [] : [`${turn.tokens} tokens`]),
  ];
  return [
    `turn ${turn.number}: ${firstCharacters(turn.prompt, longestPrompt) || '(no prompt)'}`,
    '',
    `assistant: ${firstCharacters(turn.reply ?? '', longestReply) || '(no reply)'}`,
    ...(names.length > 0 ? [`tools: ${names.join(', ')}`] : []),
    `[meta: ${meta.join(', ')}]`,
    '',
    `Turn-Id: ${turn.node}`,
    `Nodes: ${turn.nodes}`,
    `Max-Seq: ${turn.maxSeq}`,
    ...(turn.end === 'stop' ? [] : [`Status: ${turn.end}`]),
  ].join('\n');
}

/** Of the last paragraph of a commit's message. */
export function turnIdIn(message: string): string | undefined {
  const trailers = message.trimEnd().split('\n\n').at(-1) ?? '';
  return /^Turn-Id: (\S+)$/m.exec(trailers)?.[1];
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** So many characters as people count them, on one line. */
export function firstCharacters(text: string, count: number): string {
  // Enough for any text that is made of what people call characters.
  const line = text
    .slice(0, count * 32)
    .toWellFormed()
    .replace(/[\s\u2028\u2029]+/gu, ' ')
    .replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '')
    .trim();
  if (line.length <= count) return line;
  // Of plain letters each is a character: finding their bounds is what takes time.
  if (/^[\x20-\x7e]*$/.test(line.slice(0, count + 1))) return line.slice(0, count).trimEnd();
  let taken = 0;
  for (const { index } of segmenter.segment(line))
    if (taken++ === count) return line.slice(0, index).trimEnd();
  return line;
}
