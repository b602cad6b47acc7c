/** Carries out one operation of a sequence and judges it by the account: what it did, what it said, what it left alone. */
import assert from 'node:assert/strict';
import type { RedoPreview, RewindOptions } from '../../src/app/timelineApp.ts';
import { isUserError, type UserError } from '../../src/core/errors.ts';
import type { OperationId } from '../../src/core/ids.ts';
import type {
  OperationReport,
  OperationSummary,
  PathResult,
  RewindPreview,
} from '../../src/core/timeline.ts';
import { wordsOf } from './modelBook.ts';
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
import { type Claims, hasSubject, type Plan, planOf, redoPlan } from './modelPlan.ts';
import type { OperationStep } from './modelSteps.ts';
import type { ModelWorld } from './modelWorld.ts';

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
    book.addOperation({
      id: report.operation,
      kind: report.kind,
      session: plan.by,
      before,
      after,
      turns: report.turns,
      undoes: report.complete ? plan.undoes : undefined,
      passes: report.complete ? (plan.passes ?? []).map(({ id }) => id) : [],
    });
  }
  const changed = changedBetween(before, after);
  const own = new Set(changed.filter((name) => plan.isOwn && book.isOnly(plan.by, name, before)));
  if (report.complete) plan.done(report);
  if (plan.passes && report.complete) return;
  const merged = report.paths.filter(({ result }) => result === 'merged').map(({ path }) => path);
  for (const name of changed)
    book.add('operation', name, stateIn(before, name), stateIn(after, name), {
      own: own.has(name) ? plan.by : undefined,
      isMerge: merged.includes(name),
    });
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
  // What could not be saved is no part of the plan; the turns say it.
  const turns = 'turns' in preview ? (preview as RewindPreview).turns : [];
  const unsaved = new Set(turns.flatMap((turn) => turn.unprotected.map((one) => one.path)));
  const isTold = ([at, result]: readonly [string, string]) =>
    result !== 'unchanged' && (result !== 'notRestorable' || foretold.has(at) || !unsaved.has(at));
  const told = [...results].filter(isTold);
  const sorted = (entries: Iterable<readonly [string, string]>) => [...entries].sort();
  assert.deepEqual(
    sorted(told),
    sorted([...foretold].filter(([, result]) => result !== 'unchanged')),
    'the preview said otherwise',
  );
}

/** The turn's words are gone, and whatever others wrote before or after it is there. */
function judgeMerge(
  [old, left]: readonly [State, State],
  before: State,
  after: State,
  path: string,
): void {
  const [atFirst, own, now] = [old, left, after].map((state) => new Set(wordsOf(state)));
  for (const word of own!)
    if (!atFirst!.has(word)) assert.ok(!now!.has(word), `${word} stays in ${path} after a merge`);
  for (const word of wordsOf(before))
    if (!own!.has(word)) assert.ok(now!.has(word), `${word} in ${path} was lost in a merge`);
}

function assertOneOf(state: State, allowed: readonly State[], told: string): void {
  if (!allowed.includes(state)) assert.equal(state, allowed[0], told);
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
    if (target.some(isFolder) && skipped.size > 0) continue;
    if (clean.has(path) || isTaken || report.complete)
      assertOneOf(stateIn(after, path), target, `${path} after the ${kind}`);
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
  for (const { path, result } of report.paths) {
    const merge = result === 'merged' ? claims.merges?.get(path) : undefined;
    if (merge) judgeMerge(merge, stateIn(before, path), stateIn(after, path), path);
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
