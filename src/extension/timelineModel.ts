/**
 * Which session and which turn are looked at. Reads the app, never writes to it; remembers the choice of session and the
 * cursor of each session. No vscode: the host shows what this holds.
 */
import type { TimelineApp } from '../app/timelineApp.ts';
import type { Root, SessionId, TurnId } from '../core/ids.ts';
import type { OperationSummary, SessionSummary, TurnSummary } from '../core/timeline.ts';

/** One store and the workspace folder it is called after. */
export interface RootFolder {
  readonly root: Root;
  readonly folder: string;
}

export interface SessionInFolder {
  readonly summary: SessionSummary;
  readonly root: Root;
  readonly folder: string;
}

/** A `vscode.Memento`. What it returns was written by some version of us and is checked. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

export interface ModelOptions {
  /** Go to a session as soon as it is the one with the newest activity, unless an older one was chosen. */
  readonly followNewest: boolean;
}

const cursorsKey = 'memcode.cursors';
const sessionKey = 'memcode.session';
/** Sessions whose cursor is remembered. */
const rememberedCursors = 100;

export class TimelineModel {
  readonly #app: TimelineApp;
  readonly #memory: Memory;
  readonly #options: () => ModelOptions;
  #sessions: readonly SessionInFolder[] = [];
  #session: SessionInFolder | undefined;
  #turns: readonly TurnSummary[] = [];
  #operations: readonly OperationSummary[] = [];
  #redoable: OperationSummary | undefined;
  /** The session that was chosen by hand; undefined while following the newest. */
  #chosen: SessionId | undefined;
  /** Turn looked at, by session. A session that is missing here is looked at where it is now. */
  #cursors: ReadonlyMap<string, number>;

  constructor(app: TimelineApp, memory: Memory, options: () => ModelOptions) {
    this.#app = app;
    this.#memory = memory;
    this.#options = options;
    this.#chosen = parseChosen(memory.get(sessionKey));
    this.#cursors = parseCursors(memory.get(cursorsKey));
  }

  /** All sessions with at least one turn, newest activity first. */
  get sessions(): readonly SessionInFolder[] {
    return this.#sessions;
  }

  get session(): SessionInFolder | undefined {
    return this.#session;
  }

  /** Oldest first. */
  get turns(): readonly TurnSummary[] {
    return this.#turns;
  }

  /** What was done in the root of the session, newest first. */
  get operations(): readonly OperationSummary[] {
    return this.#operations;
  }

  /** Place of the turn looked at, 1 to `turns.length`; 0 when there is none. */
  get cursor(): number {
    const remembered = this.#session && this.#cursors.get(this.#session.summary.id);
    return Math.min(remembered ?? this.#present, this.#turns.length);
  }

  get currentTurn(): TurnSummary | undefined {
    return this.#turns[this.cursor - 1];
  }

  /** Reads the app again. */
  reload(roots: readonly RootFolder[]): void {
    this.#sessions = roots
      .flatMap(({ root, folder }) =>
        this.#app.sessions(root).map((summary) => ({ summary, root, folder })),
      )
      .filter((session) => session.summary.turns > 0)
      .toSorted((a, b) => b.summary.updatedAt - a.summary.updatedAt);
    this.#show(this.#pickSession());
  }

  selectSession(id: SessionId): void {
    const found = this.#sessions.find((session) => session.summary.id === id);
    if (found === undefined) return;
    this.#chosen = found === this.#sessions[0] ? undefined : id;
    this.#remember(sessionKey, this.#chosen);
    this.#show(found);
  }

  /** Moves the cursor; a place outside the session is moved to its nearest end. The present turn means: follow it. */
  select(place: number): void {
    const target = Math.max(1, Math.min(Math.trunc(place), this.#turns.length));
    this.#setCursor(target === this.#present ? undefined : target);
  }

  /** Looks at the present turn, and at whatever is that from now on. */
  followPresent(): void {
    this.#setCursor(undefined);
  }

  step(by: 1 | -1): void {
    this.select(this.cursor + by);
  }

  /** Goes to a turn of any session shown here. */
  reveal(turn: TurnSummary): void {
    if (turn.session !== this.#session?.summary.id) this.selectSession(turn.session);
    const index = this.#turns.findIndex(({ id }) => id === turn.id);
    if (index >= 0) this.select(index + 1);
  }

  /** A turn of the current session, or of any other. @throws UserError `notFound`. */
  turn(id: TurnId): TurnSummary {
    return this.#turns.find((turn) => turn.id === id) ?? this.#app.turn(id);
  }

  /** The root a turn belongs to; undefined when its session is not of this workspace. */
  rootOfTurn(turn: TurnSummary): Root | undefined {
    return this.#sessions.find((session) => session.summary.id === turn.session)?.root;
  }

  /** The rewind that undo would take back, in the root looked at. */
  get redoable(): OperationSummary | undefined {
    return this.#redoable;
  }

  /** Place of the last turn that is in force: what the files are like now. 1 when all are taken back, 0 without turns. */
  get #present(): number {
    const last = this.#turns.findLastIndex((turn) => turn.rewoundBy === null);
    return Math.min(Math.max(last, 0) + 1, this.#turns.length);
  }

  #setCursor(place: number | undefined): void {
    const session = this.#session;
    if (session === undefined || this.#turns.length === 0) return;
    const cursors = new Map(this.#cursors);
    cursors.delete(session.summary.id);
    if (place !== undefined) cursors.set(session.summary.id, place);
    this.#cursors = new Map([...cursors].slice(-rememberedCursors));
    this.#remember(cursorsKey, Object.fromEntries(this.#cursors));
  }

  #pickSession(): SessionInFolder | undefined {
    const byId = (id: string | undefined): SessionInFolder | undefined =>
      this.#sessions.find((session) => session.summary.id === id);
    const stay = this.#options().followNewest ? undefined : byId(this.#session?.summary.id);
    return byId(this.#chosen) ?? stay ?? this.#sessions[0];
  }

  #show(session: SessionInFolder | undefined): void {
    this.#session = session;
    this.#turns = session === undefined ? [] : this.#app.turns(session.summary.id);
    this.#operations = session === undefined ? [] : this.#app.operations(session.root);
    this.#redoable = session && this.#app.redoable(session.root, session.summary.id);
  }

  /** A lost cursor is no loss worth a word: the memento keeps its own log. */
  #remember(key: string, value: unknown): void {
    void this.#memory.update(key, value);
  }
}

function parseChosen(value: unknown): SessionId | undefined {
  return typeof value === 'string' ? (value as SessionId) : undefined;
}

function parseCursors(value: unknown): ReadonlyMap<string, number> {
  if (typeof value !== 'object' || value === null) return new Map();
  return new Map(
    Object.entries(value).filter(
      (entry): entry is [string, number] => Number.isInteger(entry[1]) && entry[1] > 0,
    ),
  );
}
