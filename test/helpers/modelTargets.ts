/** What a rewind or a revert must bring each path to, by the account. */
import type { BookTurn, ModelBook, Row, Rows } from './modelBook.ts';
import { absent, isFolder, type Look, type State, stateIn } from './modelDisk.ts';
import { mergeStates } from './modelMerge.ts';

/**
 * Path -> states of which it must have one; undefined: any. A folder these turns made themselves may go or stay, as others
 * use it or not; so may one that was not there when they named it but comes back for what they had removed from it.
 * @param asked the earliest of them
 */
export function targetsOf(
  book: ModelBook,
  asked: BookTurn,
  turns: readonly BookTurn[],
  rows: Rows,
  tree: Look,
): ReadonlyMap<string, readonly State[] | undefined> {
  const made = book.foldersMadeBy(turns);
  const all = [...rows].map(([path, { first }]) => [path, first.before] as const);
  const isNeeded = (path: string) =>
    rows.get(path)?.first.before === absent &&
    all.some(([other, before]) => before !== absent && other.startsWith(`${path}/`));
  const reverted = revertedBefore(book, asked);
  return new Map(
    [...rows].map(([path, { first, last }]) => {
      const { before } = first;
      const isOpen = made.has(path) ? isFolder(before) || before === absent : isNeeded(path);
      if (isOpen) return [path, undefined];
      const plain = without(before, path, reverted);
      const joined = withRejoined(book, last, before, stateIn(tree, path));
      const both = joined === before ? [plain] : [plain, joined && without(joined, path, reverted)];
      return [path, both.every((state) => state !== undefined) ? both : undefined];
    }),
  );
}

/** Newest first. */
function revertedBefore(book: ModelBook, { by, seq }: BookTurn): readonly BookTurn[] {
  return book
    .effective(by, 0)
    .filter((turn) => turn.seq < seq && turn.rewoundBy !== null)
    .reverse();
}

/** A reverted turn stays reverted: what was saved before that holds its work still. */
function without(state: State, path: string, reverted: readonly BookTurn[]): State | undefined {
  return reverted.reduce<State | undefined>((now, turn) => {
    const row = turn.rows.get(path);
    const isFile = row?.before.startsWith('file ') && row.left?.startsWith('file ');
    if (now === undefined || row?.left === undefined || !isFile) return now;
    if (!now.startsWith('file ')) return now;
    return mergeStates(now, row.left, row.before);
  }, state);
}

/** What an undo merged into the present state stays there. */
function withRejoined(book: ModelBook, last: Row, before: State, now: State): State | undefined {
  const newest = book.entries.findLast((entry) => entry.path === last.path);
  const isRejoined = newest?.isMerge === true && newest.after === now;
  if (!isRejoined || last.left === undefined) return before;
  return mergeStates(now, last.left, before);
}
