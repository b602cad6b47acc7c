/**
 * What the timeline page sees: which window of rows, what is going on, and a version that only rises. Reads the model;
 * no vscode.
 */
import type { Root } from '../core/ids.ts';
import type { SnapshotSummary } from '../core/snapshotSummary.ts';
import type { TimelineState } from '../protocol/messages.ts';
import type { Localizer } from './localizer.ts';
import { cutText } from './shortText.ts';
import type { TimelineModel } from './timelineModel.ts';
import { timelineState } from './timelineState.ts';

/** Of a session; it is somebody's first prompt. */
const longestTitle = 120;

export interface PresenterOptions {
  readonly l10n: Localizer;
  readonly locale: string;
  /** The page's own words, by id. */
  readonly strings: Readonly<Record<string, string>>;
  readonly now: () => number;
  readonly trusted: () => boolean;
  /** What is known of a root's snapshots, newest first. */
  readonly snapshots: (root: Root) => readonly SnapshotSummary[];
}

export class TimelinePresenter {
  readonly #options: PresenterOptions;
  #version = 0;
  /** Index the page asked to see; undefined: around the cursor. */
  #center: number | undefined;
  #busy: string | null = null;

  constructor(options: PresenterOptions) {
    this.#options = options;
  }

  get busy(): string | null {
    return this.#busy;
  }

  setBusy(sentence: string | null): void {
    this.#busy = sentence;
  }

  showWindow(index: number): void {
    this.#center = index;
  }

  /** The cursor was moved, or another session chosen: the window follows. */
  followCursor(): void {
    this.#center = undefined;
  }

  /**
   * @param model undefined while the store is not open.
   * @param error why what is shown may be old: a sentence.
   */
  state(model: TimelineModel | undefined, error: string | null = null): TimelineState {
    const { l10n, locale, strings, now, trusted, snapshots } = this.#options;
    const undo = model?.redoable;
    const facts = {
      version: ++this.#version,
      now: now(),
      locale,
      strings,
      sessions: (model?.sessions ?? []).map(({ summary, folder }) => ({
        id: summary.id,
        agent: summary.agent,
        title: cutText(summary.title, longestTitle),
        updatedAt: summary.updatedAt,
        turns: summary.turns,
        folder,
      })),
      session: model?.session?.summary.id ?? null,
      turns: model?.turns ?? [],
      operations: model?.operations ?? [],
      snapshots: model?.session ? snapshots(model.session.root) : [],
      cursor: model?.cursor ?? 0,
      center: this.#center ?? (model?.cursor ?? 0) - 1,
      trusted: trusted(),
      busy: this.#busy,
      undo: undo === undefined ? null : l10n.t('Undo “{0}”', undo.label),
      error,
    };
    return timelineState(facts, l10n);
  }
}
