/** Where what was searched for stands in a text, by the rules of the index: whole words, the last one as a beginning. Pure. */
import { folded, phrasesOf, type WordAt, wordsIn } from './searchText.ts';

/** UTF-16 units. */
export interface Found {
  readonly from: number;
  readonly to: number;
}

/** In their order; they do not overlap. */
export function* foundIn(text: string, typed: string): Generator<Found> {
  const { phrases, isOpen } = phrasesOf(typed);
  const wanted = phrases
    .map((words, i) => ({
      words: words.map(folded),
      isOpen: isOpen && i === phrases.length - 1,
    }))
    .toSorted((a, b) => b.words.length - a.words.length);
  const longest = wanted[0]?.words.length ?? 0;
  const last: WordAt[] = [];
  for (const word of longest === 0 ? [] : wordsIn(text)) {
    last.push(word);
    if (last.length > longest) last.shift();
    const phrase = wanted.find(({ words, isOpen: open }) => endsWith(last, words, open));
    const first = phrase === undefined ? undefined : last.at(-phrase.words.length);
    if (first === undefined) continue;
    yield { from: first.from, to: word.to };
    last.length = 0;
  }
}

function endsWith(last: readonly WordAt[], words: readonly string[], isOpen: boolean): boolean {
  const start = last.length - words.length;
  return (
    start >= 0 &&
    words.every((word, i) => {
      const here = last[start + i]?.word;
      return isOpen && i === words.length - 1 ? here?.startsWith(word) : here === word;
    })
  );
}
