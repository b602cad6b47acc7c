/** What a rewind or redo would do, in the words hosts show. Looks only. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { postImageFolder } from '../base/home.ts';
import { keptBytes } from '../checkpoint/keptBytes.ts';
import { mergeability } from '../checkpoint/mergeConflict.ts';
import { absoluteOf } from '../checkpoint/places.ts';
import { type RewindSpan, rewindFacts, type SpanFacts } from '../checkpoint/rewindFacts.ts';
import { spanDecisions } from '../checkpoint/rewindSteps.ts';
import { withoutReverted } from '../checkpoint/withoutReverted.ts';
import type { OperationId, Root } from '../core/ids.ts';
import type { Decision } from '../core/rewindPlan.ts';
import type { PathState } from '../core/state.ts';
import type { ConflictPath, RewindPreview } from '../core/timeline.ts';
import { commitsInHead } from '../git/commitsInHead.ts';
import { headChange } from '../git/commitsSince.ts';
import { turnCommitOf } from '../project/turnCommits.ts';
import type { StoredTurn } from '../session/timelineStore.ts';
import { knownStates } from './knownStates.ts';
import { largestCounted, lineCounts } from './lineCounts.ts';
import { memoryOfOperation, memoryOfTurns, previewMemory } from './memoryRewind.ts';
import type { OperationContext } from './operations.ts';
import {
  redoable,
  restoreSpan,
  revertedBefore,
  revertSpan,
  spanTurns,
  undoSpan,
} from './rewinder.ts';
import type { RedoPreview, RewindOptions, Side } from './timelineApp.ts';

/** @throws UserError `damaged`, `nothingToDo`. */
export async function previewRewind(
  context: OperationContext,
  turn: StoredTurn,
  options: RewindOptions,
): Promise<Omit<RewindPreview, 'turn' | 'turns'> & { readonly span: readonly StoredTurn[] }> {
  const turns = spanTurns(context, turn);
  const known = {
    ...knownStates(context, turn.root, turn.session, options.unsaved),
    isLook: true as const,
  };
  const span = rewindFacts(turn.root, turn.session, turn.seq, known);
  const paths = pathsWithoutReverted(context, turn, span, options);
  return {
    span: turns,
    ...paths,
    warnings: await warningsOf(context, turn, turns),
    ...memoryPreviewOf(context, turns),
  };
}

