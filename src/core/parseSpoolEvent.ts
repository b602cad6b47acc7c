/** Reads a spool entry back. Our own files, but another version may have written them: checked, not trusted. Pure. */
import type { SpoolEvent } from './spoolEvent.ts';

const kinds: ReadonlySet<string> = new Set<SpoolEvent['kind']>([
  'session',
  'turn',
  'tool',
  'after',
  'captured',
  'end',
  'sessionEnd',
]);

/** The event, or a sentence why it is none. */
export function parseSpoolEvent(text: string): SpoolEvent | { readonly problem: string } {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    // The error would quote what is in it.
    return { problem: 'it is not JSON' };
  }
  if (typeof raw !== 'object' || raw === null) return { problem: 'it is not an object' };
  const fields = raw as Fields;
  if (fields['v'] !== 1) return { problem: `it is of version ${String(fields['v'])}` };
  if (!['id', 'session', 'agent', 'root', 'kind'].every((name) => isText(fields[name])))
    return { problem: 'a required text is missing' };
  if (!Number.isSafeInteger(fields['at'])) return { problem: 'it has no time' };
  if (!kinds.has(String(fields['kind'])))
    return { problem: `its kind ${String(fields['kind'])} is unknown` };
  const problem = faultOfKind(fields);
  return problem === undefined ? (raw as SpoolEvent) : { problem };
}

type Fields = Readonly<Record<string, unknown>>;

function faultOfKind(fields: Fields): string | undefined {
  const { kind } = fields;
  if (kind === 'session')
    return isTextOrNone(fields['transcript']) ? undefined : 'its session is incomplete';
  if (kind === 'sessionEnd') return undefined;
  if (!isTurnOf(fields['turn'], fields['session'])) return 'it names no turn of its session';
  if (kind === 'turn' && !isTurn(fields)) return 'its turn is incomplete';
  if (kind === 'tool' && !isTool(fields)) return 'its tool call is incomplete';
  if (kind === 'captured' && !isCaptured(fields)) return 'what was captured is incomplete';
  if (kind === 'end' && !(isText(fields['end']) && isTextOrNone(fields['reply'])))
    return 'it does not say how the turn ended';
  return undefined;
}

function isTurnOf(turn: unknown, session: unknown): boolean {
  if (typeof turn !== 'string' || !turn.startsWith(`${session}#`)) return false;
  return /^[1-9]\d{0,14}$/.test(turn.slice(turn.lastIndexOf('#') + 1));
}

function isTurn(fields: Fields): boolean {
  const { seq, number, prompt, head } = fields;
  return (
    Number.isSafeInteger(seq) &&
    Number.isSafeInteger(number) &&
    typeof prompt === 'string' &&
    String(fields['turn']).endsWith(`#${seq}`) &&
    isTextOrNone(fields['promptId']) &&
    isTextOrNone(fields['model']) &&
    (head === undefined || isHead(head))
  );
}

function isHead(head: unknown): boolean {
  if (typeof head !== 'object' || head === null) return false;
  const { commit, branch } = head as Fields;
  return isText(commit) && (branch === null || isText(branch));
}

function isTool(fields: Fields): boolean {
  const { saved, unprotected } = fields;
  return (
    isText(fields['tool']) &&
    isText(fields['toolClass']) &&
    isTextOrNone(fields['callId']) &&
    isTextOrNone(fields['summary']) &&
    Array.isArray(saved) &&
    saved.every(isText) &&
    Array.isArray(unprotected) &&
    unprotected.every(isUnprotected)
  );
}

function isCaptured({ callId, failure, unprotected }: Fields): boolean {
  return (
    isTextOrNone(callId) &&
    isTextOrNone(failure) &&
    Array.isArray(unprotected) &&
    unprotected.every(isUnprotected)
  );
}

function isUnprotected(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { path, reason } = value as Fields;
  return typeof path === 'string' && typeof reason === 'string';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}
