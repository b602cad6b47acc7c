/** What the flows of going back need from their host, and what they answer. No vscode. */
import type { TimelineApp } from '../app/timelineApp.ts';
import type { Root } from '../core/ids.ts';
import type { SnapshotSummary } from '../core/snapshotSummary.ts';
import type {
  OperationReport,
  OperationSummary,
  RewindPreview,
  TurnSummary,
} from '../core/timeline.ts';
import type { Plan } from './conflictChoice.ts';
import type { HandMerge } from './handMerge.ts';
import type { Localizer } from './localizer.ts';
import type { Ask, Pick } from './question.ts';
import type { Act } from './reportTexts.ts';
import type { StoredFile } from './turnUri.ts';

/** Open editors, as paths relative to a root. */
export interface Editors {
  /** Those with unsaved changes. */
  unsaved(root: Root): ReadonlySet<string>;
  /** Saves these and returns the ones that are still unsaved. */
  save(root: Root, paths: readonly string[]): Promise<readonly string[]>;
}

export type ShownPreview =
  | { readonly kind: 'rewind'; readonly preview: RewindPreview }
  | { readonly kind: 'revert'; readonly turn: TurnSummary; readonly plan: Plan }
  | {
      readonly kind: 'snapshot';
      readonly snapshot: SnapshotSummary;
      readonly name: string;
      readonly plan: Plan;
    }
  | { readonly kind: 'undo'; readonly operation: OperationSummary; readonly plan: Plan };

export interface FlowContext {
  readonly app: TimelineApp;
  readonly l10n: Localizer;
  readonly ask: Ask;
  /** The preview that one goes on from. */
  readonly seen?: ShownPreview | undefined;
  readonly pick: Pick;
  readonly editors: Editors;
  /** Runs the task and shows that it runs. */
  busy<T>(sentence: string, task: () => Promise<T>): Promise<T>;
  /** Shows what would change, and offers to go on from there. */
  showPreview(shown: ShownPreview): Promise<void>;
  /** Shows an old state beside the working file. */
  compare(old: StoredFile): Promise<void>;
}

export interface FlowOutcome {
  readonly report: OperationReport;
  readonly act: Act;
  /** Left for the person to merge. */
  readonly byHand: readonly HandMerge[];
}

/** A turn and the root of its files. */
export interface TurnInRoot {
  readonly turn: TurnSummary;
  readonly root: Root;
}
