/** Whitespace that is no end of a line, and the one line behind it. */
const noteLine = /^#[ \t]+(\S.*)$/;

/**
 * The note that a person writes as a prompt: one single line that begins with `#` and a space or tab. Undefined for every other
 * prompt, such as a pasted text with a heading. Pure.
 */
export function noteInPrompt(prompt: string): string | undefined {
  const text = prompt.trim();
  return /[\r\n\u0085\u2028\u2029]/.test(text) ? undefined : noteLine.exec(text)?.[1];
}
