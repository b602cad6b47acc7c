/** Whether a note says nearly the same already: memory that repeats itself is read by nobody. */
import type { MemoryScope } from '../core/memory.ts';
import type { MemoryPlaces } from './memoryPlaces.ts';
import type { IndexedNote, NoteIndex } from './noteIndex.ts';
import { noteIfThere } from './notes.ts';
import { similarNotes } from './recall.ts';

/** Shorter texts share their words by chance. */
const fewestWords = 4;
const mostWords = 24;
const candidates = 5;
/** Of the words of both, so many are in both. */
const nearness = 0.85;

/** One of the scope with another name. Refresh the index before. */
export function similarNote(
  index: NoteIndex,
  places: MemoryPlaces,
  scope: MemoryScope,
  name: string,
  body: string,
): IndexedNote | undefined {
  const words = wordsIn(body);
  if (words.size < fewestWords) return undefined;
  // Long words tell notes apart better than short ones.
  const telling = [...words].sort((a, b) => b.length - a.length).slice(0, mostWords);
  return similarNotes(index, places, scope, telling.join(' '), candidates).find(
    (note) =>
      note.name !== name && nearnessOf(words, wordsIn(noteIfThere(note)?.body ?? '')) >= nearness,
  );
}

function nearnessOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...one].filter((word) => other.has(word)).length;
  return both / (one.size + other.size - both);
}

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}\p{M}]+/gu) ?? []);
}
