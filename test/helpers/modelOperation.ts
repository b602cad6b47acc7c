/** Carries out one operation of a sequence and judges it by the account: what it did, what it said, what it left alone. */
import assert from 'node:assert/strict';
import type { RedoPreview, RewindOptions } from '../../src/app/timelineApp.ts';
import { type ErrorCode, isUserError, type UserError } from '../../src/core/errors.ts';
import { asOperationId, type OperationId } from '../../src/core/ids.ts';
import type { OperationReport, OperationSummary, PathResult } from '../../src/core/timeline.ts';
import type { BookTurn, ModelBook, Rows } from './modelBook.ts';
import {
  absent,
  allAt,
  changedBetween,
  isFolder,
  type Look,
  type State,
  stampsAt,
  stateIn,
} from './modelDisk.ts';
import type { OperationStep, Who } from './modelSteps.ts';
import type { ModelWorld } from './modelWorld.ts';

/** What must come of an operation. */
interface Claims {
  /** Path -> state it must have afterwards, when the operation is complete. */
  readonly targets: ReadonlyMap<string, State | undefined>;
  /** Of these, those at which nothing stands against it: no conflict may be seen there. */
  readonly clean: ReadonlySet<string>;
  /** The whole tree afterwards, where it is known. */
  readonly tree?: Look;
  /** Path -> words that must not be lost there unless somebody said to take the old state. */
  readonly words: ReadonlyMap<string, readonly string[]>;
  /** Paths that must not change unless somebody said so. */
  readonly precious: readonly string[];
  /** Folders that may go when they are empty. */
  readonly folders: ReadonlySet<string>;
}

interface Plan {
  readonly by: Who;
  readonly turns: readonly BookTurn[];
  readonly undoes?: string;
  readonly claims: Claims;
  readonly mayFail: readonly ErrorCode[];
  /** @param choices what the operation will do, defaults spelt out */
  readonly preview: (choices: RewindOptions) => Promise<RedoPreview>;
  readonly run: () => Promise<OperationReport>;
  /** The account of a complete one. */
  readonly done: (report: OperationReport, before: Look) => void;
}

export async function operate(world: ModelWorld, step: OperationStep): Promise<void> {
  const { conflicts, partial, force } = step;
  const options: RewindOptions = {
    ...(conflicts && { conflicts }),
    ...(partial && { partial }),
    ...(force && { force }),
  };
  if (!hasSubject(world, step)) return;
  world.closeAbandoned();
  const plan = planOf(world, step, options);
  if (!plan) return;
  const putBack = world.book.save();
  const before = world.look();
  const report = await perform(world, plan, options, step.do);
  if (!report?.operation || !step.undo) return;
  const after = world.look();
  const undone = await undo(world, report.operation, before, putBack);
  if (step.undo === 2) await undo(world, undone, after, undefined);
}

/** At once: nothing can stand against it, and everything is as it was. */
async function undo(
  world: ModelWorld,
  operation: OperationId,
  tree: Look,
  putBack: (() => void) | undefined,
): Promise<OperationId> {
  const plan = redoPlan(world, operation);
  const report = await perform(world, plan, {}, 'redo');
  assert.ok(report?.operation, 'an operation that can be taken back at once');
  assert.ok(report.complete, `taken back at once, but kept: ${JSON.stringify(report.paths)}`);
  assert.deepEqual(world.look(), tree, 'taken back at once, but not as it was');
  const { operations, current } = world.book;
  if (putBack) {
    putBack();
    Object.assign(world.book, { operations, current });
  }
  return report.operation;
}

async function perform(
  world: ModelWorld,
  plan: Plan,
  options: RewindOptions,
  kind: OperationStep['do'],
): Promise<OperationReport | undefined> {
  const before = world.look();
  const preview = await previewed(world, plan, {
    conflicts: kind === 'revert' ? 'merge' : 'keep',
    ...options,
  });
  const stamps = stampsAt(world.root);
  const outside = allAt(world.outside);
  const known = world.app.operations(world.root);
  let report: OperationReport;
  try {
    report = await plan.run();
  } catch (error) {
    if (!isUserError(error)) throw error;
    judgeFailure(plan, preview, error, options);
    assert.deepEqual(world.look(), before, `failed (${error.message}), but changed files`);
    assert.deepEqual(stampsAt(world.root), stamps, `failed (${error.message}), but wrote files`);
    assert.deepEqual(allAt(world.outside), outside, 'failed, and changed something outside');
    assert.deepEqual(world.app.operations(world.root), known, 'failed, but is listed');
    assert.deepEqual(world.app.pending(world.root), [], 'failed, and is pending');
    return undefined;
  }
  const after = world.look();
  assert.deepEqual(allAt(world.outside), outside, 'something outside the root changed');
  assert.deepEqual(world.app.pending(world.root), [], 'done, and still pending');
  judgeReport(report, before, after, stamps, stampsAt(world.root));
  judgeList(world, report, known);
  if (preview) judgePreview(preview, report, options, plan.undoes === undefined && kind);
  judgeClaims(plan.claims, report, before, after, options, kind);
  for (const name of changedBetween(before, after))
    for (const by of [0, 1] as const) world.book.remember(by, name, stateIn(after, name));
  account(world, plan, report, before, after);
  return report;
}

