/** What the verbs that change files share: show what would be done, ask, do it, tell what was done. */
import type { RedoPreview, RewindOptions } from '../app/timelineApp.ts';
import type { OperationId } from '../core/ids.ts';
import type { OperationReport } from '../core/timeline.ts';
import type { CliContext } from './cliContext.ts';
import { confirm } from './confirm.ts';
import type { ExitStatus } from './exitStatus.ts';
import { printReport } from './previewText.ts';
import { refuseHopeless } from './refuseHopeless.ts';

export interface FileOperation<Preview extends RedoPreview> {
  readonly options: RewindOptions;
  readonly preview: () => Promise<Preview>;
  /** Prints the preview for a person. */
  readonly show: (preview: Preview) => void;
  readonly question: string;
  /** What is told to a caller that cannot be asked. */
  readonly facts: (preview: Preview) => Readonly<Record<string, unknown>>;
  readonly act: () => Promise<OperationReport>;
  /** What was achieved, in a line, when something was. */
  readonly headline: (report: OperationReport) => string;
  /** The verb that takes it back, with its arguments. */
  readonly undo: (operation: OperationId) => string;
  /** Where no file would change there is nothing to agree to: then it does nothing. */
  readonly needsChange?: true;
}

/** @returns 1 when the person said no, 3 when conflicts were kept. @throws UserError as the app does. */
export async function carryOut<Preview extends RedoPreview>(
  context: CliContext,
  operation: FileOperation<Preview>,
  yes: boolean,
): Promise<ExitStatus> {
  if (!yes && !(await agreed(context, operation))) return 1;
  const report = await operation.act();
  const { out } = context;
  if (out.json) out.value(report);
  else {
    out.line(report.operation === null ? 'Nothing was changed.' : operation.headline(report));
    printReport(out, report);
    if (report.operation !== null) {
      const line = `memcode-timeline ${operation.undo(report.operation)}${rootOption(context)}`;
      out.line(`Undo with: ${line}`);
    }
  }
  return report.complete ? 0 : 3;
}

/** Elsewhere the same line would be about another folder. */
function rootOption({ settings: { root } }: CliContext): string {
  if (root === undefined) return '';
  return ` --root ${/^[\w./:~-]+$/.test(root) ? root : JSON.stringify(root)}`;
}

async function agreed<Preview extends RedoPreview>(
  context: CliContext,
  { options, preview, show, question, facts, needsChange }: FileOperation<Preview>,
): Promise<boolean> {
  const { out } = context;
  const found = await preview();
  if (needsChange && found.paths.length + found.conflicts.length === 0) return true;
  if (!out.json) show(found);
  refuseHopeless(found, options);
  if (!out.json) out.line();
  return confirm(context, question, facts(found));
}
