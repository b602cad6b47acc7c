/** What a hook prints so that the agent's model reads a text with the prompt (agents/README, "Giving context back"). */

/** One JSON object for stdout at the start of a turn, or undefined for an agent that takes none there. */
export function contextOutput(agent: string, text: string): string | undefined {
  switch (agent) {
    case 'claude':
    case 'codex':
      return nested('UserPromptSubmit', text);
    case 'gemini':
      return nested('BeforeAgent', text);
    case 'copilot':
      return JSON.stringify({ additionalContext: text });
    default:
      return undefined;
  }
}

function nested(hookEventName: string, additionalContext: string): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext } });
}
