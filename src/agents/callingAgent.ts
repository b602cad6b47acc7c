/** Which agent runs a process of ours: by what agents put into the environment, or how an MCP client names itself. Hints only. */
import { knownAgents } from '../core/agentName.ts';

export interface CallingAgent {
  readonly agent: string;
  readonly session?: string;
}

/** Undefined: no agent's mark is there, so that a person is likely to have typed it. */
export function agentOfEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): CallingAgent | undefined {
  for (const { agent, marks, session } of hints) {
    if (!marks.some((mark) => (environment[mark] ?? '') !== '')) continue;
    const id = session === undefined ? undefined : environment[session];
    return { agent, ...(id !== undefined && id !== '' && { session: id }) };
  }
  return undefined;
}

/** `claude-code` is `claude`; a client nobody knows is called as it calls itself. */
export function agentOfClient(name: string): string {
  const folded = name.toLowerCase();
  return knownAgents.find((agent) => folded.includes(agent)) ?? folded;
}

interface Hint {
  readonly agent: string;
  readonly marks: readonly string[];
  /** Which variable holds the session's id. */
  readonly session?: string;
}

const hints: readonly Hint[] = [
  { agent: 'claude', marks: ['CLAUDECODE'], session: 'CLAUDE_CODE_SESSION_ID' },
  { agent: 'gemini', marks: ['GEMINI_SESSION_ID', 'GEMINI_CLI'], session: 'GEMINI_SESSION_ID' },
  { agent: 'copilot', marks: ['COPILOT_CLI'] },
  { agent: 'opencode', marks: ['OPENCODE'] },
  { agent: 'codex', marks: ['CODEX_MANAGED_BY_NPM', 'CODEX_MANAGED_BY_BUN', 'CODEX_SANDBOX'] },
  { agent: 'cline', marks: ['CLINE_BUILD_ENV'] },
];
