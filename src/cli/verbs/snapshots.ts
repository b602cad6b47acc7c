import type { SnapshotReason, SnapshotSummary } from '../../core/snapshotSummary.ts';
import { absoluteTime, relativeTime } from '../moment.ts';
import { firstLine, styled } from '../text.ts';
import type { Verb } from '../verb.ts';

/** Lists the whole-tree snapshots of a root. */
export const snapshots: Verb = {
  name: 'snapshots',
  summary: 'list the snapshots of this folder, newest first',
  details: [
    'A snapshot is the whole folder at one moment, ignored files apart. Agents’ shell commands are between two of them; `snapshot` takes one by hand. WHY is `by hand` for those that somebody took; the others are automatic: around a `command`, before a `restore`, or a `check` of what is there. --json calls the first `person`.',
    'Ids are cut to eight digits; --verbose and --json give them whole. Any unique beginning of at least four digits will do.',
  ],
  arguments: [],
  options: [],
  examples: [
    { line: 'snapshots', description: 'those of the current folder' },
    { line: 'compare 1a2b3c4d', description: 'what has changed since one of them' },
  ],
  async run(_call, context) {
    const { app, root } = await context.open();
    const all = await app.snapshots(root).list();
    const { out, host, settings } = context;
    if (out.json) {
      out.value({ root, snapshots: all });
      return 0;
    }
    if (all.length === 0) {
      out.line(`No snapshot has been taken of ${root}.`);
      return 0;
    }
    const now = host.now();
    out.table(
      [
        { title: 'SNAPSHOT' },
        { title: 'WHEN' },
        { title: 'WHY' },
        { title: 'TURN', align: 'right' },
        { title: 'WHAT', flexible: true },
      ],
      all.map((each) => [
        styled('bold', settings.verbose ? each.id : each.shortId),
        settings.verbose
          ? absoluteTime(each.at, host.timeZone)
          : relativeTime(each.at, now, host.timeZone),
        styled(reasonStyles[each.reason], whyTexts[each.reason]),
        each.turnNumber === 0 ? '' : String(each.turnNumber),
        firstLine(each.label),
      ]),
    );
    return 0;
  },
};

const reasonStyles = {
  person: 'green',
  command: 'cyan',
  restore: 'yellow',
  check: 'dim',
} as const satisfies Readonly<Record<SnapshotReason, string>>;

const whyTexts: Readonly<Record<SnapshotReason, string>> = {
  person: 'by hand',
  command: 'automatic: command',
  restore: 'automatic: restore',
  check: 'automatic: check',
};

/** How texts name one. */
export function snapshotName({ shortId, label }: SnapshotSummary): string {
  return `${shortId} (${firstLine(label)})`;
}
