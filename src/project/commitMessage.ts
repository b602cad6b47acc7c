/** The text of an agent's commit, and who it is by. Pure. */
import { agentName } from '../core/agentName.ts';
import { maskSecrets } from '../core/label.ts';
import type { ToolCount } from '../core/timeline.ts';
import { firstCharacters } from '../core/turnMessage.ts';

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
const longestName = 200;
const longestTools = 1_000;

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
    firstCharacters(
      tools.length === 0 ? counted : `${counted}; tools: ${tools.join(', ')}`,
      longestTools,
    ),
    ...(older.length === 0 ? [] : [`With what ${numbered(older)} had left uncommitted.`]),
  ];
  const trailers = [
    `Turn-Id: ${firstCharacters(turn.id, longestName)}`,
    `Session: ${firstCharacters(turn.session, longestName)}`,
  ];
  return `${commitSubject(turn)}\n\n${body.join('\n')}\n\n${trailers.join('\n')}\n`;
}

/** `[agent <session>] turn <N>: <the first 60 characters of the prompt>`, on one line, secrets masked. */
export function commitSubject({ session, number, prompt }: CommittedTurn): string {
  const text = firstCharacters(maskSecrets(prompt), longestPrompt);
  return `[agent ${firstCharacters(session, longestName)}] turn ${number}: ${text || '(no prompt)'}`;
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
  return firstCharacters(text, longestName).replace(/[<>]/g, '').trim();
}