function account(
  world: ModelWorld,
  plan: Plan,
  report: OperationReport,
  before: Look,
  after: Look,
): void {
  const { book } = world;
  if (report.operation !== null) {
    book.operations.push({
      id: report.operation,
      kind: report.kind,
      session: plan.by,
      before,
      after,
      turns: report.turns,
      undoes: report.complete ? plan.undoes : undefined,
    });
  }
  if (report.complete) plan.done(report, before);
  else
    for (const name of changedBetween(before, after))
      book.add('operation', name, stateIn(before, name), stateIn(after, name));
}

async function previewed(
  world: ModelWorld,
  plan: Plan,
  choices: RewindOptions,
): Promise<RedoPreview | UserError | undefined> {
  const everything = allAt(world.root);
  try {
    const preview = await plan.preview(choices);
    return world.isFresh() ? preview : undefined;
  } catch (error) {
    if (!isUserError(error)) throw error;
    return world.isFresh() ? error : undefined;
  } finally {
    assert.deepEqual(allAt(world.root), everything, 'the preview wrote to the work tree');
  }
}

function judgeFailure(
  plan: Plan,
  preview: RedoPreview | UserError | undefined,
  error: UserError,
  options: RewindOptions,
): void {
  const told = `${error.code}: ${error.message}`;
  if (plan.mayFail.includes(error.code)) return;
  if (isUserError(preview)) {
    assert.equal(error.code, preview.code, `the preview failed otherwise than ${told}`);
    return;
  }
  const { clean, targets } = plan.claims;
  assert.ok(
    clean.size < targets.size || targets.size === 0,
    `nothing stood against it, but ${told}`,
  );
  if (error.code === 'conflicts') {
    assert.equal(options.conflicts, 'fail');
    if (preview)
      assert.deepEqual(
        error.data['paths'],
        preview.conflicts.map((conflict) => conflict.path),
      );
  } else {
    assert.equal(error.code, 'damaged', told);
    if (preview) {
      assert.deepEqual(
        error.data['paths'],
        preview.notRestorable.map((no) => no.path),
      );
      assert.ok(!options.partial, 'partial, but refused');
    }
  }
}

const isWritten: Record<PathResult, boolean> = {
  restored: true,
  recreated: true,
  deleted: true,
  merged: true,
  kept: false,
  unchanged: false,
  notRestorable: false,
};

/** Not at its target afterwards. */
const isElsewhere: readonly PathResult[] = ['kept', 'merged', 'notRestorable'];

/** The report tells what happened, and nothing else happened but to folders on the way. */
function judgeReport(
  report: OperationReport,
  before: Look,
  after: Look,
  stamps: Look,
  stampsAfter: Look,
): void {
  const changed = new Set(changedBetween(before, after));
  const written = new Set<string>();
  for (const { path, result, why } of report.paths) {
    const told = `${path} is told to be ${result} (${why})`;
    assert.equal(changed.has(path), isWritten[result], told);
    if (isWritten[result]) written.add(path);
    if (result === 'deleted') assert.equal(stateIn(after, path), absent, told);
  }
  const stateBoth = (name: string) => [stateIn(before, name), stateIn(after, name)];
  for (const name of changed) {
    const isOnTheWay = [...written].some((other) => other.startsWith(`${name}/`));
    const isFolders = stateBoth(name).every((state) => state === absent || isFolder(state));
    const isFolderRedone = report.kind === 'redo' && isFolders;
    assert.ok(
      written.has(name) || isFolderRedone || (isFolders && isOnTheWay) || isFolders,
      `${name} changed and is not in the report: ${stateBoth(name).join(' -> ')}`,
    );
  }
  for (const [name, stamp] of stamps)
    if (!changed.has(name)) assert.equal(stampsAfter.get(name), stamp, `${name} was written again`);
  assert.equal(
    report.complete,
    report.paths.every(({ result }) => result !== 'kept'),
    'complete means nothing was kept',
  );
  if (report.operation === null) {
    assert.equal(changed.size, 0, 'no operation, but changes');
    assert.ok(!report.complete, 'complete without an operation');
  }
}

