/** What must come of each kind of operation, by the account. */
import assert from 'node:assert/strict';
import type { RedoPreview, RewindOptions } from '../../src/app/timelineApp.ts';
import type { ErrorCode } from '../../src/core/errors.ts';
import { asOperationId } from '../../src/core/ids.ts';
import type { OperationReport } from '../../src/core/timeline.ts';
import type { BookTurn } from './modelBook.ts';
import { absent, changedBetween, isFolder, type Look, type State, stateIn } from './modelDisk.ts';
import type { OperationStep, Who } from './modelSteps.ts';
import { targetsOf } from './modelTargets.ts';
import type { ModelWorld } from './modelWorld.ts';

/** What must come of an operation. */
export interface Claims {
  /** Path -> states of which it must have one afterwards, when the operation is complete; undefined: any. */
  readonly targets: ReadonlyMap<string, readonly State[] | undefined>;
  /** Of these, those at which nothing stands against it: no conflict may be seen there. */
  readonly clean: ReadonlySet<string>;
  /** The whole tree afterwards, where it is known. */
  readonly tree?: Look;
  /** Path -> what a merge takes out: what is in the second of these and not in the first. */
  readonly merges?: ReadonlyMap<string, readonly [before: State, left: State]>;
  /** Path -> words that must not be lost there unless somebody said to take the old state. */
  readonly words: ReadonlyMap<string, readonly string[]>;
  /** Paths that must not change unless somebody said so. */
  readonly precious: readonly string[];
  /** Folders that may go when they are empty. */
  readonly folders: ReadonlySet<string>;
}

export interface Plan {
  readonly by: Who;
  readonly undoes?: string;
  /** What it writes is as good as written by the session, where there is only its work. */
  readonly isOwn: boolean;
  /** Turns it goes back over when it is complete. */
  readonly passes?: readonly BookTurn[];
  readonly claims: Claims;
  readonly mayFail: readonly ErrorCode[];
  /** @param choices what the operation will do, defaults spelt out */
  readonly preview: (choices: RewindOptions) => Promise<RedoPreview>;
  readonly run: () => Promise<OperationReport>;
  /** The account of a complete one. */
  readonly done: (report: OperationReport) => void;
}

export function hasSubject(world: ModelWorld, step: OperationStep): boolean {
  return (step.do === 'redo' ? world.book.operations : world.turns(step.by)).length > 0;
}

export function planOf(
  world: ModelWorld,
  step: OperationStep,
  options: RewindOptions,
): Plan | undefined {
  if (step.do === 'redo') {
    const { operations } = world.book;
    const one = operations.at(-1 - (step.pick % (operations.length || 1)));
    return one && redoPlan(world, one.id, options);
  }
  const turns = world.turns(step.by);
  const one = turns.at(-1 - (step.pick % (turns.length || 1)));
  const turn = one && world.book.turns.get(one.id);
  if (!turn) return undefined;
  switch (step.do) {
    case 'rewind':
      return rewindPlan(world, turn, options);
    case 'revert':
      return revertPlan(world, turn, options);
    case 'restore':
      return restorePlan(world, turn, step.path, step.side, options);
  }
}

function rewindPlan(world: ModelWorld, turn: BookTurn, options: RewindOptions): Plan {
  const { book, app } = world;
  const by = turn.by;
  const tree = world.look();
  const live = book.turnsOf(by).filter((t) => t.seq >= turn.seq && t.rewoundBy === null);
  const running = closeForced(world, live, options, turn);
  const span = book.effective(by, turn.seq);
  const rows = book.rowsOf(span);
  const clean = book.cleanPaths(span, rows, tree, true);
  const words = [...rows].map(
    ([path, { first }]) => [path, book.foreignWords(by, first, tree)] as const,
  );
  const targets = targetsOf(book, turn, span, rows, tree);
  // Nothing but what was there when it began: no earlier turn was reverted since.
  const isPlain = [...rows].every(([path, { first }]) =>
    (targets.get(path) ?? [first.before]).every((target) => target === first.before),
  );
  const isAlone = clean.size === rows.size && isPlain && book.isAlone(span, rows, turn.start);
  return {
    by,
    isOwn: true,
    passes: span,
    claims: {
      targets,
      clean,
      ...(isAlone && turn.rewoundBy === null && { tree: turn.tree }),
      words: new Map(words),
      precious: book.foreignPaths(by, tree),
      folders: book.foldersMadeBy(span),
    },
    mayFail: [...(running ? (['running'] as const) : []), ...takenBack(turn)],
    preview: (choices) => app.preview(asTurn(turn), choices),
    run: () => app.rewind(asTurn(turn), options),
    done: (report) => {
      for (const one of live) one.rewoundBy = report.operation;
      book.forget(rows, span);
      forgetCurrent(world, live);
    },
  };
}

