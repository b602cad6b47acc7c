/**
 * What a tool was given, as a person reads it: agents write it as one line of JSON, with every line end of a file in it
 * escaped. Pure. What is no JSON stays a text.
 */

/** One value. Both are data from an agent. */
export interface InputField {
  /** Such as `file_path`, `edits[0].old_string`; empty when the input as a whole is a text. */
  readonly key: string;
  readonly text: string;
}

/** Deeper and later values are shown as JSON. */
const deepest = 6;
const mostFields = 200;

/** In the order in which the agent wrote them. */
export function inputFields(input: string): readonly InputField[] {
  const text = input.trim();
  if (text === '') return [];
  const whole = [{ key: '', text }];
  if (!/^[{[]/.test(text)) return whole;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Some agents' tools take a text that begins like JSON.
    return whole;
  }
  const fields: InputField[] = [];
  addFields(fields, '', value, 0);
  return fields;
}

/** The same as one text, without a line of escapes. */
export function inputText(input: string): string {
  return inputFields(input)
    .map(({ key, text }) =>
      key === '' ? text : `${key}:${text.includes('\n') ? '\n' : ' '}${text}`,
    )
    .join('\n');
}

function addFields(fields: InputField[], key: string, value: unknown, depth: number): void {
  const isNested = typeof value === 'object' && value !== null && depth < deepest;
  const entries = isNested ? Object.entries(value) : [];
  if (entries.length === 0 || fields.length + entries.length > mostFields) {
    fields.push({ key, text: typeof value === 'string' ? value : JSON.stringify(value, null, 2) });
    return;
  }
  for (const [name, part] of entries) {
    const below = Array.isArray(value) ? `${key}[${name}]` : key === '' ? name : `${key}.${name}`;
    addFields(fields, below, part, depth + 1);
  }
}
