/** Asking before something is changed. */
import { createInterface } from 'node:readline';
import { UserError } from '../core/errors.ts';
import type { CliContext } from './cliContext.ts';
import { neutralise } from './text.ts';

/**
 * True when the person agrees; a no (also the end of input) is answered with a line. A caller that cannot be
 * asked, because there is no terminal or because it wants JSON, gets an error that carries what would have been done.
 * @throws UserError `refused`: the line itself is right.
 */
export async function confirm(
  context: CliContext,
  question: string,
  would: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const { host, out } = context;
  if (out.json || !host.interactive)
    throw new UserError(
      'refused',
      'Nothing was changed: there is nobody to ask. Run the same command with --yes to do it.',
      would,
    );
  host.stderr.write(`${neutralise(question)} [y/N] `);
  const agreed = /^y(es)?$/i.test((await readLine(context)).trim());
  if (!agreed) out.note('Nothing was changed.');
  return agreed;
}

function readLine({ host }: CliContext): Promise<string> {
  const lines = createInterface({ input: host.stdin });
  return new Promise((resolve) => {
    const answer = (line: string) => {
      resolve(line);
      lines.close();
    };
    lines.once('line', answer);
    lines.once('close', () => resolve(''));
  });
}