function revertPlan(world: ModelWorld, turn: BookTurn, options: RewindOptions): Plan {
  const { book, app } = world;
  const by = turn.by;
  const tree = world.look();
  const running = closeForced(world, [turn], options, turn);
  const rows = book.rowsOf([turn]);
  // What an earlier revert wrote is merged with, never gone over.
  const clean = book.cleanPaths([turn], rows, tree, false);
  const words = [...rows].map(
    ([path, { first }]) => [path, book.foreignWords(by, first, tree)] as const,
  );
  const merges = [...turn.rows.values()].flatMap(({ path, before, left }) =>
    left === undefined ? [] : [[path, [before, left]] as const],
  );
  return {
    by,
    isOwn: true,
    claims: {
      targets: targetsOf(book, turn, [turn], rows, tree),
      merges: new Map(merges),
      clean,
      words: new Map(words),
      precious: book.foreignPaths(by, tree),
      folders: book.foldersMadeBy([turn]),
    },
    mayFail: [
      ...(running ? (['running'] as const) : []),
      ...takenBack(turn),
      ...(rows.size === 0 ? (['nothingToDo'] as const) : []),
    ],
    preview: (choices) => app.previewRevert(asTurn(turn), choices),
    run: () => app.revertTurn(asTurn(turn), options),
    done: (report) => {
      turn.rewoundBy = report.operation;
      forgetCurrent(world, [turn]);
    },
  };
}

function restorePlan(
  world: ModelWorld,
  turn: BookTurn,
  path: string,
  side: 'before' | 'after',
  options: RewindOptions,
): Plan {
  const { book, app } = world;
  const tree = world.look();
  const row = turn.rows.get(path);
  const target = side === 'before' ? row?.before : row?.left;
  return {
    by: turn.by,
    isOwn: book.effective(turn.by, turn.seq)[0] === turn,
    claims: {
      targets: new Map([[path, target === undefined ? undefined : [target]]]),
      clean: new Set(),
      words: new Map(),
      precious: book.foreignPaths(turn.by, tree),
      folders: new Set(),
    },
    mayFail: target === undefined ? ['damaged', 'notFound'] : [],
    preview: (choices) => app.previewRestore(asTurn(turn), path, side, choices),
    run: () => app.restoreFile(asTurn(turn), path, side, options),
    done: () => undefined,
  };
}

export function redoPlan(world: ModelWorld, operation: string, options: RewindOptions = {}): Plan {
  const { book, app } = world;
  const one = book.operations.find((other) => other.id === operation);
  assert.ok(one);
  const tree = world.look();
  const paths = changedBetween(one.before, one.after);
  const asLeft = paths.filter((path) => stateIn(tree, path) === stateIn(one.after, path));
  return {
    by: one.session,
    isOwn: false,
    undoes: operation,
    claims: {
      targets: new Map(
        paths.map((path) => {
          const [target, left] = [stateIn(one.before, path), stateIn(one.after, path)];
          // A folder goes when it is empty, and comes for what is in it.
          const isOpen = [target, left].includes(absent) && [target, left].some(isFolder);
          return [path, isOpen ? undefined : [target]];
        }),
      ),
      clean: new Set(),
      merges: new Map(
        paths.map((path) => [path, [stateIn(one.before, path), stateIn(one.after, path)]]),
      ),
      words: new Map(),
      precious: paths.filter(
        (path) =>
          !asLeft.includes(path) &&
          !isFolder(stateIn(tree, path)) &&
          !isFolder(stateIn(one.before, path)) &&
          !isFolder(stateIn(one.after, path)),
      ),
      folders: new Set(paths.filter((path) => isFolder(stateIn(one.after, path)))),
    },
    mayFail: book.isUndone(operation) ? ['nothingToDo'] : [],
    preview: (choices) => app.previewRedo(asOperationId(operation), choices),
    run: () => app.redo(asOperationId(operation), options),
    done: (report) => redone(world, one, report),
  };
}

/** Marks go off what the undone operation marked; taking back an undo puts the first marks on again. */
function redone(
  world: ModelWorld,
  one: ModelWorld['book']['operations'][number],
  report: OperationReport,
): void {
  const { book } = world;
  let owner = one;
  let isOn = false;
  while (owner.kind === 'redo' && owner.undoes !== undefined) {
    const undone = book.operations.find((other) => other.id === owner.undoes);
    assert.ok(undone);
    owner = undone;
    isOn = !isOn;
  }
  const turns = report.turns.map((id) => book.turns.get(id)).filter((turn) => turn !== undefined);
  for (const turn of turns) {
    if (isOn) turn.rewoundBy ??= owner.id;
    else if (turn.rewoundBy === owner.id) turn.rewoundBy = null;
  }
  if (isOn) forgetCurrent(world, turns);
}

/** Forced, a running turn is closed where it stands. @returns whether one runs and is not. */
function closeForced(
  world: ModelWorld,
  turns: readonly BookTurn[],
  options: RewindOptions,
  asked: BookTurn,
): boolean {
  const running = turns.filter((turn) => turn.isRunning);
  if (!options.force || asked.rewoundBy !== null) return running.length > 0;
  for (const turn of running) {
    world.book.seal(turn, false, world.look());
    turn.isRunning = false;
    turn.isGivenUp = true;
  }
  return false;
}

function forgetCurrent(world: ModelWorld, turns: readonly BookTurn[]): void {
  const { current } = world.book;
  for (const { id, by } of turns) if (current[by] === id) current[by] = undefined;
}

const takenBack = (turn: BookTurn): readonly ErrorCode[] =>
  turn.rewoundBy === null ? [] : ['nothingToDo'];

const asTurn = (turn: BookTurn) => turn.id as Parameters<ModelWorld['app']['turn']>[0];