function judgeList(
  world: ModelWorld,
  report: OperationReport,
  known: readonly OperationSummary[],
): void {
  const now = world.app.operations(world.root);
  const plain = (all: readonly OperationSummary[]) => all.map(({ undone: _, ...rest }) => rest);
  const fresh = now.filter((operation) => operation.id === report.operation);
  assert.equal(fresh.length, report.operation === null ? 0 : 1, 'listed once');
  assert.equal(now[0]?.id === report.operation, report.operation !== null, 'listed first');
  assert.deepEqual(plain(now.slice(fresh.length)), plain(known), 'the list of operations');
  if (fresh[0]) {
    const { paths } = fresh[0];
    const written = report.paths.filter(({ result }) => isWritten[result]).map((p) => p.path);
    assert.deepEqual([...paths].sort(), written.sort(), 'paths of the operation');
  }
}

function judgePreview(
  preview: RedoPreview | UserError,
  report: OperationReport,
  options: RewindOptions,
  kind: string | false,
): void {
  assert.ok(!isUserError(preview), `the preview failed, the operation did not: ${String(preview)}`);
  const results = new Map(report.paths.map(({ path, result }) => [path, result]));
  const acts = { write: 'restored', create: 'recreated', delete: 'deleted', none: 'unchanged' };
  const foretold = new Map<string, string>(preview.paths.map(({ path, act }) => [path, acts[act]]));
  const fallback = options.conflicts ?? (kind === 'revert' ? 'merge' : 'keep');
  for (const { path, act, merge } of preview.conflicts) {
    assert.notEqual(fallback, 'fail', `${path} was foretold as a conflict`);
    // What merges may have nothing left to take out.
    const merged = results.get(path) === 'unchanged' ? 'unchanged' : 'merged';
    const otherwise = fallback === 'merge' && merge === 'clean' ? merged : 'kept';
    foretold.set(path, fallback === 'take' ? acts[act] : otherwise);
  }
  for (const { path } of preview.notRestorable) foretold.set(path, 'notRestorable');
  const told = [...results].filter(([, result]) => result !== 'unchanged');
  const sorted = (entries: Iterable<readonly [string, string]>) => [...entries].sort();
  assert.deepEqual(
    sorted(told),
    sorted([...foretold].filter(([, result]) => result !== 'unchanged')),
    'the preview said otherwise',
  );
}

function judgeClaims(
  claims: Claims,
  report: OperationReport,
  before: Look,
  after: Look,
  options: RewindOptions,
  kind: OperationStep['do'],
): void {
  const { targets, clean } = claims;
  const isMerge = (options.conflicts ?? (kind === 'revert' ? 'merge' : 'keep')) === 'merge';
  const skipped = new Set(
    report.paths
      .filter(({ path, result }) =>
        // A merge may find nothing to take out.
        result === 'unchanged' ? isMerge && !clean.has(path) : isElsewhere.includes(result),
      )
      .map(({ path }) => path),
  );
  for (const path of clean)
    assert.ok(!skipped.has(path), `nothing stood against ${path}: ${JSON.stringify(report.paths)}`);
  const isTaken = options.conflicts === 'take';
  for (const [path, target] of targets) {
    if (target === undefined || skipped.has(path)) continue;
    // A folder comes back for what is in it.
    if (isFolder(target) && skipped.size > 0) continue;
    if (clean.has(path) || isTaken || report.complete)
      assert.equal(stateIn(after, path), target, `${path} after the ${kind}`);
  }
  if (claims.tree && skipped.size === 0)
    assert.deepEqual(after, claims.tree, `the whole tree after the ${kind}`);
  for (const name of changedBetween(before, after)) {
    if (targets.has(name)) continue;
    const states = [stateIn(before, name), stateIn(after, name)];
    const isAbove = [...targets.keys()].some((key) => key.startsWith(`${name}/`));
    assert.ok(
      (isAbove || claims.folders.has(name)) &&
        states.every((state) => state === absent || isFolder(state)),
      `${name} is none of the ${kind}'s business: ${states.join(' -> ')}`,
    );
    if (stateIn(after, name) === absent)
      assert.ok(claims.folders.has(name), `folder ${name} is not the span's, but went`);
  }
  if (isTaken) return;
  // Of a file a merge changes what the agent wrote and leaves what others did.
  const mayMerge = (path: string) => isMerge && stateIn(before, path).startsWith('file ');
  // Nor is a folder anybody's work that comes back for what is in it.
  const isBack = (path: string) =>
    stateIn(before, path) === absent && isFolder(stateIn(after, path));
  for (const path of claims.precious.filter((one) => !mayMerge(one) && !isBack(one)))
    assert.equal(stateIn(after, path), stateIn(before, path), `somebody's ${path} was changed`);
  for (const [path, words] of claims.words)
    for (const word of words)
      assert.ok(stateIn(after, path).includes(word), `${word} in ${path} was lost`);
}

