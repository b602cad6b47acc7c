/** What people do with whole-tree snapshots: take one, list them, compare two, bring the tree back to one. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathOfKey } from '../checkpoint/canonicalKey.ts';
import { stateOfKey } from '../checkpoint/hashedState.ts';
import type { RewindSpan, SpanFacts } from '../checkpoint/rewindFacts.ts';
import { messageOf } from '../core/errors.ts';
import { asSessionId, asTurnId, type Root, type SessionId } from '../core/ids.ts';
import {
  type SnapshotSummary,
  snapshotLabel,
  snapshotReason,
  snapshotTools,
} from '../core/snapshotSummary.ts';
import type { OperationReport, Change as Turning } from '../core/timeline.ts';
import { sessionsOf } from '../session/timelineStore.ts';
import type { MaterialStep, RestorePlan } from '../snapshot/restorePlan.ts';
import type { Change, Snapshot, SnapshotState } from '../snapshot/snapshotTypes.ts';
import { exclusively, type OperationContext, performWith } from './operations.ts';
import { pathsOf } from './previewer.ts';
import type { Snapshots } from './snapshots.ts';
import type {
  RewindOptions,
  SideContent,
  SnapshotComparison,
  SnapshotPreview,
  SnapshotProgress,
  SnapshotUse,
  TakenSnapshot,
} from './timelineApp.ts';
import { contentOfState } from './turnFiles.ts';

/** The use cases over the snapshots of one root. @param listeners are told how far the one being taken is */
export function snapshotUse(
  context: OperationContext,
  root: Root,
  snapshots: Snapshots,
  listeners: Set<SnapshotProgress>,
): SnapshotUse {
  return {
    list: () => listSnapshots(snapshots),
    async take(label, { signal, onProgress } = {}) {
      if (onProgress) listeners.add(onProgress);
      try {
        return await takeSnapshot(snapshots, label, signal);
      } finally {
        if (onProgress) listeners.delete(onProgress);
      }
    },
    compare: (first, second) => compareSnapshots(snapshots, first, second),
    content: (id, at) => snapshotContent(snapshots, id, at),
    previewRestore: (id, options = {}) =>
      previewSnapshotRestore(context, root, snapshots, id, options),
    restore: (id, options = {}) => restoreSnapshot(context, root, snapshots, id, options),
  };
}

/** @throws UserError `unsupported`; the signal's reason. */
async function takeSnapshot(
  snapshots: Snapshots,
  label: string | undefined,
  signal?: AbortSignal,
): Promise<TakenSnapshot> {
  const meta = { turn: 0, triggerTool: snapshotTools.person, triggerArgs: '', preRollback: false };
  const { snapshot, isNew, files, skipped } = await snapshots.create(
    { ...meta, ...(label?.trim() && { label, evenIfSame: true }) },
    signal ? { signal } : {},
  );
  await snapshots.settle();
  return {
    snapshot: summaryOf(snapshot),
    isNew,
    files,
    skipped: skipped.list,
    skippedCounts: skipped.counts,
  };
}

/** Newest first. */
async function listSnapshots(snapshots: Snapshots): Promise<readonly SnapshotSummary[]> {
  return (await snapshots.list()).map(summaryOf);
}

/**
 * @param second a prefix too; undefined for the files as they are now, of which a snapshot is taken for it
 * @returns both ids, and where the second differs from the first
 * @throws UserError `usage`, `notFound`.
 */
async function compareSnapshots(
  snapshots: Snapshots,
  first: string,
  second: string | undefined,
): Promise<SnapshotComparison> {
  const before = await snapshots.lookup(first);
  const after = second === undefined ? await asFound(snapshots) : await snapshots.lookup(second);
  const changes = await snapshots.diff(before.id, after.id);
  return {
    before: summaryOf(before),
    after: summaryOf(after),
    changes: changes.flatMap((change) => {
      const turning = turningOf(change);
      return turning === undefined ? [] : [{ path: change.path, change: turning }];
    }),
  };
}

/** One file of a snapshot. @throws UserError `notFound` for an unknown snapshot. */
async function snapshotContent(
  snapshots: Snapshots,
  prefix: string,
  at: string,
): Promise<SideContent> {
  const { id } = await snapshots.lookup(prefix);
  const state = await snapshots.stateAt(id, at);
  if (state.kind === 'uncaptured')
    return { kind: 'unavailable', reason: `It was not captured (${state.reason}).` };
  if (state.kind !== 'file') return contentOfState({ state, file: undefined });
  const bytes = await snapshots.read(id, at);
  return { kind: 'bytes', bytes, verified: true, mode: state.mode };
}

