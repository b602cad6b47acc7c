/**
 * Who wrote what: a naive account of a run, kept beside the real store and as simple as it can be. Every change of a path
 * is an entry; a turn knows what was at each path before it. From that follows what an operation must and must not do.
 */
import { absent, isFolder, type Look, type State, stateIn } from './modelDisk.ts';
import type { Who } from './modelSteps.ts';

/** `nobody`: an agent that did not tell. `operation`: ours, other than a rewind of everything at once. */
export type Writer = Who | 'user' | 'nobody' | 'operation';

export interface Entry {
  readonly n: number;
  readonly path: string;
  readonly by: Writer;
  readonly turn: string | undefined;
  readonly before: State;
  readonly after: State;
  /** The agent told before and after it. */
  isClear: boolean;
  /** Nobody can tell it from the agent's own work: the end of the agent's call was never heard of. */
  isBlurred: boolean;
  /** An operation on a path at which there was only this session's work. */
  readonly own: Who | undefined;
  /** Its result is a merge, which nobody has recorded. */
  readonly isMerge: boolean;
}

/** What a turn's checkpoint holds of a path. */
export interface Row {
  readonly path: string;
  readonly before: State;
  /** The first entry that can be after it. */
  readonly start: number;
  /** Folders above it that were not there. */
  readonly missing: readonly string[];
  /** What the agent left there, where that is known. */
  left: State | undefined;
  /** Only the end of the turn told that. */
  isSealed?: true;
}

interface RowPair {
  readonly first: Row;
  readonly last: Row;
}

/** Path -> its first and its last row in a span. */
export type Rows = ReadonlyMap<string, RowPair>;

export interface BookTurn {
  readonly id: string;
  readonly by: Who;
  readonly seq: number;
  readonly start: number;
  /** The tree when it began. */
  readonly tree: Look;
  readonly rows: Map<string, Row>;
  /** Folders it made, before it was taken back. */
  readonly made: Set<string>;
  /** As the timeline has it. */
  isRunning: boolean;
  /** Closed by the timeline for want of events, or by force. */
  isGivenUp: boolean;
  /** As the hooks have it. */
  isOpen: boolean;
  isLate: boolean;
  lastAt: number;
  rewoundBy: string | null;
}

export interface BookOperation {
  readonly id: string;
  /** The first entry that can be after it. */
  readonly n: number;
  readonly kind: string;
  readonly session: Who;
  readonly before: Look;
  readonly after: Look;
  /** Turns it marked or, a redo, unmarked. */
  readonly turns: readonly string[];
  readonly undoes: string | undefined;
  /** Turns a complete rewind went back over, reverted ones too. */
  readonly passes: readonly string[];
}

interface More {
  readonly turn?: BookTurn;
  readonly isClear?: boolean;
  readonly own?: Who | undefined;
  readonly isMerge?: boolean;
}

export class ModelBook {
  entries: Entry[] = [];
  turns = new Map<string, BookTurn>();
  operations: BookOperation[] = [];
  /** The turn the hooks of a session would add to. */
  current: [string | undefined, string | undefined] = [undefined, undefined];
  /** Path -> bytes that were there once. */
  earlier = new Map<string, string[]>();
  readonly #left: [Map<string, Set<State>>, Map<string, Set<State>>] = [new Map(), new Map()];
  #n = 0;

