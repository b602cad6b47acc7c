/**
 * The conversation around connecting an agent: which one, where, this is the change, really? No vscode: picking, showing
 * and asking are arguments.
 */
import {
  applyConnection,
  type ConnectionPlace,
  type ConnectionPlan,
  type ConnectionStatus,
  connectionStatus,
  type KnownAgent,
  planConnection,
  planDisconnection,
} from '../app/connector.ts';
import {
  agentEntries,
  type ChangeQuestion,
  connectedMessage,
  connectionEntries,
  connectQuestion,
  disconnectQuestion,
  scopeEntries,
} from './connectTexts.ts';
import type { Localizer } from './localizer.ts';
import type { Pick } from './question.ts';
import type { RootFolder } from './timelineModel.ts';

export interface ConnectContext {
  readonly l10n: Localizer;
  readonly pick: Pick;
  readonly agents: readonly KnownAgent[];
  readonly roots: readonly RootFolder[];
  /** Everything but agent, scope and root. */
  readonly base: Omit<ConnectionPlace, 'agent' | 'scope' | 'root'>;
  /** Makes what the hooks call. */
  prepare(): Promise<void>;
  /** Shows the file before and after and asks beside it, so that it can be read; takes both away again. */
  confirm(plan: ConnectionPlan, question: ChangeQuestion): Promise<boolean>;
}

/**
 * @param agent id of the agent; default: the person picks.
 * @returns what to say afterwards; undefined: the person cancelled.
 * @throws UserError `config`, `fileSystem`.
 */
export async function connectFlow(
  context: ConnectContext,
  agent?: string,
): Promise<string | undefined> {
  const { l10n } = context;
  const known =
    context.agents.find(({ id }) => id === agent) ??
    (await context.pick(agentEntries(context.agents, statuses(context), l10n), {
      title: l10n.t('Connect Agent'),
      placeholder: l10n.t('Agent whose turns to record'),
      empty: l10n.t('There is no agent to connect.'),
    }));
  if (known === undefined) return undefined;
  const place = await pickPlace(context, known);
  if (place === undefined) return undefined;
  const plan = planConnection(place);
  const { name } = known;
  if (plan.changed && !(await context.confirm(plan, connectQuestion(plan, name, l10n)))) {
    return undefined;
  }
  await context.prepare();
  applyConnection(plan);
  return connectedMessage(plan, name, l10n);
}

/** As `connectFlow`, the other way round. */
export async function disconnectFlow(
  context: ConnectContext,
  agent?: string,
): Promise<string | undefined> {
  const { l10n } = context;
  const wanted = statuses(context).filter(({ agent: id }) => agent === undefined || id === agent);
  const nameOf = (id: string): string => context.agents.find((one) => one.id === id)?.name ?? id;
  const status = await context.pick(connectionEntries(wanted, nameOf, l10n), {
    title: l10n.t('Disconnect Agent'),
    placeholder: l10n.t('Connection to take out again'),
    empty: l10n.t('No agent is connected.'),
  });
  if (status === undefined) return undefined;
  const place = places(context, status.agent).find(
    (one) => one.scope === status.scope && connectionStatus(one).file === status.file,
  );
  if (place === undefined) return undefined;
  const plan = planDisconnection(place);
  const name = nameOf(status.agent);
  if (!(await context.confirm(plan, disconnectQuestion(plan, name, l10n)))) return undefined;
  applyConnection(plan);
  return l10n.t('{0} is disconnected. What was recorded stays.', name);
}

/** Every agent in every place it can be connected. */
export function statuses(context: Places): readonly ConnectionStatus[] {
  return context.agents.flatMap(({ id }) => places(context, id).map(connectionStatus));
}

/** The part of the context that says what can be connected. */
export type Places = { readonly [Key in 'agents' | 'roots' | 'base']: ConnectContext[Key] };

function places({ base, roots }: Places, agent: string): readonly ConnectionPlace[] {
  const user = { ...base, agent, scope: 'user' as const, root: '' };
  return [user, ...roots.map(({ root }) => ({ ...base, agent, scope: 'project' as const, root }))];
}

async function pickPlace(
  context: ConnectContext,
  agent: KnownAgent,
): Promise<ConnectionPlace | undefined> {
  const { l10n, roots } = context;
  const all = places(context, agent.id);
  if (all.length === 1) return all[0];
  const choices = all.map((place) => ({
    status: connectionStatus(place),
    folder: roots.find(({ root }) => root === place.root)?.folder,
  }));
  const picked = await context.pick(scopeEntries(choices, l10n), {
    title: l10n.t('Connect {0}', agent.name),
    placeholder: l10n.t('Settings to write the hooks into'),
    empty: l10n.t('There is no place to connect it.'),
  });
  return all[choices.findIndex(({ status }) => status === picked)];
}
