/** Lines of a document that ask for another file's text in their place: `@path/to/file`. Pure. */
import { layoutOf, type Span } from './markdown.ts';

export interface Directive extends Span {
  /** White space before it. */
  readonly indent: string;
  /** As it is written, without the `@`. */
  readonly path: string;
}

/**
 * In the order of the text, which must be without a byte order mark. A directive is a whole line that begins with `@`, holds no
 * white space and looks like a path: so a name (`@someone`) is none, and neither is anything in code or comments.
 */
export function directivesIn(text: string): readonly Directive[] {
  const found = candidates(text);
  if (found.length === 0 || !mayHoldCode.test(text)) return found;
  const { opaque } = layoutOf(text);
  // Both are in the order of the text.
  let at = 0;
  return found.filter(({ from, to }) => {
    while ((opaque[at]?.to ?? from + 1) <= from) at++;
    return (opaque[at]?.from ?? to) >= to;
  });
}

/** Without any of these there is neither code nor a comment, and no need to parse. */
const mayHoldCode = /[`~]|<!--|^ {4}|^ *\t/m;

function candidates(text: string): readonly Directive[] {
  const found: Directive[] = [];
  for (let from = 0, next = 0; from < text.length; from = next) {
    const end = text.indexOf('\n', from);
    next = end < 0 ? text.length : end + 1;
    const line = text.slice(from, next).trimEnd();
    const path = line.trimStart().slice(1);
    if (!line.trimStart().startsWith('@') || /\s/.test(path) || !/[/\\.]/.test(path)) continue;
    const indent = line.slice(0, line.length - path.length - 1);
    found.push({ from, to: from + line.length, indent, path });
  }
  return found;
}
