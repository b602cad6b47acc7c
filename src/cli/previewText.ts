/** What an operation on files would do, and what it did, for people. */
import type { RedoPreview, RewindOptions } from '../app/timelineApp.ts';
import { memoryLabel } from '../core/memoryLabel.ts';
import type {
  ConflictChoice,
  ConflictPath,
  MemoryPreview,
  Mergeability,
  OperationReport,
  PathOutcome,
  PathResult,
  PlannedAct,
  RewindPreview,
} from '../core/timeline.ts';
import type { Output } from './output.ts';
import { firstLine, type Style, styled, type Text } from './text.ts';
import { linesText, turnReference } from './turnText.ts';

/** The turns that go, then what happens to each path. */
export function printRewindPreview(
  out: Output,
  preview: RewindPreview,
  options: RewindOptions,
): void {
  const { turns } = preview;
  out.line(
    `Rewinding to before turn ${preview.turn.number} takes back ${counted(turns.length, 'turn')}:`,
  );
  out.table(
    [
      { title: '', align: 'right' },
      { title: '', flexible: true },
    ],
    turns.map((turn) => [styled('bold', String(turn.number)), firstLine(turn.prompt)]),
    2,
  );
  printPaths(out, preview, options);
  for (const warning of preview.warnings) out.line([styled('yellow', 'Warning: '), warning]);
}

/** @param headline what the paths are a preview of */
export function printPreview(
  out: Output,
  headline: string,
  preview: RedoPreview,
  options: RewindOptions,
): void {
  out.line(headline);
  printPaths(out, preview, options);
}

/** As JSON: the turns by reference only, `show` tells the rest. */
export function previewValue(preview: RewindPreview): Readonly<Record<string, unknown>> {
  return {
    ...preview,
    turn: turnReference(preview.turn),
    turns: preview.turns.map(turnReference),
  };
}

export function printReport(out: Output, report: OperationReport): void {
  printOutcomes(out, report.paths);
  if (report.memory !== undefined) printMemoryReport(out, report.memory);
  const kept = [...report.paths, ...(report.memory ?? [])].filter(
    ({ result }) => result === 'kept',
  ).length;
  if (!report.complete)
    out.line(styled('yellow', `Kept because of conflicts: ${counted(kept, 'file')}.`));
}

function printOutcomes(out: Output, paths: readonly PathOutcome[]): void {
  out.table(
    [{ title: '' }, { title: '' }, { title: '' }],
    paths.map(({ path, result, why }) => [resultText(result), path, styled('dim', why)]),
    2,
  );
}

function printMemoryReport(out: Output, paths: readonly PathOutcome[]): void {
  if (paths.length === 0) return;
  out.line('Memory:');
  printOutcomes(out, paths.map(labelled));
}

/** What turns wrote to memory stays unless that is asked for: it is offered here. */
function printMemoryPreview(out: Output, memory: MemoryPreview, options: RewindOptions): void {
  const { paths, conflicts, notRestorable } = memory;
  const isTaken = options.memory === 'take-back';
  out.line();
  out.line(
    isTaken
      ? 'Memory goes with it:'
      : 'Memory was written as well; it stays (--memory take-back to change that):',
  );
  out.table(
    [{ title: '' }, { title: '' }, { title: '' }],
    paths.map(({ path, act, added, removed }) => [
      actText(act),
      memoryLabel(path),
      linesText(added, removed),
    ]),
    2,
  );
  if (conflicts.length > 0) {
    const fate = isTaken ? fates[options.conflicts ?? 'keep'] : 'they would not be written over';
    out.line(styled('yellow', `${counted(conflicts.length, 'conflict')} in memory: ${fate}`));
    printConflicts(out, conflicts.map(labelled));
  }
  if (notRestorable.length > 0)
    printLost(out, 'Cannot go back', notRestorable.map(labelled), options);
}

function printLost(
  out: Output,
  what: string,
  lost: RedoPreview['notRestorable'],
  { partial }: RewindOptions,
): void {
  const fate = partial ? 'they stay as they are' : 'without --partial nothing is done';
  out.line(styled('yellow', `${what}; ${fate}:`));
  out.table(
    [{ title: '' }, { title: '' }],
    lost.map(({ path, reason }) => [path, reason]),
    2,
  );
}

/** Under its name. */
function labelled<Told extends { readonly path: string }>(told: Told): Told {
  return { ...told, path: memoryLabel(told.path) };
}

function printConflicts(out: Output, conflicts: readonly ConflictPath[]): void {
  out.table(
    [{ title: '' }, { title: '' }, { title: '' }],
    conflicts.map(({ path, reason, merge }) => [
      path,
      merge === undefined ? '' : mergeTexts[merge],
      reason,
    ]),
    2,
  );
}

function printPaths(out: Output, preview: RedoPreview, options: RewindOptions): void {
  const { paths, conflicts, notRestorable } = preview;
  out.line();
  if (paths.length > 0)
    out.table(
      [{ title: '' }, { title: '' }, { title: '' }, { title: '' }],
      paths.map((each) => [
        actText(each.act),
        each.path,
        linesText(each.added, each.removed),
        each.unverified ? styled('yellow', 'unverified') : '',
      ]),
      2,
    );
  else if (conflicts.length === 0) out.line('  No file would change.');
  if (conflicts.length > 0) {
    out.line();
    out.line(
      styled(
        'yellow',
        `${counted(conflicts.length, 'conflict')}: ${fates[options.conflicts ?? 'keep']}`,
      ),
    );
    printConflicts(out, conflicts);
  }
  if (notRestorable.length > 0) {
    out.line();
    printLost(out, 'Cannot be restored', notRestorable, options);
  }
  if (preview.memory !== undefined) printMemoryPreview(out, preview.memory, options);
}

const fates: Readonly<Record<ConflictChoice, string>> = {
  keep: 'your version stays (--conflicts take or merge to change that)',
  take: 'the old state replaces your version',
  merge: 'both are merged; where that fails, your version stays',
  fail: 'nothing is done at all',
};

const mergeTexts: Readonly<Record<Mergeability, Text>> = {
  clean: styled('green', 'merges cleanly'),
  byHand: styled('yellow', 'overlaps'),
  impossible: styled('dim', 'no merge'),
};

const actStyles: Readonly<Record<PlannedAct, Style>> = {
  write: 'cyan',
  create: 'green',
  delete: 'red',
  none: 'dim',
};

function actText(act: PlannedAct): Text {
  return styled(actStyles[act], act === 'none' ? 'as is' : act);
}

const results: Readonly<Record<PathResult, Text>> = {
  restored: styled('green', 'restored'),
  recreated: styled('green', 'recreated'),
  deleted: styled('red', 'deleted'),
  merged: styled('green', 'merged'),
  kept: styled('yellow', 'kept'),
  unchanged: styled('dim', 'unchanged'),
  notRestorable: styled('yellow', 'not restorable'),
};

function resultText(result: PathResult): Text {
  return results[result];
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
