/** Adds one bullet under a document's heading `## Notes`; everything else of it stays. Pure. */
import { splitMark } from './byteOrderMark.ts';
import { layoutOf } from './markdown.ts';

const section = 'Notes';
const title = '# Project memory';

/** One line of plain text; empty when nothing is said. */
export function noteLine(note: string): string {
  return note
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
}

/**
 * @param text of the document as it is, with its byte order mark; undefined when there is none
 * @returns the new text; the same when the note says nothing.
 */
export function withNote(text: string | undefined, note: string): string {
  const line = noteLine(note);
  if (line === '') return text ?? '';
  const { mark, body } = splitMark(text ?? '');
  const end = body.includes('\r\n') ? '\r\n' : '\n';
  const bullet = bulletOf(line);
  if (body.trim() === '')
    return `${mark}${[title, '', `## ${section}`, '', bullet].join(end)}${end}`;
  const { openFence } = layoutOf(body);
  const whole = openFence === undefined ? body : `${body.trimEnd()}${end}${openFence}${end}`;
  return mark + inserted(whole, bullet, end);
}

/** Whether a line of the text is just the bullet that `withNote` makes of the note. */
export function hasNote(text: string, note: string): boolean {
  return text.split(/\r?\n/).includes(bulletOf(noteLine(note)));
}

const bulletOf = (line: string): string => `- ${line.replace(blockMark, '\\$&')}`;

/** What would make something else than words of the beginning of a line. */
const blockMark = /^(?:#{1,6}\s|>|[-+*]\s|`{3}|~{3})/;

function inserted(body: string, bullet: string, end: string): string {
  const { headings } = layoutOf(body);
  const at = headings.findIndex(({ level, text }) => level === 2 && text === section);
  const heading = headings[at];
  if (heading === undefined) {
    const kept = body.trimEnd();
    return `${kept}${end}${end}## ${section}${end}${end}${bullet}${end}`;
  }
  const next = headings.slice(at + 1).find(({ level }) => level <= 2);
  const from = heading.to;
  const rest = next === undefined ? '' : body.slice(next.from);
  const content = body.slice(from, next?.from ?? body.length).trimEnd();
  // A list goes on without a blank line; anything else needs one to end it.
  const before = content === '' ? end + end : isListed(content) ? end : end + end;
  const after = rest === '' ? end : end + end;
  return body.slice(0, from).trimEnd() + content + before + bullet + after + rest;
}

/** Whether the text ends with an item of a list, or what belongs to one. */
function isListed(content: string): boolean {
  const lines = content.split(/\r?\n/);
  for (const line of lines.reverse()) {
    if (/^[-*+]\s/.test(line)) return true;
    if (!/^\s+\S/.test(line)) return false;
  }
  return false;
}
