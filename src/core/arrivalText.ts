/** What a log says of an event that an agent's hook left: who, what, where. Nothing of prompts, replies or contents. Pure. */
import { agentName } from './agentName.ts';
import type { SpoolEvent } from './spoolEvent.ts';

const longestName = 80;

/** One line, whatever the agent calls its tools. */
export function arrivalText(event: SpoolEvent): string {
  const who = agentName(event.agent) ?? 'An unknown agent';
  const line = `${who}: ${whatOf(event)} (session ${event.session} in ${event.root})`;
  return line.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

function whatOf(event: SpoolEvent): string {
  switch (event.kind) {
    case 'session':
      return 'session start';
    case 'turn':
      return `prompt of turn ${event.number}`;
    case 'tool':
      return `before ${event.tool.slice(0, longestName)}${savedText(event)}`;
    case 'after':
      return 'after the tool';
    case 'end':
      return `end of the turn (${event.end})`;
    case 'sessionEnd':
      return 'session end';
    default:
      return event.kind;
  }
}

function savedText({
  saved,
  unprotected,
}: Pick<Extract<SpoolEvent, { kind: 'tool' }>, 'saved' | 'unprotected'>): string {
  const parts = [
    ...(saved.length > 0 ? [`${saved.length} saved`] : []),
    ...(unprotected.length > 0 ? [`${unprotected.length} not saved`] : []),
  ];
  return parts.length === 0 ? '' : `, ${parts.join(', ')}`;
}
