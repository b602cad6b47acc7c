/** What a search found, in pieces for a line of the page: little before the first word that was looked for. Pure. */
import { foundIn } from '../core/foundWords.ts';
import type { ExcerptPart } from '../protocol/historyMessages.ts';

/** UTF-16 units before the first word found: it must be seen in a narrow list. */
const mostBefore = 24;

/** @param excerpt one line @param typed what was searched for */
export function hitExcerpt(excerpt: string, typed: string): readonly ExcerptPart[] {
  const text = cutBefore(excerpt, typed);
  const parts: ExcerptPart[] = [];
  let done = 0;
  for (const { from, to } of foundIn(text, typed)) {
    if (from > done) parts.push({ text: text.slice(done, from), isFound: false });
    parts.push({ text: text.slice(from, to), isFound: true });
    done = to;
  }
  if (done < text.length) parts.push({ text: text.slice(done), isFound: false });
  return parts;
}

/** Begins with a whole word where one begins there, and never with half a character. */
function cutBefore(excerpt: string, typed: string): string {
  const [first] = foundIn(excerpt, typed);
  if (first === undefined || first.from <= mostBefore) return excerpt;
  const start = first.from - mostBefore;
  const space = excerpt.indexOf(' ', start);
  const from = space < 0 || space >= first.from ? start : space + 1;
  return `…${excerpt.slice(from).toWellFormed()}`;
}
