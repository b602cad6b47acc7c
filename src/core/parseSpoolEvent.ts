/** Reads a spool entry back. Our own files, but another version may have written them: checked, not trusted. Pure. */
import type { SpoolEvent } from './spoolEvent.ts';

const kinds: ReadonlySet<string> = new Set<SpoolEvent['kind']>([
  'session',
  'turn',
  'tool',
  'after',
  'end',
  'sessionEnd',
]);

/** The event, or a sentence why it is none. */
export function parseSpoolEvent(text: string): SpoolEvent | { readonly problem: string } {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    return { problem: `it is not JSON (${error instanceof Error ? error.message : ''})` };
  }
  if (typeof raw !== 'object' || raw === null) return { problem: 'it is not an object' };
  const fields = raw as Readonly<Record<string, unknown>>;
  if (fields['v'] !== 1) return { problem: `it is of version ${String(fields['v'])}` };
  const isText = (name: string) => typeof fields[name] === 'string' && fields[name] !== '';
  if (!['id', 'session', 'agent', 'root', 'kind'].every(isText))
    return { problem: 'a required text is missing' };
  if (typeof fields['at'] !== 'number') return { problem: 'it has no time' };
  if (!kinds.has(String(fields['kind'])))
    return { problem: `its kind ${String(fields['kind'])} is unknown` };
  const problem = faultOfKind(fields, isText);
  return problem === undefined ? (raw as SpoolEvent) : { problem };
}

function faultOfKind(
  fields: Readonly<Record<string, unknown>>,
  isText: (name: string) => boolean,
): string | undefined {
  const { kind } = fields;
  if (kind === 'session' || kind === 'sessionEnd') return undefined;
  if (!isText('turn') || !/#[1-9]\d*$/.test(String(fields['turn']))) return 'it names no turn';
  if (
    kind === 'turn' &&
    !(Number.isSafeInteger(fields['seq']) && typeof fields['prompt'] === 'string')
  )
    return 'its turn is incomplete';
  if (
    kind === 'tool' &&
    !(Array.isArray(fields['saved']) && Array.isArray(fields['unprotected']) && isText('tool'))
  ) {
    return 'its tool call is incomplete';
  }
  if (kind === 'end' && !isText('end')) return 'it does not say how the turn ended';
  return undefined;
}
