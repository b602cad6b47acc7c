/** How texts of memory are framed for an agent, so that none of them can pass for another or for the frame. Pure. */

export const frameTag = 'memcode-memory';
export const partTag = 'memcode-part';
export const updateTag = 'memcode-memory-update';

/**
 * Tags of ours, and those by which agents mark what hooks and systems say. In what is framed their `<` is written `&lt;`: what
 * closes the frame is ours.
 */
const reserved =
  /<(?=\s*\/?\s*(?:memcode-|hook_context|system-reminder|system\b|user_input|user-prompt-submit-hook))/gi;

/** A text fit to stand inside of a frame. */
export function framed(text: string): string {
  return text.replaceAll(reserved, '&lt;');
}

/** A value for an attribute: one line without quotes and brackets. */
export function attribute(value: string): string {
  return value
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

export function opening(attributes: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(attributes).map(([name, value]) => ` ${name}="${attribute(value)}"`);
  return `<${partTag}${pairs.join('')}>`;
}

export const closing = `</${partTag}>`;
