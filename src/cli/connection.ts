/** What `connect` and `disconnect` share: whose configuration is meant, and showing the change before it is made. */

import { hookConfigs } from '../agents/hookConfigs.ts';
import type { ConnectionPlace, ConnectionPlan, Scope } from '../app/connector.ts';
import { rootOf } from '../base/root.ts';
import type { CliContext } from './cliContext.ts';
import { confirm } from './confirm.ts';
import { textPatch } from './gitPatch.ts';
import { patchText, printPatch } from './patchText.ts';
import type { VerbArgument, VerbCall, VerbOption } from './verb.ts';

export const agentArgument: VerbArgument = {
  name: '<agent>',
  description: 'the agent',
  choices: hookConfigs.map(({ agent }) => agent),
};

export const scopeOption: VerbOption = {
  flags: '--scope <scope>',
  description:
    'whose configuration: yours, for all projects (default), or that of the project in --root',
  choices: ['user', 'project'],
};

export function connectionPlace(call: VerbCall, { host, folder }: CliContext): ConnectionPlace {
  const scope: Scope = call.option('scope') === 'project' ? 'project' : 'user';
  return {
    agent: call.argument(0) ?? '',
    scope,
    home: host.userHome,
    root: rootOf(folder, host.userHome),
    launcher: host.launcher.file,
    timelineHome: host.home,
    platform: host.platform,
    env: host.environment,
  };
}

/** Shows the change and asks, unless `yes` or there is nothing to change. False when the person said no. */
export async function agreed(
  context: CliContext,
  plan: ConnectionPlan,
  yes: boolean,
): Promise<boolean> {
  if (yes || !plan.changed) return true;
  if (!context.out.json) printPatch(context.out, patchOf(plan));
  const question = plan.after === null ? `Remove ${plan.file}?` : `Write ${plan.file}?`;
  return confirm(context, question, connectionValue(plan));
}

export function connectionValue(plan: ConnectionPlan): Readonly<Record<string, unknown>> {
  const { agent, scope, file, changed, notes } = plan;
  const patch = changed ? patchText(patchOf(plan)) : '';
  return { agent, scope, file, changed, patch, notes };
}

function patchOf({ file, before, after }: ConnectionPlan): ReturnType<typeof textPatch> {
  return textPatch(file, before, after);
}
