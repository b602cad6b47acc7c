import type { SideContent, TimelineApp } from '../../app/timelineApp.ts';
import type { TouchSummary, TurnSummary } from '../../core/timeline.ts';
import { countLines, type FileDiff, fileDiff } from '../fileDiff.ts';
import { gitPatch } from '../gitPatch.ts';
import { patchText, printPatch, utf8 } from '../patchText.ts';
import { findTurn } from '../selection.ts';
import { filesOfTurn } from '../turnPaths.ts';
import { turnReference } from '../turnText.ts';
import { turnArgument, type Verb } from '../verb.ts';

interface Compared {
  readonly touch: TouchSummary;
  readonly before: SideContent;
  readonly after: SideContent;
  readonly diff: FileDiff;
}

/** Shows what a turn changed, as a patch. */
export const diff: Verb = {
  name: 'diff',
  summary: 'show what a turn changed, as a patch that `git apply` takes',
  details: [
    'When stdout is not a terminal the patch holds the exact bytes. A file whose content is not there any more is named, and the exit status is 1.',
  ],
  arguments: [
    turnArgument,
    {
      name: '[path]',
      description: 'only this file, or the files in this folder; relative to the root or to here',
    },
  ],
  options: [],
  examples: [
    { line: 'diff 3', description: 'all of turn 3' },
    { line: 'diff 3 src/parser.ts', description: 'one file of it' },
    { line: 'diff 3 > turn3.patch', description: 'a patch: git apply -R turn3.patch' },
  ],
  async run(call, context) {
    const { app, root } = await context.open();
    const turn = findTurn({ app, root }, context.settings.session, call.argument(0));
    const files = filesOfTurn(turn, root, context.host.cwd, call.argument(1));
    const compared = files.map((touch) => compare(app, turn, touch));
    const { out } = context;
    if (out.json) out.value({ turn: turnReference(turn), files: compared.map(diffValue) });
    else for (const each of compared) printPatch(out, gitPatch(each.diff));
    const lost = compared.filter((each) => each.diff.kind === 'unavailable');
    for (const { touch, diff: each } of out.json ? [] : lost)
      if (each.kind === 'unavailable') out.note(`memcode-timeline: ${touch.path}: ${each.reason}`);
    return lost.length === 0 ? 0 : 1;
  },
};

function compare(app: TimelineApp, turn: TurnSummary, touch: TouchSummary): Compared {
  const before = app.content(turn.id, touch.path, 'before');
  const after = app.content(turn.id, touch.path, 'after');
  return { touch, before, after, diff: fileDiff(touch.path, before, after) };
}

function diffValue({
  touch,
  before,
  after,
  diff: each,
}: Compared): Readonly<Record<string, unknown>> {
  const steps = each.kind === 'steps' ? each.steps : [];
  const only = steps.length === 1 ? steps[0] : undefined;
  return {
    path: touch.path,
    change: touch.change,
    cause: touch.cause,
    before: sideValue(before),
    after: sideValue(after),
    binary: steps.some(({ hunks }) => hunks === null),
    ...countLines(each),
    hunks: only?.hunks?.map((hunk) => ({ ...hunk, lines: hunk.lines.map(utf8) })) ?? null,
    patch: patchText(gitPatch(each)),
  };
}

function sideValue(side: SideContent): Readonly<Record<string, unknown>> {
  if (side.kind !== 'bytes') return { ...side };
  const { bytes, verified, mode } = side;
  return { kind: 'file', size: bytes.length, mode: mode ?? null, verified };
}
