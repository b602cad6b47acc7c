/** Ranked search through the notes: all words before some of them, the name above the body, one answer a name. */
import type { MemoryScope, Recalled } from '../core/memory.ts';
import { memoryLimits } from '../core/memory.ts';
import { anyWordQueryOf, queryOf } from '../core/searchText.ts';
import type { MemoryPlaces } from './memoryPlaces.ts';
import { folderKey, type IndexedNote, indexedNote, type NoteIndex } from './noteIndex.ts';
import { noteIfThere, shadowingNames } from './notes.ts';

export interface RecallQuery {
  readonly words: string;
  /** Missing: both, where a project's note shadows the global one of its name. */
  readonly scope?: MemoryScope | undefined;
  readonly mode?: string | undefined;
  readonly limit?: number | undefined;
}

/** A hit in the name counts as much as so many in the body. */
const weightOfName = 10;
const around = 80;
/** Words that are in more notes than this tell them apart by nothing: then those with a hit in the name, and the newest. */
const mostRanked = 2_000;

/** Nothing found is no error. Refresh the index before. */
export function recallNotes(index: NoteIndex, places: MemoryPlaces, query: RecallQuery): Recalled {
  const all = queryOf(query.words);
  const any = anyWordQueryOf(query.words);
  if (all === undefined || any === undefined) return { notes: [], more: 0, hasAllWords: true };
  const strict = search(index, places, query, all);
  if (strict.total > 0 || all === any) return { ...answer(strict, query.words), hasAllWords: true };
  return { ...answer(search(index, places, query, any), query.words), hasAllWords: false };
}

interface Found {
  readonly notes: readonly IndexedNote[];
  readonly total: number;
}

/** The notes that come nearest to these words, whatever they shadow: for who asks whether something is there already. */
export function similarNotes(
  index: NoteIndex,
  places: MemoryPlaces,
  scope: MemoryScope,
  words: string,
  limit: number,
): readonly IndexedNote[] {
  const any = anyWordQueryOf(words);
  if (any === undefined) return [];
  return search(index, places, { words, scope, limit }, any).notes;
}

function search(
  index: NoteIndex,
  places: MemoryPlaces,
  { scope, mode, limit = memoryLimits.recall }: RecallQuery,
  match: string,
): Found {
  const project = folderKey(places, 'project') ?? '';
  const values = {
    mode: mode ?? null,
    global: scope === 'project' ? '' : (folderKey(places, 'global') ?? ''),
    project: scope === 'global' ? '' : project,
  };
  const shadowed =
    scope === undefined && project !== ''
      ? 'AND NOT (n.folder = :global AND n.folded IN (SELECT folded FROM notes WHERE folder = :project))'
      : '';
  const from = `FROM note_words w CROSS JOIN notes n ON n.key = w.rowid
    WHERE w.note_words MATCH :match AND n.folder IN (:global, :project)
    AND (:mode IS NULL OR n.mode IS NULL OR n.mode = :mode) ${shadowed}`;
  const { database } = index;
  const counted = database.prepare(`SELECT count(*) AS n ${from}`).get({ ...values, match });
  const total = Number(counted?.['n'] ?? 0);
  if (total === 0) return { notes: [], total };
  const ranked = database.prepare(
    `SELECT key FROM (
       SELECT n.key AS key, n.updated_at AS at, bm25(note_words, ${weightOfName}, 1) AS rank ${from}
       ORDER BY w.rowid DESC LIMIT ${mostRanked}
     ) ORDER BY rank, at DESC, key LIMIT :limit`,
  );
  const keysOf = (expression: string) =>
    ranked.all({ ...values, match: expression, limit }).map(({ key }) => Number(key));
  const named = total > mostRanked ? keysOf(`name : (${match})`) : [];
  const keys = [...new Set([...named, ...keysOf(match)])].slice(0, limit);
  const shadowing = shadowingNames(index, places);
  const row = database.prepare('SELECT * FROM notes WHERE key = ?');
  const notes = keys.flatMap((key) => {
    const found = row.get(key);
    return found === undefined ? [] : [indexedNote(places, found, shadowing)];
  });
  return { notes, total };
}

function answer({ notes, total }: Found, words: string): Omit<Recalled, 'hasAllWords'> {
  const whole = notes.flatMap((note) => {
    const full = noteIfThere(note);
    return full === undefined ? [] : [{ ...full, excerpt: excerptOf(full.body, words) }];
  });
  return { notes: whole, more: total - notes.length };
}

function excerptOf(body: string, words: string): string {
  const low = body.toLowerCase();
  const at = (words.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])
    .map((word) => low.indexOf(word))
    .find((found) => found >= 0);
  const start = Math.max(0, (at ?? 0) - around);
  const end = Math.min(body.length, (at ?? 0) + 2 * around);
  const part = body.slice(start, end).toWellFormed().replace(/\s+/g, ' ').trim();
  return `${start > 0 ? '…' : ''}${part}${end < body.length ? '…' : ''}`;
}