/** What bringing the tree back to a snapshot would do. Takes a snapshot of the present; changes no file. */
async function previewSnapshotRestore(
  context: OperationContext,
  root: Root,
  snapshots: Snapshots,
  prefix: string,
  options: RewindOptions,
): Promise<SnapshotPreview> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-preview-'));
  try {
    const plan = await planOf(context, root, snapshots, prefix);
    const span = await spanOf(context, root, snapshots, plan, options, folder);
    const found = pathsOf(context, span, options);
    const stays = plan.notRestorable.map(({ path: at, why }) => ({ path: at, reason: why }));
    return {
      ...found,
      // They are not in the way of the rest: nothing was ever promised for them.
      notRestorable: [...found.notRestorable, ...stays],
      snapshot: summaryOf(plan.target),
    };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Files back to a snapshot, as one operation that can be undone. What the snapshot did not capture stays as it is and is
 * named in the report. Where the folder is as it was, nothing is recorded. @throws UserError `notFound`, `usage`, `conflicts`, `damaged`, `locked`.
 */
function restoreSnapshot(
  context: OperationContext,
  root: Root,
  snapshots: Snapshots,
  prefix: string,
  options: RewindOptions,
): Promise<OperationReport> {
  return exclusively(context, root, async () => {
    const plan = await planOf(context, root, snapshots, prefix);
    const { shortId, label } = summaryOf(plan.target);
    const stays = plan.notRestorable.map(({ path: at, why }) => ({
      path: at,
      result: 'notRestorable' as const,
      why,
    }));
    if (plan.steps.length === 0)
      return { operation: null, kind: 'restore', complete: true, paths: stays, turns: [] };
    const report = await performWith(
      context,
      root,
      (folder) => spanOf(context, root, snapshots, plan, options, folder),
      {
        kind: 'restore',
        label: `Restored snapshot ${shortId} (${label})`,
        moment: 'the snapshot',
        effect: { kind: 'none', seqs: [] },
        turns: [],
      },
      options,
    );
    return { ...report, paths: [...report.paths, ...stays] };
  });
}

async function planOf(
  context: OperationContext,
  root: Root,
  snapshots: Snapshots,
  prefix: string,
): Promise<RestorePlan> {
  const { id } = await snapshots.lookup(prefix);
  const session = newestSession(context, root);
  return snapshots.restorePlan(id, { turn: 0, ...(session !== '' && { session }) });
}

async function spanOf(
  context: OperationContext,
  root: Root,
  snapshots: Snapshots,
  plan: RestorePlan,
  { unsaved }: RewindOptions,
  folder: string,
): Promise<RewindSpan> {
  const steps = await snapshots.materialise(plan.steps, folder);
  return {
    root,
    session: asSessionId(newestSession(context, root)),
    checkpoints: [],
    facts: steps.filter((s) => !s.optional).map((s) => factsOf(root, s, unsaved ?? new Set())),
    folders: steps.filter((step) => step.optional).map((step) => step.path),
  };
}

/** Left: what the snapshot just taken has; whatever differs from it was changed this very moment. */
function factsOf(root: Root, step: MaterialStep, unsaved: ReadonlySet<string>): SpanFacts {
  const { path: at, from, to, source } = step;
  const base = {
    path: at,
    target: to,
    verified: true,
    left: from,
    unsaved: unsaved.has(at),
    source,
  };
  const named = pathOfKey(root, at);
  if ('refused' in named && !named.onDisk?.isLink)
    return { ...base, present: { kind: 'other' }, hindrance: named.refused };
  try {
    return { ...base, present: stateOfKey(root, at), hindrance: undefined };
  } catch (error) {
    const hindrance = `It cannot be read now (${messageOf(error)}).`;
    return { ...base, present: { kind: 'other' }, hindrance };
  }
}

/** Whose agent is told that files went back; empty when there is none. */
function newestSession({ database }: OperationContext, root: Root): SessionId | '' {
  return sessionsOf(database, root)[0]?.id ?? '';
}

async function asFound(snapshots: Snapshots): Promise<Snapshot> {
  const { check } = snapshotTools;
  const meta = { turn: 0, triggerTool: check, triggerArgs: '', preRollback: false };
  return (await snapshots.create(meta)).snapshot;
}

function summaryOf({ id, shortId, at, meta }: Snapshot): SnapshotSummary {
  const { triggerTool: tool, triggerArgs: args, preRollback, label, session, turnId, turn } = meta;
  const reason = snapshotReason(tool, preRollback);
  return {
    id,
    shortId,
    at,
    reason,
    label: snapshotLabel(reason, { label, tool, args }),
    session: session === undefined ? null : asSessionId(session),
    turn: turnId === undefined ? null : asTurnId(turnId),
    turnNumber: turn,
  };
}

/** Undefined where nothing a person sees differs: what was left out of both. */
function turningOf({ before, after }: Change): Turning | undefined {
  if (before.kind === 'uncaptured' || after.kind === 'uncaptured') return undefined;
  if (before.kind === 'absent') return 'added';
  if (after.kind === 'absent') return 'deleted';
  if (before.kind !== after.kind) return 'type';
  return sameBytes(before, after) ? 'mode' : 'modified';
}

function sameBytes(before: SnapshotState, after: SnapshotState): boolean {
  if (before.kind === 'file' && after.kind === 'file') return before.blob === after.blob;
  return before.kind === 'directory';
}