  addOperation(operation: Omit<BookOperation, 'n'>): void {
    this.operations.push({ ...operation, n: this.#n });
  }

  turnsOf(by: Who): readonly BookTurn[] {
    return [...this.turns.values()].filter((turn) => turn.by === by);
  }

  /** By what was done last about it: undone, brought back, undone again. */
  isUndone(operation: string): boolean {
    let isUndone = false;
    for (const { id } of this.operations) {
      const chain = this.#undoneBy(id);
      const depth = chain.indexOf(operation);
      if (depth > 0) isUndone = depth % 2 === 1;
    }
    return isUndone;
  }

  /** The operation, what it undid, what that had undone and so on. */
  #undoneBy(operation: string): readonly string[] {
    const undid = this.operations.find(({ id }) => id === operation)?.undoes;
    return undid === undefined ? [operation] : [operation, ...this.#undoneBy(undid)];
  }

  /** Turns from a number on whose pre-images count: reverted ones do, until a rewind goes back to before them. */
  effective(by: Who, from: number): readonly BookTurn[] {
    return this.turnsOf(by).filter((turn) => turn.seq >= from && !this.#isPassed(turn));
  }

  #isPassed({ id, rewoundBy }: BookTurn): boolean {
    if (rewoundBy === null) return false;
    const rewinds = this.operations.filter((operation) => operation.kind === 'rewind');
    if (rewinds.some((operation) => operation.id === rewoundBy)) return true;
    return rewinds.some(({ id: rewind, passes }) => passes.includes(id) && !this.isUndone(rewind));
  }

  /** The timeline forgets nothing, so the account of a moment can be put back. */
  save(): () => void {
    const { entries, turns, current, operations } = structuredClone({
      entries: this.entries,
      turns: this.turns,
      current: this.current,
      operations: this.operations,
    });
    return () => {
      Object.assign(this, structuredClone({ entries, turns, current, operations }));
    };
  }

  beginTurn(id: string, by: Who, seq: number, tree: Look): BookTurn {
    const turn: BookTurn = {
      id,
      by,
      seq,
      start: this.#n,
      tree,
      rows: new Map(),
      made: new Set(),
      isRunning: true,
      isGivenUp: false,
      isOpen: true,
      isLate: false,
      lastAt: 0,
      rewoundBy: null,
    };
    this.turns.set(id, turn);
    this.current[by] = id;
    return turn;
  }

  /** A pre-image was taken; the first of a turn counts. */
  announce(turn: BookTurn, path: string, tree: Look): void {
    if (turn.rows.has(path)) return;
    const above = path.split('/').map((_, i, all) => all.slice(0, i).join('/'));
    turn.rows.set(path, {
      path,
      before: stateIn(tree, path),
      start: this.#n,
      missing: above.filter((folder) => folder !== '' && !tree.has(folder)),
      left: undefined,
    });
  }

  add(by: Writer, path: string, before: State, after: State, more: More = {}): void {
    const { turn, isClear = true, own, isMerge = false } = more;
    const entry = { n: this.#n++, path, by, turn: turn?.id, before, after };
    this.entries.push({ ...entry, isClear, isBlurred: false, own, isMerge });
    for (const state of [before, after]) {
      const bytes = /^file \d+ (.*)$/s.exec(state)?.[1];
      const known = this.earlier.get(path) ?? [];
      if (bytes !== undefined && !known.includes(bytes)) this.earlier.set(path, [...known, bytes]);
    }
  }

  /** What the agent left at a path became known. */
  told(turn: BookTurn, path: string, tree: Look): void {
    const row = turn.rows.get(path);
    if (!row) return;
    if (row.left === undefined) {
      for (const entry of this.since(row)) {
        if (entry.turn === turn.id) entry.isClear = true;
        else entry.isBlurred = true;
      }
    }
    row.left = stateIn(tree, path);
    this.remember(turn.by, path, row.left);
  }

  /** What the agent did there is not known to be all it did. */
  untold(turn: BookTurn, path: string): void {
    for (const entry of this.entries)
      if (entry.path === path && entry.turn === turn.id) entry.isClear = false;
  }

  /** The end of a turn: `isTold` by the agent, or guessed. */
  seal(turn: BookTurn, isTold: boolean, tree: Look): void {
    for (const row of turn.rows.values()) {
      const now = stateIn(tree, row.path);
      if (isTold && row.left === undefined) {
        this.told(turn, row.path, tree);
        row.isSealed = true;
      }
      const isAsLeft = row.left === undefined || row.left === now;
      if (isAsLeft && row.before === now) turn.rows.delete(row.path);
    }
  }

  /** States of a path that are no person's as far as a session can know. */
  remember(by: Who, path: string, state: State): void {
    const states = this.#left[by].get(path) ?? new Set();
    this.#left[by].set(path, states.add(state));
  }

  wasLeft(by: Who, path: string, state: State): boolean {
    return this.#left[by].get(path)?.has(state) ?? false;
  }

  /** Changes of a row's path since its pre-image was taken. */
  since(row: Row): Entry[] {
    return this.entries.filter((entry) => entry.n >= row.start && entry.path === row.path);
  }

  /** For each path of these turns its first row and its last. */
  rowsOf(turns: readonly BookTurn[]): Rows {
    const rows = new Map<string, RowPair>();
    for (const turn of turns)
      for (const row of turn.rows.values())
        rows.set(row.path, { first: rows.get(row.path)?.first ?? row, last: row });
    return rows;
  }

  /**
   * Paths at which, and above and below which, all that happened since their rows is the work of these turns, and told.
   * @param withOurs operations on their work count as theirs
   */
  cleanPaths(
    turns: readonly BookTurn[],
    rows: Rows,
    tree: Look,
    withOurs: boolean,
  ): ReadonlySet<string> {
    const ours = (entry: Entry) => withOurs && isOwnOperation(entry, turns);
    const unclean = [...rows].filter(([, row]) => !this.#isClean(turns, row, tree, ours));
    const clean = [...rows.keys()].filter(
      (path) => !unclean.some(([other]) => isRelated(path, other)),
    );
    return new Set(clean);
  }

  #isClean(
    turns: readonly BookTurn[],
    { first, last }: RowPair,
    tree: Look,
    isOurs: (entry: Entry) => boolean,
  ): boolean {
    const { path } = first;
    const rows = turns.flatMap((turn) => turn.rows.get(path) ?? []);
    const known = new Set([first.before, ...rows.map((row) => row.left)]);
    const isKnown = ({ after, isMerge }: Entry) => isMerge || known.has(after);
    const now = stateIn(tree, path);
    const newest = this.entries.findLast((entry) => entry.path === path);
    const isOursNow =
      newest !== undefined && isOurs(newest) && newest.after === now && isKnown(newest);
    return (
      rows.every((row) => row.left !== undefined) &&
      (last.left === now || isOursNow) &&
      this.entries
        .filter((entry) => entry.n >= first.start && isRelated(entry.path, path))
        .every((entry) => isOwn(entry, turns) || (isOurs(entry) && isKnown(entry)))
    );
  }

  /** Whether everything at a path since the session first touched it is its own work, and ours on it. */
  isOnly(by: Who, path: string, tree: Look): boolean {
    const turns = this.effective(by, 0);
    return this.cleanPaths(turns, this.rowsOf(turns), tree, true).has(path);
  }

  /** Whether nothing at all happened since a turn began but the work of these turns, told, and ours on their rows. */
  isAlone(turns: readonly BookTurn[], rows: Rows, start: number): boolean {
    const isOurs = (entry: Entry) => isOwnOperation(entry, turns) && rows.has(entry.path);
    const entries = this.entries.filter((entry) => entry.n >= start);
    const operations = this.operations.filter(({ n }) => n >= start);
    return (
      entries.every((entry) => isOwn(entry, turns) || isOurs(entry)) &&
      operations.every(({ session }) => session === turns[0]?.by)
    );
  }

  /** Words at a path that somebody else put there after `row` and that are there still. */
  foreignWords(by: Who, row: Row, tree: Look): readonly string[] {
    const now = new Set(wordsOf(stateIn(tree, row.path)));
    return this.since(row)
      .filter((entry) => isForeign(entry, by) && !entry.isBlurred)
      .flatMap((entry) => {
        const old = new Set(wordsOf(entry.before));
        const own = { user: 'U', nobody: 'N', operation: '', 0: 'A', 1: 'B' }[entry.by];
        return wordsOf(entry.after).filter(
          (word) => word.startsWith(own) && !old.has(word) && now.has(word),
        );
      });
  }

  /** Paths that somebody else brought into their present state, which nobody but they made. */
  foreignPaths(by: Who, tree: Look): readonly string[] {
    const last = new Map(this.entries.map((entry) => [entry.path, entry]));
    return [...last.values()]
      .filter(
        (entry) =>
          isForeign(entry, by) &&
          !entry.isBlurred &&
          entry.after === stateIn(tree, entry.path) &&
          !isFolder(entry.after) &&
          !this.wasLeft(by, entry.path, entry.after),
      )
      .map((entry) => entry.path);
  }

  /** Everything at these paths since their rows is as if it had never been. */
  forget(rows: Rows, turns: readonly BookTurn[]): void {
    const gone = new Set(turns.map((turn) => turn.id));
    for (const turn of turns)
      for (const entry of this.entries)
        if (entry.turn === turn.id && makesFolder(entry)) turn.made.add(entry.path);
    this.entries = this.entries.filter((entry) => {
      const row = rows.get(entry.path)?.first;
      if (row && entry.n >= row.start) return false;
      return entry.turn === undefined || !gone.has(entry.turn);
    });
  }

  /** Folders these turns made on the way to their files, or may have made: what they did there is not known. */
  foldersMadeBy(turns: readonly BookTurn[]): ReadonlySet<string> {
    const own = new Set(turns.map((turn) => turn.id));
    const made = this.entries.filter(
      (entry) => entry.turn !== undefined && own.has(entry.turn) && makesFolder(entry),
    );
    // What was taken back and brought back is theirs again, unless somebody else made it since.
    const back = turns
      .flatMap((turn) => [...turn.made])
      .filter((path) => {
        const last = this.entries.findLast((one) => one.path === path && makesFolder(one));
        return last?.by === 'operation';
      });
    const untold = turns.flatMap((turn) =>
      [...turn.rows.values()].filter((row) => row.left === undefined || row.isSealed),
    );
    const missing = untold.flatMap((row) => row.missing);
    return new Set([...made.map((entry) => entry.path), ...back, ...missing]);
  }
}

const makesFolder = ({ before, after }: Entry): boolean => before === absent && isFolder(after);

const isOwn = (entry: Entry, turns: readonly BookTurn[]): boolean =>
  entry.isClear && turns.some((turn) => turn.id === entry.turn);

const isOwnOperation = (entry: Entry, turns: readonly BookTurn[]): boolean =>
  entry.own !== undefined && entry.own === turns[0]?.by;

const isForeign = (entry: Entry, by: Who): boolean =>
  entry.by === 'user' || ((entry.by === 0 || entry.by === 1) && entry.by !== by);

/** What writers wrote, each a word of its own. */
export const wordsOf = (state: State): readonly string[] => state.match(/\b[UABN]\d+\b/g) ?? [];

const isRelated = (a: string, b: string): boolean =>
  a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
