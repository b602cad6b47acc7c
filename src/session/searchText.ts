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

/** Every word must be there, the last as a beginning; words in quotes one after the other. Undefined: nothing to look for. */
export function queryOf(typed: string): string | undefined {
  const parts = [...typed.matchAll(/"([^"]*)"?|(\S+)/g)].map((found) => found[1] ?? found[2] ?? '');
  const phrases = parts.flatMap((part) => {
    const words = part.replace(dense, ' $& ').match(/[\p{L}\p{N}\p{M}]+/gu);
    return words === null ? [] : [`"${words.join(' ')}"`];
  });
  const last = phrases.at(-1);
  if (last === undefined) return undefined;
  const isOpen = !/"\s*$/.test(typed);
  return [...phrases.slice(0, -1), isOpen ? `${last}*` : last].join(' ');
}
