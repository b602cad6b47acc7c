/** What the welcome view has to say, as one word for the `memcode.state` context key. Pure. */

export type StartState =
  /** This VS Code cannot run us. */
  | 'unsupported'
  /** Nothing is known yet. */
  | 'starting'
  | 'noFolder'
  | 'untrusted'
  | 'notConnected'
  | 'noSession'
  /** The store cannot be opened. */
  | 'failed'
  /** There are turns: the timeline shows them. */
  | 'ready';

export interface StartFacts {
  readonly folders: number;
  readonly trusted: boolean;
  /** Undefined while nobody has looked yet. */
  readonly sessions: number | undefined;
  /** An agent's hook configuration names us. */
  readonly connected: boolean;
  readonly failed: boolean;
}

/** Turns that exist are shown in an untrusted workspace too: looking writes nothing and runs nothing. */
export function startState(facts: StartFacts): StartState {
  if (facts.folders === 0) return 'noFolder';
  if (facts.failed) return 'failed';
  if (facts.sessions === undefined) return 'starting';
  if (facts.sessions > 0) return 'ready';
  if (!facts.trusted) return 'untrusted';
  return facts.connected ? 'noSession' : 'notConnected';
}
