/** What a hook prints so that the agent's model reads a text (agents/README, "Giving context back"). Pure, part of the hook. */

/** Events whose hooks may give a text. */
export type ContextEvent = 'sessionStart' | 'prompt';

/** One JSON object for stdout, or undefined for an agent that takes none at this event. */
export function contextOutput(
  agent: string,
  event: ContextEvent,
  text: string,
): string | undefined {
  const isStart = event === 'sessionStart';
  switch (agent) {
    case 'claude':
    case 'codex':
    case 'vscode':
      return nested(isStart ? 'SessionStart' : 'UserPromptSubmit', text);
    case 'gemini':
      // What a start gives stands in front of the prompt, and a resumed session drops every message that begins so.
      return isStart ? undefined : nested('BeforeAgent', text);
    case 'opencode':
      // Our plugin reads it.
      return isStart ? undefined : JSON.stringify({ additionalContext: text });
    case 'copilot':
      return JSON.stringify({ additionalContext: text });
    case 'cursor':
      return isStart ? JSON.stringify({ additional_context: text }) : undefined;
    default:
      return undefined;
  }
}

function nested(hookEventName: string, additionalContext: string): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext } });
}
