/** A stage for the flows of going back: a fake app, editors that a test opens, and answers that are given in order. */
import type { RewindOptions } from '../../src/app/timelineApp.ts';
import type { Root } from '../../src/core/ids.ts';
import type { ConflictPath, TouchSummary, TurnSummary } from '../../src/core/timeline.ts';
import type { FlowContext, ShownPreview } from '../../src/extension/flowContext.ts';
import type { Pick } from '../../src/extension/question.ts';
import { type FakePlan, FakeTimelineApp, fakeTurn } from './fakeTimelineApp.ts';
import { plainLocalizer } from './plainLocalizer.ts';

export const stageRoot = '/repo' as Root;

export function touched(path: string): TouchSummary {
  return { path, change: 'modified', cause: 'edit', added: 1, removed: 1 };
}

export function conflictAt(path: string, merge?: ConflictPath['merge']): ConflictPath {
  const reason = 'It was changed after the agent left it.';
  return { path, reason, act: 'write', ...(merge !== undefined && { merge }) };
}

export interface Asked {
  readonly message: string;
  readonly detail: string;
  /** Ids of the choices, in order. */
  readonly choices: readonly string[];
}

export class FlowStage {
  readonly app = new FakeTimelineApp(stageRoot);
  readonly turn: TurnSummary;
  readonly unsaved = new Set<string>();
  /** Paths that refuse to be saved. */
  readonly stuck = new Set<string>();
  /** Ids of choices in dialogs; undefined cancels, as does having no answer. */
  readonly answers: (string | undefined)[] = [];
  /** What is picked of a list: a label, or `label > tooltip` for a button of it. */
  readonly picks: (string | undefined)[] = [];
  readonly asked: Asked[] = [];
  /** What was shown to pick from: `label (description)`. */
  readonly offered: (readonly string[])[] = [];
  /** Everything else that happened. */
  readonly done: string[] = [];
  /** The preview that was shown last; `resume` goes on from it. */
  #shown: ShownPreview | undefined;
  #seen: ShownPreview | undefined;

  constructor(
    plan: FakePlan = {},
    given: Partial<Omit<TurnSummary, 'id' | 'session' | 'number'>> = {},
  ) {
    this.turn = fakeTurn({ id: 't3', session: 's', number: 3, files: [touched('a.js')], ...given });
    this.app.turnList.push(this.turn);
    this.app.plans.set(this.turn.id, plan);
  }

  get target() {
    return { turn: this.turn, root: stageRoot };
  }

  /** Options of the first act. */
  get options(): RewindOptions {
    return this.app.calls[0]?.at(-1) as RewindOptions;
  }

  /** From now on the person comes from the preview that was shown. */
  resume(): void {
    this.#seen = this.#shown;
  }

  get context(): FlowContext {
    return {
      app: this.app,
      l10n: plainLocalizer,
      ask: async ({ message, detail, choices }) => {
        this.asked.push({ message, detail, choices: choices.map(({ id }) => id) });
        const answer = this.answers.shift();
        return choices.find(({ id }) => id === answer)?.id;
      },
      pick: this.#pick,
      editors: {
        unsaved: () => new Set(this.unsaved),
        save: async (_root, paths) => {
          this.done.push(`saved ${paths.join(' ')}`);
          for (const path of paths) if (!this.stuck.has(path)) this.unsaved.delete(path);
          return paths.filter((path) => this.stuck.has(path));
        },
      },
      busy: async (sentence, task) => {
        this.done.push(sentence);
        return task();
      },
      seen: this.#seen,
      showPreview: async (shown) => {
        this.#shown = shown;
        this.done.push(`preview of: ${shown.kind}`);
      },
      compare: async (old) => {
        const moment = 'turn' in old ? `${old.side} ${old.turn}` : `replaced by ${old.operation}`;
        this.done.push(`compared ${old.path} ${moment}`);
      },
    };
  }

  readonly #pick: Pick = async (entries) => {
    this.offered.push(
      entries.map((entry) =>
        entry.kind === 'separator'
          ? `-- ${entry.label}`
          : `${entry.active ? '> ' : ''}${entry.label}${entry.description && ` (${entry.description})`}`,
      ),
    );
    const [label, tooltip] = this.picks.shift()?.split(' > ') ?? [];
    const entry = entries.find((one) => one.kind === 'item' && one.label === label);
    if (entry?.kind !== 'item') return undefined;
    return tooltip === undefined
      ? entry.value
      : entry.buttons?.find((button) => button.tooltip === tooltip)?.value;
  };
}
