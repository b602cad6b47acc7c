/** What the parts of this folder share. */
import type { DatabaseSync } from 'node:sqlite';

/** `timeline.db`, opened and migrated. Whoever calls holds a transaction where several statements belong together. */
export type ProjectDatabase = DatabaseSync;

export type Row = Readonly<Record<string, unknown>>;

/** A JSON list of texts that we wrote ourselves. */
export function textList<T extends string>(row: Row, name: string): readonly T[] {
  const value: unknown = JSON.parse(String(row[name]));
  return Array.isArray(value) ? value.filter((each): each is T => typeof each === 'string') : [];
}
