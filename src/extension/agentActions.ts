/** Connecting agents: their hook configuration, shown as a diff before it is written. */
import type { TimelineHub } from './timelineHub.ts';

export interface AgentContext {
  readonly hub: TimelineHub;
  readonly show: () => void;
}

export class AgentActions {
  readonly connected = false;
  readonly #context: AgentContext;

  constructor(context: AgentContext) {
    this.#context = context;
  }

  async connect(agent: unknown): Promise<void> {
    throw new Error(`not wired ${agent} ${this.#context}`);
  }

  async disconnect(agent: unknown): Promise<void> {
    throw new Error(`not wired ${agent} ${this.#context}`);
  }
}
