/** How text goes into the index of words, and how what a person types becomes a query. Pure. */

const longest = 20_000;
/** Scripts without spaces between words: each character counts as one. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

export function wordsOf(...texts: readonly (string | null | undefined)[]): string {
  return texts
    .filter((text) => text !== null && text !== undefined && text !== '')
    .map((text) => text?.slice(0, longest).replace(dense, ' $& '))
    .join('\n');
}

/** Shorter beginnings fit so many words that nobody means them all. */
const shortestBeginning = 3;

/** Every word must be there, the last as a beginning; words in quotes one after the other. Undefined: nothing to look for. */
export function queryOf(typed: string): string | undefined {
  const parts = [...typed.matchAll(/"([^"]*)"?|(\S+)/g)].map((found) => found[1] ?? found[2] ?? '');
  const phrases = parts.flatMap((part) => {
    const words = part.replace(dense, ' $& ').match(/[\p{L}\p{N}\p{M}]+/gu);
    return words === null ? [] : [`"${words.join(' ')}"`];
  });
  const last = phrases.at(-1);
  if (last === undefined) return undefined;
  const length = /([\p{L}\p{N}\p{M}]*)"$/u.exec(last)?.[1]?.length ?? 0;
  const isOpen = !/"\s*$/.test(typed) && length >= shortestBeginning;
  return [...phrases.slice(0, -1), isOpen ? `${last}*` : last].join(' ');
}

/** A part of a path as the words of it, one after the other. */
export function pathQueryOf(part: string): string | undefined {
  return queryOf(`"${part.replaceAll('"', ' ')}`);
}
