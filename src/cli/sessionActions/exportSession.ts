import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf, UserError } from '../../core/errors.ts';
import type { CliContext } from '../cliContext.ts';
import type { ExitStatus } from '../exitStatus.ts';
import { neutraliseLine } from '../text.ts';
import type { VerbCall } from '../verb.ts';
import { meantSession } from './meantSession.ts';

/** The whole conversation as Markdown or JSON: as it is into a file or pipe, harmless on a terminal. */
export async function exportSession(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const opened = await context.open();
  const session = meantSession(opened, call, context);
  const { out, host } = context;
  const format = out.json || call.option('format') === 'json' ? 'json' : 'markdown';
  const text = opened.app.history.export(session.id, format);
  const output = call.option('output');
  if (output !== undefined) {
    const file = resolve(host.cwd, output);
    writeNew(file, text);
    if (out.json) out.value({ session: session.id, file });
    else out.line(`Wrote ${file}.`);
    return 0;
  }
  if (out.json) out.value(JSON.parse(text));
  else if (out.toTerminal)
    for (const line of text.split('\n')) out.raw(`${neutraliseLine(line)}\n`);
  else out.raw(text);
  return 0;
}

/** @throws UserError `fileSystem`: also when the file is there already. */
function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw new UserError(
      'fileSystem',
      `${file} cannot be written: ${messageOf(error)}.`,
      { file },
      error,
    );
  }
}
