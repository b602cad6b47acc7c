/** What people call the agents whose short names we store. Pure. */

const names: ReadonlyMap<string, string> = new Map([
  ['claude', 'Claude Code'],
  ['codex', 'Codex'],
  ['gemini', 'Gemini CLI'],
  ['copilot', 'Copilot CLI'],
  ['opencode', 'opencode'],
  ['cline', 'Cline'],
  ['cursor', 'Cursor'],
  ['memcode', 'memcode'],
  ['vscode', 'VS Code'],
]);

/** Short names that we store. */
export const knownAgents: readonly string[] = [...names.keys()];

/** The name for people; an agent we do not know is called what it calls itself. Undefined: it told no name. */
export function agentName(agent: string): string | undefined {
  if (agent === '' || agent === 'unknown') return undefined;
  return names.get(agent) ?? agent;
}