function hasSubject(world: ModelWorld, step: OperationStep): boolean {
  return (step.do === 'redo' ? world.book.operations : world.turns(step.by)).length > 0;
}

function planOf(world: ModelWorld, step: OperationStep, options: RewindOptions): Plan | undefined {
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
  const span = book.turnsOf(by).filter((t) => t.seq >= turn.seq && t.rewoundBy === null);
  const running = closeForced(world, span, options, turn);
  const rows = book.rowsOf(span);
  const clean = book.cleanPaths(span, rows, tree);
  const words = [...rows].map(
    ([path, { first }]) => [path, book.foreignWords(by, first, tree)] as const,
  );
  const isAlone = clean.size === rows.size && book.isAlone(span, turn.start);
  return {
    by,
    turns: span,
    claims: {
      targets: targetsOf(book, span, rows),
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
      for (const one of span) one.rewoundBy = report.operation;
      book.forget(rows, span);
      forgetCurrent(world, span);
    },
  };
}

/**
 * A folder these turns made themselves, before they named it, may go or stay; so may one that was not there when they
 * named it but comes back for what they had removed from it.
 */
function targetsOf(book: ModelBook, turns: readonly BookTurn[], rows: Rows): Claims['targets'] {
  const made = book.foldersMadeBy(turns);
  const all = [...rows].map(([path, { first }]) => [path, first.before] as const);
  const isNeeded = (path: string) =>
    all.some(([other, before]) => before !== absent && other.startsWith(`${path}/`));
  return new Map(
    all.map(([path, before]) => {
      const isOpen = before === absent ? isNeeded(path) : isFolder(before) && made.has(path);
      return [path, isOpen ? undefined : before];
    }),
  );
}

function revertPlan(world: ModelWorld, turn: BookTurn, options: RewindOptions): Plan {
  const { book, app } = world;
  const by = turn.by;
  const tree = world.look();
  const running = closeForced(world, [turn], options, turn);
  const rows = book.rowsOf([turn]);
  const clean = book.cleanPaths([turn], rows, tree);
  const words = [...rows].map(
    ([path, { first }]) => [path, book.foreignWords(by, first, tree)] as const,
  );
  return {
    by,
    turns: [turn],
    claims: {
      targets: targetsOf(book, [turn], rows),
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
    done: (report, before) => {
      turn.rewoundBy = report.operation;
      taint(world, before);
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
    turns: [],
    claims: {
      targets: new Map([[path, target]]),
      clean: new Set(),
      words: new Map(),
      precious: book.foreignPaths(turn.by, tree),
      folders: new Set(),
    },
    mayFail: target === undefined ? ['damaged', 'notFound'] : [],
    preview: (choices) => app.previewRestore(asTurn(turn), path, side, choices),
    run: () => app.restoreFile(asTurn(turn), path, side, options),
    done: (_, before) => taint(world, before),
  };
}

function redoPlan(world: ModelWorld, operation: string, options: RewindOptions = {}): Plan {
  const { book, app } = world;
  const one = book.operations.find((other) => other.id === operation);
  assert.ok(one);
  const tree = world.look();
  const paths = changedBetween(one.before, one.after);
  const isUndone = (id: string): boolean =>
    book.operations.some((other) => other.undoes === id && !isUndone(other.id));
  const asLeft = paths.filter((path) => stateIn(tree, path) === stateIn(one.after, path));
  const isSame = asLeft.length === paths.length;
  return {
    by: one.session,
    turns: [],
    undoes: operation,
    claims: {
      targets: new Map(paths.map((path) => [path, stateIn(one.before, path)])),
      clean: new Set(),
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
    mayFail: isUndone(operation) ? ['nothingToDo'] : [],
    preview: (choices) => app.previewRedo(asOperationId(operation), choices),
    run: () => app.redo(asOperationId(operation), options),
    done: (report, before) => {
      redone(world, one, report);
      if (!isSame || paths.length > 0) taint(world, before);
    },
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

function taint(world: ModelWorld, before: Look): void {
  const after = world.look();
  for (const name of changedBetween(before, after))
    world.book.add('operation', name, stateIn(before, name), stateIn(after, name));
}

function forgetCurrent(world: ModelWorld, turns: readonly BookTurn[]): void {
  const { current } = world.book;
  for (const { id, by } of turns) if (current[by] === id) current[by] = undefined;
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

const takenBack = (turn: BookTurn): readonly ErrorCode[] =>
  turn.rewoundBy === null ? [] : ['nothingToDo'];

const asTurn = (turn: BookTurn) => turn.id as Parameters<ModelWorld['app']['turn']>[0];
