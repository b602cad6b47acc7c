import { applyConnection, planConnection } from '../../app/connector.ts';
import { messageOf, UserError } from '../../core/errors.ts';
import type { CliContext } from '../cliContext.ts';
import {
  agentArgument,
  agreed,
  connectionPlace,
  connectionValue,
  scopeOption,
} from '../connection.ts';
import { styled } from '../text.ts';
import { type Verb, yesOption } from '../verb.ts';

/** Makes an agent call our hook. */
export const connect: Verb = {
  name: 'connect',
  summary: 'let an agent record its turns: adds our hooks to its configuration',
  details: [
    'Shows the change to the configuration file and asks, unless --yes is given. Everything else in the file stays as it is; `disconnect` takes out exactly what was added.',
  ],
  arguments: [agentArgument],
  options: [scopeOption, yesOption],
  examples: [
    { line: 'connect claude', description: 'for all your projects, after asking' },
    { line: 'connect gemini --scope project --yes', description: 'for this project only, at once' },
  ],
  async run(call, context) {
    const plan = planConnection(connectionPlace(call, context));
    if (!(await agreed(context, plan, call.flag('yes')))) return 1;
    writeLauncher(context);
    applyConnection(plan);
    const { out } = context;
    if (out.json) {
      out.value(connectionValue(plan));
      return 0;
    }
    out.line(plan.changed ? `Connected: ${plan.file}` : `Already connected: ${plan.file}`);
    for (const note of plan.notes) out.line([styled('yellow', 'Note: '), note]);
    return 0;
  },
};

/** First, so that a hook never names a launcher that is not there. */
function writeLauncher({ host: { launcher } }: CliContext): void {
  try {
    launcher.write();
  } catch (error) {
    throw new UserError(
      'fileSystem',
      `Nothing was connected: ${launcher.file} cannot be written (${messageOf(error)}).`,
      { file: launcher.file },
      error,
    );
  }
}
