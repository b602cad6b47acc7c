/** `Memcode: Show What Agents See`: the exact text that an agent is given of memory in a folder of this window. */
import * as vscode from 'vscode';
import { hookConfigs } from '../agents/hookConfigs.ts';
import type { TimelineApp } from '../app/timelineApp.ts';
import { agentName } from '../core/agentName.ts';
import { UserError } from '../core/errors.ts';
import { openText } from './openText.ts';
import type { TimelineHub } from './timelineHub.ts';
import type { RootFolder } from './timelineModel.ts';
import type { ContextFile } from './turnUri.ts';

const everybody = 'all';

/** @throws UserError `notFound` without a folder. */
export async function showAgentsSee(hub: TimelineHub): Promise<void> {
  await hub.opened();
  const folder = await pickFolder(hub.roots());
  if (folder === undefined) return;
  const entries: readonly (vscode.QuickPickItem & { readonly agent: string })[] = [
    { label: vscode.l10n.t('All agents, nothing left out'), agent: everybody },
    ...hookConfigs.map(({ agent, name }) => ({ label: name, agent })),
  ];
  const title = vscode.l10n.t('Show What Agents See');
  const chosen = await vscode.window.showQuickPick(entries, { title });
  if (chosen === undefined) return;
  const name = chosen.agent === everybody ? vscode.l10n.t('agents') : chosen.label;
  await openText({
    context: folder.root,
    agent: chosen.agent,
    path: `${vscode.l10n.t('Seen by {0}', name)}.md`,
  });
}

async function pickFolder(roots: readonly RootFolder[]): Promise<RootFolder | undefined> {
  const [only] = roots;
  if (only === undefined) throw new UserError('notFound', vscode.l10n.t('Open a folder first.'));
  if (roots.length === 1) return only;
  const entries = roots.map((root) => ({ label: root.folder, description: root.root, root }));
  return (await vscode.window.showQuickPick(entries))?.root;
}

/** @throws UserError `notFound` for a folder that is not of this window: a name may come from anywhere. */
export async function agentsSeeText(
  { context, agent }: ContextFile,
  app: TimelineApp,
  roots: readonly RootFolder[],
): Promise<string> {
  if (!roots.some(({ root }) => root === context))
    throw new UserError('notFound', vscode.l10n.t('That folder is not of this window.'));
  const [memory, { memoryContextText }] = await Promise.all([
    app.memoryContext(),
    import('./memoryContextText.ts'),
  ]);
  const shown = memory.show(context, agent === everybody ? undefined : agent);
  const who = agent === everybody ? undefined : agentName(agent);
  return memoryContextText(shown, who, vscode.l10n);
}
