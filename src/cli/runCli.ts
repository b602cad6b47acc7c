/** Runs one command line from first to last: parse, run the verb, print what went wrong, give the exit status. */
import { isUserError, messageOf } from '../core/errors.ts';
import { CliContext } from './cliContext.ts';
import type { CliHost } from './cliHost.ts';
import { type CommandLine, parseCommandLine } from './commandLine.ts';
import { type CliErrorCode, type ExitStatus, exitStatusOf } from './exitStatus.ts';
import { Output } from './output.ts';
import { verbs } from './verbs.ts';

/**
 * @param args what follows the program's name.
 * @returns the exit status; never throws.
 */
export async function runCli(args: readonly string[], host: CliHost): Promise<ExitStatus> {
  try {
    return await execute(parseCommandLine(args, verbs, host), host);
  } catch (error) {
    return report(error, new Output(host, args.includes('--json')), args.includes('--verbose'));
  }
}

async function execute(line: CommandLine, host: CliHost): Promise<ExitStatus> {
  if (line.kind === 'help') {
    host.stdout.write(line.text);
    return 0;
  }
  if (line.kind === 'version') {
    const out = new Output(host, line.json);
    if (out.json) out.value({ version: host.version });
    else out.line(host.version);
    return 0;
  }
  const context = new CliContext(host, line.settings);
  try {
    return await line.verb.run(line.call, context);
  } finally {
    context.dispose();
  }
}

function report(error: unknown, out: Output, verbose: boolean): ExitStatus {
  const code: CliErrorCode = isUserError(error) ? error.code : 'bug';
  const message = messageOf(error);
  if (out.json) out.value({ error: { code, message, data: isUserError(error) ? error.data : {} } });
  else out.note(`memcode-timeline: ${code === 'bug' ? `unexpected error: ${message}` : message}`);
  if (verbose && error instanceof Error) out.noteLines(error.stack ?? message);
  return exitStatusOf(code);
}
