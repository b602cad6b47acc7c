/** The text of an agent's commit, and who it is by. Pure. */
import { agentName } from '../core/agentName.ts';
import { maskSecrets } from '../core/label.ts';
import type { ToolCount } from '../core/timeline.ts';

export interface CommittedTurn {
  readonly id: string;
  readonly session: string;
  readonly number: number;
  readonly prompt: string;
  readonly agent: string;
  readonly model: string | null;
  readonly tools: readonly ToolCount[];
}

const longestPrompt = 60;

/**
 * @param files how many are in the commit
 * @param older numbers of earlier turns whose leftovers are in it as well
 */
export function commitMessage(
  turn: CommittedTurn,
  files: number,
  older: readonly number[],
): string {
  const tools = turn.tools.map(({ name, count }) => (count === 1 ? name : `${name} × ${count}`));
  const counted = files === 1 ? '1 file' : `${files} files`;
  const body = [
    oneLine(tools.length === 0 ? counted : `${counted}; tools: ${tools.join(', ')}`),
    ...(older.length === 0 ? [] : [`With what ${numbered(older)} had left uncommitted.`]),
  ];
  const trailers = [`Turn-Id: ${oneLine(turn.id)}`, `Session: ${oneLine(turn.session)}`];
  return `${commitSubject(turn)}\n\n${body.join('\n')}\n\n${trailers.join('\n')}\n`;
}

/** `[agent <session>] turn <N>: <the first 60 characters of the prompt>`, on one line, secrets masked. */
export function commitSubject({ session, number, prompt }: CommittedTurn): string {
  const text = firstGraphemes(oneLine(maskSecrets(prompt.toWellFormed())), longestPrompt);
  return `[agent ${oneLine(session)}] turn ${number}: ${text === '' ? '(no prompt)' : text}`;
}

/** Git refuses names without a letter, and leaves out what would end one. */
export function commitIdentity({ agent, model }: Pick<CommittedTurn, 'agent' | 'model'>): {
  readonly name: string;
  readonly email: string;
} {
  const product = plain(agentName(agent) ?? '') || 'Memcode Timeline';
  const known = plain(model ?? '');
  return {
    name: known === '' ? `agent (${product})` : `agent (${known} via ${product})`,
    email: 'agent@memcode.invalid',
  };
}

function numbered(numbers: readonly number[]): string {
  return numbers.length === 1 ? `turn ${numbers[0]}` : `turns ${numbers.join(', ')}`;
}

function plain(text: string): string {
  return oneLine(text.toWellFormed()).replace(/[<>]/g, '').trim();
}

function oneLine(text: string): string {
  return text
    .replace(/[\s\u2028\u2029]+/gu, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim();
}

function firstGraphemes(text: string, count: number): string {
  let taken = 0;
  for (const { index } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text))
    if (taken++ === count) return text.slice(0, index).trimEnd();
  return text;
}
