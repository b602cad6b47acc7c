/**
 * Tolerant readers for JSON that others wrote: a value of the wrong type reads as missing, nothing here throws. Pure and
 * without imports: it is bundled into the hook, which must load in a few milliseconds.
 */

export type Fields = Readonly<Record<string, unknown>>;

/** The value as an object; undefined for a list, null or anything else. */
export function recordOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The object at `name`; an empty one when there is none. */
export function recordAt(fields: Fields, name: string): Fields {
  return recordOf(fields[name]) ?? {};
}

/** What a record says it is. Anything may stand there, also what cannot be made a text. */
export function kindOf(fields: Fields, name = 'type'): string {
  const kind = fields[name];
  return typeof kind === 'string' ? kind : 'unknown';
}

/** The first of the names that holds a text that is not empty. */
export function textAt(fields: Fields, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

export function has(fields: Fields, ...names: readonly string[]): boolean {
  return names.some((name) => fields[name] !== undefined);
}

/** At most `limit` characters, the last one `…` where something was cut; no half of a surrogate pair. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Absolute on any platform: payloads may come from a client that runs elsewhere. */
export function isAbsolute(path: string): boolean {
  return /^(?:[\\/]|[A-Za-z]:[\\/])/.test(path);
}
