/** Connecting and disconnecting agents, with VS Code's pickers, diff editor and dialogs. */
import os from 'node:os';
import * as vscode from 'vscode';
import type { ConnectContext, Places } from './connectFlow.ts';
import { tellQuietly } from './dialogs.ts';
import type { Edge } from './edge.ts';
import type { EditorOffers } from './editorOffers.ts';
import type { Installation } from './installation.ts';
import { needTrust } from './needTrust.ts';
import { pickEntry } from './pickEntry.ts';
import { SettingsDiff } from './settingsDiff.ts';
import { localFolders, type TimelineHub } from './timelineHub.ts';

export interface AgentContext {
  readonly hub: TimelineHub;
  readonly edge: Edge;
  readonly show: () => void;
  readonly installation: Installation;
  readonly offers: EditorOffers;
}

export class AgentActions implements vscode.Disposable {
  readonly #context: AgentContext;
  readonly #diff: SettingsDiff;
  #connected = false;

  constructor(context: AgentContext) {
    this.#context = context;
    this.#diff = new SettingsDiff(context.offers);
  }

  /** Some agent was connected when we last looked. */
  get connected(): boolean {
    return this.#connected;
  }

  /** Looks at the settings of all agents again. */
  async look(): Promise<void> {
    const { statuses } = await import('./connectFlow.ts');
    const found = statuses(await this.#places());
    this.#connected = found.some(({ state }) => state !== 'notConnected');
  }

  /** @param agent an id, from a link or a keybinding; anything else: the person picks. */
  async connect(agent: unknown): Promise<void> {
    needTrust();
    const { connectFlow } = await import('./connectFlow.ts');
    await this.#run((context) => connectFlow(context, textOf(agent)));
  }

  async disconnect(agent: unknown): Promise<void> {
    needTrust();
    const { disconnectFlow } = await import('./connectFlow.ts');
    await this.#run((context) => disconnectFlow(context, textOf(agent)));
  }

  dispose(): void {
    this.#diff.dispose();
  }

  /** One message afterwards; nobody waits for it. */
  async #run(flow: (context: ConnectContext) => Promise<string | undefined>): Promise<void> {
    const { edge, show, installation } = this.#context;
    const said = await flow({
      ...(await this.#places()),
      l10n: vscode.l10n,
      pick: pickEntry,
      prepare: () => installation.writeLauncher(),
      confirm: (plan, question) => this.#diff.confirm(plan, question),
    });
    await this.look();
    show();
    if (said !== undefined) edge.start('After connecting', () => tellQuietly(said, []));
  }

  async #places(): Promise<Places> {
    const { knownAgents } = await import('../app/connector.ts');
    const { hub, installation } = this.#context;
    const { launcher, timelineHome } = installation;
    if (localFolders().length > 0) await hub.opened();
    const home = os.homedir();
    return {
      agents: knownAgents(home, process.env),
      roots: hub.roots(),
      base: { home, launcher, timelineHome, platform: process.platform, env: process.env },
    };
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
