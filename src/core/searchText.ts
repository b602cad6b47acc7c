/** How text goes into the index of words, and how what a person types becomes a query. Pure. */

/** UTF-16 units of each text that the index of messages knows. */
export const longestIndexed = 20_000;
/** Scripts without spaces between words: each character counts as one. */
const spaceless = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}';
const dense = new RegExp(`[${spaceless}]`, 'gu');
const eachWord = new RegExp(`[${spaceless}]|(?:(?![${spaceless}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');

export function wordsOf(...texts: readonly (string | null | undefined)[]): string {
  return texts
    .filter((text) => text !== null && text !== undefined && text !== '')
    .map((text) => allWordsOf(text?.slice(0, longestIndexed) ?? ''))
    .join('\n');
}

/** The same for a text that is not cut. */
export function allWordsOf(text: string): string {
  return text.replace(dense, ' $& ');
}

/** Shorter beginnings fit so many words that nobody means them all. */
const shortestBeginning = 3;

/** What people type is shorter. Longer texts come from programs, and the time of a search grows with each word. */
const longestQuery = 1_000;

/** Every word must be there, the last as a beginning; words in quotes one after the other. Undefined: nothing to look for. */
export function queryOf(typed: string): string | undefined {
  return joined(typed, ' ');
}

/** The same, for texts that have one of the words. */
export function anyWordQueryOf(typed: string): string | undefined {
  return joined(typed, ' OR ');
}

function joined(whole: string, separator: string): string | undefined {
  const { phrases, isOpen } = phrasesOf(whole);
  const quoted = phrases.map((words) => `"${words.join(' ')}"`);
  const last = quoted.at(-1);
  if (last === undefined) return undefined;
  return [...quoted.slice(0, -1), isOpen ? `${last}*` : last].join(separator);
}

export interface Phrases {
  /** Words that stand one after the other; none is empty. */
  readonly phrases: readonly (readonly string[])[];
  /** The last word of all may be the beginning of a longer one. */
  readonly isOpen: boolean;
}

/** What a person typed, as the index takes it. */
export function phrasesOf(whole: string): Phrases {
  const typed = whole.slice(0, longestQuery);
  const parts = [...typed.matchAll(/"([^"]*)"?|(\S+)/g)].map((found) => found[1] ?? found[2] ?? '');
  const phrases = parts.flatMap((part) => {
    const words = allWordsOf(part).match(/[\p{L}\p{N}\p{M}]+/gu);
    return words === null ? [] : [words];
  });
  const length = phrases.at(-1)?.at(-1)?.length ?? 0;
  return { phrases, isOpen: !/"\s*$/.test(typed) && length >= shortestBeginning };
}

/** The words of a text where they stand, each as the index compares them: without case and accents. */
export function* wordsIn(text: string): Generator<WordAt> {
  for (const { 0: word, index } of text.matchAll(eachWord))
    yield { from: index, to: index + word.length, word: folded(word) };
}

export interface WordAt {
  readonly from: number;
  readonly to: number;
  readonly word: string;
}

export function folded(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** A part of a path as the words of it, one after the other. */
export function pathQueryOf(part: string): string | undefined {
  return queryOf(`"${part.replaceAll('"', ' ')}`);
}
