/**
 * What one page of a session's history shows: which turn is read, what is searched, which rows. Reads the app; moves the
 * place a person looks at when told to. Writes nothing else. No vscode.
 */
import type { TimelineApp } from '../app/timelineApp.ts';
import { isUserError, messageOf, UserError } from '../core/errors.ts';
import type { BranchSummary, HistoryTurn, Position, SearchHit } from '../core/history.ts';
import { asTurnId, type Root, type SessionId } from '../core/ids.ts';
import type {
  HistoryRow,
  HistorySearch,
  HistoryState,
  HitRow,
} from '../protocol/historyMessages.ts';
import { branchChoices, historyRows, openTurn, rowWindow } from './historyState.ts';
import { hitExcerpt } from './hitExcerpt.ts';
import type { Localizer } from './localizer.ts';
import { mirrorSentence } from './mirrorText.ts';
import { newestHits } from './sessionEntries.ts';
import { firstLine } from './shortText.ts';
import type { SessionInFolder } from './timelineModel.ts';

export interface HistoryModelOptions {
  readonly app: TimelineApp;
  readonly session: SessionId;
  /** Of this window. */
  readonly sessions: () => readonly SessionInFolder[];
  readonly roots: () => readonly Root[];
  readonly l10n: Localizer;
  readonly locale: string;
  readonly strings: Readonly<Record<string, string>>;
  readonly now: () => number;
}

/** Rows of a search. */
const mostHits = 200;
const longestTitle = 120;

export class HistoryModel {
  readonly #options: HistoryModelOptions;
  #turns: readonly HistoryTurn[] = [];
  #branches: readonly BranchSummary[] = [];
  #rows: readonly HistoryRow[] = [];
  #position: Position;
  #version = 0;
  /** Index the page asked to see; undefined: around the turn that is read, or looked at. */
  #center: number | undefined;
  #open: string | null = null;
  #message: string | null = null;
  #search: { readonly text: string; readonly everywhere: boolean } | undefined;
  #found: HistorySearch | null = null;
  #error: string | null = null;
  #isStale = false;

  /** @throws UserError `notFound`. */
  constructor(options: HistoryModelOptions) {
    this.#options = options;
    this.#position = options.app.history.position(options.session);
    this.#reload();
    this.#open = this.#position.turn;
  }

  /** As the tab is called. */
  get title(): string {
    return firstLine(this.#summary?.summary.title ?? this.#options.session, longestTitle);
  }

  get position(): Position {
    return this.#position;
  }

  /** Something may have changed: everything is read again when somebody looks. A long session takes its time. */
  invalidate(): void {
    this.#isStale = true;
  }

  #reload(): void {
    this.#isStale = false;
    const { app, session } = this.#options;
    try {
      this.#branches = app.history.branches(session);
      this.#turns = app.history.turns(session);
      this.#position = app.history.position(session);
      this.#rows = historyRows(this.#turns, this.#branches);
      this.#error = null;
    } catch (error) {
      // Erased while it is looked at: what was read stays, and the page says why it is old.
      if (!isUserError(error)) throw error;
      this.#error = messageOf(error);
    }
    this.#find();
  }

  showWindow(index: number): void {
    this.#center = index;
  }

  /** Reads a turn. @param message what a search led to @throws UserError `notFound` */
  open(turn: string, message: string | null = null): void {
    if (this.#isStale) this.#reload();
    if (this.#indexOf(turn) < 0) this.#refuse(turn);
    this.#open = turn;
    this.#message = message;
    if (message !== null) this.#center = undefined;
  }

  step(step: 'prev' | 'next' | 'latest'): void {
    const { app, session } = this.#options;
    this.#moved(app.history.step(session, step));
  }

  /** @throws UserError `notFound` */
  goTo(turn: string): void {
    const { app, session } = this.#options;
    this.#moved(app.history.goTo(session, asTurnId(turn)));
  }

  /** @throws UserError `notFound` */
  switchBranch(branch: string): void {
    const { app, session } = this.#options;
    this.#moved(app.history.switchTo(session, branch));
  }

  search(text: string, everywhere: boolean): void {
    this.#search = text.trim() === '' ? undefined : { text, everywhere };
    this.#find();
  }

  state(): HistoryState {
    if (this.#isStale) this.#reload();
    const { app, session, locale, strings, now } = this.#options;
    const summary = this.#summary;
    const cursor = this.#position.turn === null ? -1 : this.#indexOf(this.#position.turn);
    const opened = this.#open === null ? -1 : this.#indexOf(this.#open);
    const turn = this.#turns[opened];
    const row = this.#rows[opened];
    const { index, count, isLatest } = this.#position;
    return {
      type: 'history',
      version: ++this.#version,
      now: now(),
      locale,
      strings,
      session: {
        id: session,
        title: this.title,
        agent: summary?.summary.agent ?? this.#turns[0]?.agent ?? '',
        folder: summary?.folder ?? '',
      },
      branches: branchChoices(this.#branches),
      branch: this.#position.branch,
      position: { index, count, isLatest },
      cursor,
      ...rowWindow(this.#rows, this.#center ?? (opened >= 0 ? opened : cursor)),
      open:
        turn === undefined || row === undefined
          ? null
          : openTurn(turn, row, app.history.nodes(turn.id), this.#turns, this.#message),
      search: this.#found,
      mirror:
        this.#error === null
          ? mirrorSentence(app.history.mirrorState(session), this.#options.l10n)
          : null,
      error: this.#error,
    };
  }

  get #summary(): SessionInFolder | undefined {
    return this.#options.sessions().find(({ summary }) => summary.id === this.#options.session);
  }

  #indexOf(turn: string): number {
    return this.#turns.findIndex(({ id }) => id === turn);
  }

  /** What one looks at is what one reads. */
  #moved(position: Position): void {
    this.#position = position;
    this.#center = undefined;
    this.#open = position.turn;
    this.#message = null;
  }

  #refuse(turn: string): never {
    const { l10n } = this.#options;
    throw new UserError('notFound', l10n.t('That turn is not there any more.'), { turn });
  }

  #find(): void {
    const search = this.#search;
    if (search === undefined) {
      this.#found = null;
      return;
    }
    const { session, roots } = this.#options;
    const found = search.everywhere
      ? newestHits(
          roots().map((root) => this.#searched(search.text, { root })),
          mostHits + 1,
        )
      : this.#searched(search.text, { session });
    this.#found = {
      ...search,
      hits: found.slice(0, mostHits).map((hit) => this.#hit(hit, search.text)),
      more: found.length > mostHits,
    };
  }

  /** Quotes or signs alone are no words yet: nothing is found then. */
  #searched(
    text: string,
    within: { readonly root: string } | { readonly session: string },
  ): readonly SearchHit[] {
    try {
      return this.#options.app.history.search({ text, ...within, limit: mostHits + 1 });
    } catch (error) {
      if (isUserError(error, 'usage')) return [];
      throw error;
    }
  }

  #hit({ node, number, agent, title, excerpt }: SearchHit, typed: string): HitRow {
    return {
      turn: node.turn,
      message: node.id,
      role: node.role,
      name: node.name,
      number,
      at: node.createdAt,
      agent,
      title: node.session === this.#options.session ? null : firstLine(title, longestTitle),
      excerpt: hitExcerpt(excerpt, typed),
    };
  }
}
