import type { Finding, PendingOperation } from '../../app/timelineApp.ts';
import { UserError } from '../../core/errors.ts';
import type { CliContext, Opened } from '../cliContext.ts';
import { absoluteTime } from '../moment.ts';
import { counted } from '../previewText.ts';
import { styled } from '../text.ts';
import type { Verb, VerbCall } from '../verb.ts';

type Recovery = 'finish' | 'rollBack';

/** Checks the stores of a root. */
export const doctor: Verb = {
  name: 'doctor',
  summary: 'check what is stored for this folder, mend it, and settle a rewind that was cut short',
  details: [
    'A rewind that a crash or a power cut has stopped half way blocks new ones, and --repair, until it is finished or rolled back.',
    '--repair removes what crashes left behind, brings the list of turns and operations in line with what is on the disk, sets aside what cannot be read, and says of each thing what was done. It never removes the saved state of a file, or anything of yours.',
    'Exit status 1: there is a problem, or a rewind is still to be settled.',
  ],
  arguments: [],
  options: [
    { flags: '--finish', description: 'complete what was cut short' },
    { flags: '--roll-back', description: 'put the files back to what they were before it' },
    { flags: '--repair', description: 'mend what can be mended; after --finish or --roll-back' },
  ],
  examples: [
    { line: 'doctor', description: 'look only' },
    { line: 'doctor --roll-back', description: 'undo a rewind that was cut short' },
    { line: 'doctor --repair', description: 'mend what was found' },
  ],
  async run(call, context) {
    const how = recovery(call);
    const opened = await context.open();
    const recovered = how === undefined ? [] : await recoverAll(opened, how);
    const repaired = call.flag('repair') ? await opened.app.repair(opened.root) : undefined;
    const pending = opened.app.pending(opened.root);
    const findings = await opened.app.doctor(opened.root);
    const { out } = context;
    if (out.json)
      out.value({
        root: opened.root,
        recovered: recovered.map(({ operation, kind }) => ({ operation, kind, how })),
        repaired: repaired ?? [],
        pending,
        findings,
      });
    else {
      printRecovered(context, how, recovered);
      if (repaired !== undefined) printRepaired(context, repaired);
      print(context, opened, pending, findings);
    }
    return pending.length > 0 || findings.some(({ severity }) => severity === 'problem') ? 1 : 0;
  },
};

function recovery(call: VerbCall): Recovery | undefined {
  const finish = call.flag('finish');
  const rollBack = call.flag('roll-back');
  if (finish && rollBack)
    throw new UserError('usage', 'Give either --finish or --roll-back, not both.');
  if (finish) return 'finish';
  return rollBack ? 'rollBack' : undefined;
}

async function recoverAll(
  { app, root }: Opened,
  how: Recovery,
): Promise<readonly PendingOperation[]> {
  const pending = app.pending(root);
  for (const { operation } of pending) await app.recover(operation, how);
  return pending;
}

function printRecovered(
  { out }: CliContext,
  how: Recovery | undefined,
  recovered: readonly PendingOperation[],
): void {
  const done = how === 'finish' ? 'Finished' : 'Rolled back';
  for (const { kind, operation } of recovered) out.line(`${done} the ${kind} ${operation}.`);
  if (how !== undefined && recovered.length === 0) out.line('No rewind was cut short.');
}

function printRepaired({ out }: CliContext, repaired: readonly Finding[]): void {
  if (repaired.length === 0) {
    out.line('Nothing had to be mended.');
    return;
  }
  out.table(
    [{ title: '' }, { title: '' }, { title: '' }],
    repaired.map(({ severity, subject, text }) => [
      severity === 'problem' ? styled('red', 'failed') : styled('green', 'mended'),
      subject,
      text,
    ]),
  );
  out.line();
}

function print(
  { out, host }: CliContext,
  { root }: Opened,
  pending: readonly PendingOperation[],
  findings: readonly Finding[],
): void {
  for (const { kind, operation, startedAt, paths } of pending) {
    out.line([
      styled('red', 'Cut short: '),
      `the ${kind} ${operation} of ${absoluteTime(startedAt, host.timeZone)}, ${counted(paths.length, 'path')}. `,
      'Settle it with --finish or --roll-back:',
    ]);
    for (const path of paths) out.line(`  ${path}`);
  }
  out.table(
    [{ title: '' }, { title: '' }, { title: '' }],
    findings.map(({ severity, subject, text }) => [
      styled(severity === 'problem' ? 'red' : 'dim', severity),
      subject,
      text,
    ]),
  );
  const problems = findings.filter(({ severity }) => severity === 'problem').length;
  if (problems > 0) out.line(`${counted(problems, 'problem')} in ${root}.`);
  else if (pending.length === 0) out.line(`No problem found in ${root}.`);
}