/** Looking writes nothing to the stores either: what is merged for it goes to a folder of its own. */
function pathsWithoutReverted(
  context: OperationContext,
  turn: StoredTurn,
  span: RewindSpan,
  options: RewindOptions,
): RedoPreview {
  const { home, environment } = context;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-preview-'));
  try {
    const scratch = path.join(folder, 'merged');
    const { root } = turn;
    const postImages = postImageFolder(home, root);
    const places = { scratch, postImages, environment, keptBytes: keptBytes(home, root) };
    return pathsOf(context, withoutReverted(span, revertedBefore(context, turn), places), options);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws UserError `nothingToDo`, `damaged`. */
export function previewRevertOf(
  context: OperationContext,
  turn: StoredTurn,
  options: RewindOptions,
): RedoPreview {
  const memory = memoryPreviewOf(context, [turn]);
  const span = revertSpan(context, turn, options, memory.memory !== undefined);
  return { ...pathsWithoutReverted(context, turn, span, options), ...memory };
}

/** @throws UserError `damaged` when the state cannot be had. */
export function previewRestoreOf(
  context: OperationContext,
  turn: StoredTurn,
  at: string,
  side: Side,
  options: RewindOptions,
): RedoPreview {
  return pathsOf(context, restoreSpan(context, turn, at, side, options), options);
}

/** @throws UserError `notFound`, `nothingToDo`, `damaged`. */
export function previewRedoOf(
  context: OperationContext,
  root: Root,
  operation: OperationId,
  options: RewindOptions,
): RedoPreview {
  const journal = redoable(context, root, operation);
  const memory = previewMemory(context, memoryOfOperation(context, operation));
  return {
    ...pathsOf(context, undoSpan(context, root, journal, options), options),
    ...(memory && { memory }),
  };
}

function memoryPreviewOf(
  context: OperationContext,
  turns: readonly StoredTurn[],
): Pick<RewindPreview, 'memory'> {
  const turnIds = turns.map(({ id }) => id);
  const memory = previewMemory(context, memoryOfTurns(context, turnIds));
  return memory === undefined ? {} : { memory };
}

/** Conflicts that are looked at for whether they merge: each takes a run of git. */
const mostMerges = 50;

export function pathsOf(
  context: OperationContext,
  span: RewindSpan,
  { conflicts, choices }: RewindOptions,
): RedoPreview {
  // What is still to be chosen may give way; otherwise the choice says.
  const decisions = spanDecisions(span, (at) => {
    const choice = choices?.get(at) ?? conflicts;
    return choice === undefined || choice === 'take';
  });
  const merges = mergesOf(context, span, decisions);
  const all = decisions.map((decision, index) => ({ decision, facts: span.facts[index] }));
  return {
    paths: all.flatMap(({ decision, facts }) =>
      decision.kind === 'apply' && facts
        ? [
            {
              path: decision.path,
              act: decision.act,
              unverified: decision.unverified,
              ...countsOf(span.root, facts),
            },
          ]
        : [],
    ),
    conflicts: decisions.flatMap((d) =>
      d.kind === 'conflict'
        ? [{ path: d.path, reason: d.reason, act: d.act, ...merges.get(d.path) }]
        : [],
    ),
    notRestorable: decisions.flatMap((d) =>
      d.kind === 'notRestorable' ? [{ path: d.path, reason: d.reason }] : [],
    ),
  };
}

function mergesOf(
  { home, environment }: OperationContext,
  { root, facts }: RewindSpan,
  decisions: readonly Decision[],
): ReadonlyMap<string, Pick<ConflictPath, 'merge'>> {
  const places = { postImages: postImageFolder(home, root), environment };
  const conflicts = facts.filter((_, index) => decisions[index]?.kind === 'conflict');
  return new Map(
    conflicts.slice(0, mostMerges).map((one) => {
      const merge = mergeability(root, one, places);
      return [one.path, merge === undefined ? {} : { merge }];
    }),
  );
}

function countsOf(root: Root, facts: SpanFacts): ReturnType<typeof lineCounts> {
  return lineCounts(
    bytesOf(facts.present, absoluteOf(root, facts.path)),
    bytesOf(facts.target, facts.source),
  );
}

function bytesOf(state: PathState, file: string | undefined): Uint8Array | undefined {
  if (state.kind === 'absent') return new Uint8Array();
  if (state.kind !== 'file' || file === undefined || state.size > largestCounted) return undefined;
  return fs.readFileSync(file);
}

async function warningsOf(
  context: OperationContext,
  turn: StoredTurn,
  turns: readonly StoredTurn[],
): Promise<readonly string[]> {
  const warnings: string[] = [];
  const shell = turns.filter((t) => t.uncapturedShell);
  if (shell.length > 0) {
    const why = shell.find((t) => t.uncapturedWhy !== undefined)?.uncapturedWhy;
    warnings.push(
      `${numbered(shell.map((t) => t.number))} ran shell commands. What they changed in other files is not recorded and stays.${why === undefined ? '' : ` ${why}`}`,
    );
  }
  const open = turns.filter((t) => t.unprotected.length > 0);
  for (const { number, unprotected } of open) {
    warnings.push(
      `In turn ${number} these could not be saved and stay: ${unprotected.map((u) => u.path).join(', ')}.`,
    );
  }
  const own = commitsOf(context, turns);
  if (own.length > 0) warnings.push(committedText(own));
  if (turn.head !== null) {
    const change = await headChange(turn.root, turn.head, context.environment);
    // Those of the turns themselves are named already.
    const others = change.kind === 'ahead' ? change.commits - own.length : 0;
    if (others > 0) {
      const more = own.length > 0 ? ' more' : '';
      const commits = others === 1 ? `1${more} commit was` : `${others}${more} commits were`;
      warnings.push(`${commits} made since. Commits stay; the files will differ from them.`);
    }
    if (change.kind === 'elsewhere') {
      warnings.push(
        `Another commit is checked out now (${change.branch ?? 'detached HEAD'}). It stays; only files change.`,
      );
    }
  }
  return warnings;
}

interface OwnCommit {
  readonly turn: number;
  readonly commit: string;
}

/** Commits that were made of these turns and are checked out still. */
function commitsOf(
  { database, environment }: OperationContext,
  turns: readonly StoredTurn[],
): readonly OwnCommit[] {
  const made = turns.flatMap(({ id, number }) => {
    const commit = turnCommitOf(database, id)?.commit;
    return commit ? [{ turn: number, commit }] : [];
  });
  const [first] = turns;
  if (first === undefined) return [];
  const ids = made.map(({ commit }) => commit);
  const there = commitsInHead(first.root, ids, environment);
  return made.filter(({ commit }) => there.has(commit));
}

function committedText(own: readonly OwnCommit[]): string {
  const names = own.map(({ turn, commit }) => `${commit.slice(0, 8)} (turn ${turn})`).join(', ');
  return own.length === 1
    ? `What is taken back was committed: ${names}. The commit stays; the files will differ from it.`
    : `What is taken back was committed: ${names}. The commits stay; the files will differ from them.`;
}

function numbered(numbers: readonly number[]): string {
  return numbers.length === 1 ? `Turn ${numbers[0]}` : `Turns ${numbers.join(', ')}`;
}
