/** The words around connecting an agent. Pure. */
import type { ConnectionPlan, ConnectionStatus, KnownAgent } from '../app/connector.ts';
import type { Localizer } from './localizer.ts';
import type { PickEntry } from './question.ts';

/** Agents to connect; those whose folder is in the user's home come first, as they are the likely ones. */
export function agentEntries(
  agents: readonly KnownAgent[],
  statuses: readonly ConnectionStatus[],
  l10n: Localizer,
): readonly PickEntry<KnownAgent>[] {
  const likely = agents.filter((agent) => agent.installed);
  const others = agents.filter((agent) => !agent.installed);
  return [...likely, ...others].map((agent) => {
    const own = statuses.filter((status) => status.agent === agent.id);
    return {
      kind: 'item',
      label: agent.name,
      description: agent.installed ? '' : l10n.t('not found in your home folder'),
      detail: own.flatMap((status) => statusSentence(status, l10n) ?? []).join(' '),
      value: agent,
    };
  });
}

export interface ScopeChoice {
  readonly status: ConnectionStatus;
  /** Name of the folder of scope `project`. */
  readonly folder: string | undefined;
}

export function scopeEntries(
  choices: readonly ScopeChoice[],
  l10n: Localizer,
): readonly PickEntry<ConnectionStatus>[] {
  return choices.map(({ status, folder }) => ({
    kind: 'item',
    label:
      folder === undefined ? l10n.t('User settings') : l10n.t('Project settings of {0}', folder),
    description:
      folder === undefined
        ? l10n.t('recommended: records in every folder')
        : l10n.t('shared with everybody who uses the project'),
    detail: [status.file, statusSentence(status, l10n)].filter(Boolean).join(' · '),
    value: status,
  }));
}

/** What can be disconnected. */
export function connectionEntries(
  statuses: readonly ConnectionStatus[],
  nameOf: (agent: string) => string,
  l10n: Localizer,
): readonly PickEntry<ConnectionStatus>[] {
  return statuses
    .filter((status) => status.state !== 'notConnected')
    .map((status) => ({
      kind: 'item',
      label: nameOf(status.agent),
      description: status.scope === 'user' ? l10n.t('user settings') : l10n.t('project settings'),
      detail: status.file,
      value: status,
    }));
}

/** What is asked beside the change to a settings file. */
export interface ChangeQuestion {
  /** Which two states of the file the editor shows; stands behind its name. */
  readonly states: string;
  readonly message: string;
  /** Of the answer that makes the change. */
  readonly label: string;
}

export function connectQuestion(
  plan: ConnectionPlan,
  name: string,
  l10n: Localizer,
): ChangeQuestion {
  return {
    states: l10n.t('now ↔ connected'),
    message: [
      l10n.t('Connect {0}? This adds hooks to {1} and leaves the rest as it is.', name, plan.file),
      ...plan.notes,
    ].join(' '),
    label: l10n.t('Connect'),
  };
}

export function disconnectQuestion(
  plan: ConnectionPlan,
  name: string,
  l10n: Localizer,
): ChangeQuestion {
  return {
    states: l10n.t('now ↔ disconnected'),
    message:
      plan.after === null
        ? l10n.t('Disconnect {0}? This removes {1}, which holds nothing else.', name, plan.file)
        : l10n.t('Disconnect {0}? This takes our hooks out of {1} again.', name, plan.file),
    label: l10n.t('Disconnect'),
  };
}

/** One message after connecting: what happens now, and what the agent still wants. */
export function connectedMessage(plan: ConnectionPlan, name: string, l10n: Localizer): string {
  const head = plan.changed
    ? l10n.t('{0} is connected: sessions that start from now on are recorded.', name)
    : l10n.t('{0} was connected already; nothing was changed.', name);
  return [head, ...plan.notes].join(' ');
}

function statusSentence(status: ConnectionStatus, l10n: Localizer): string | undefined {
  if (status.problem !== null) return status.problem;
  const user = status.scope === 'user';
  switch (status.state) {
    case 'connected':
      return user
        ? l10n.t('Connected in user settings.')
        : l10n.t('Connected in project settings.');
    case 'outdated':
      return l10n.t('Connected in an older form: connect it again.');
    case 'notConnected':
      return undefined;
  }
}
