/** Hook payloads as three agents send them: the recorded samples with the facts of the test put in. */
import fs from 'node:fs';
import path from 'node:path';

export type AgentName = 'claude' | 'codex' | 'gemini';
export type Payload = Readonly<Record<string, unknown>>;

export interface CallFacts {
  readonly session: string;
  readonly cwd: string;
  /** Of the turn. */
  readonly promptId: string;
  readonly callId: string;
}

export interface AgentShape {
  readonly start: Payload;
  readonly prompt: (text: string) => Payload;
  /** @param named as the agent names the file: absolute, or for Codex relative to its folder. */
  readonly write: (when: 'before' | 'after', named: string) => Payload;
  readonly shell: (when: 'before' | 'after', command: string) => Payload;
  readonly stop: Payload;
  readonly end: Payload;
}

const samples = path.join(import.meta.dirname, '..', 'fixtures', 'payloads');

export function sample(agent: AgentName, name: string): Payload {
  return JSON.parse(fs.readFileSync(path.join(samples, agent, `${name}.json`), 'utf8'));
}

/** The payload with this test's session, folder and ids, in the agent's own spelling. */
export function withFacts(agent: AgentName, payload: Payload, facts: CallFacts): Payload {
  const { session, cwd, promptId, callId } = facts;
  return {
    ...payload,
    session_id: session,
    cwd,
    ...('prompt_id' in payload && { prompt_id: promptId }),
    ...('turn_id' in payload && { turn_id: promptId }),
    ...('tool_use_id' in payload && { tool_use_id: callId }),
    transcript_path: `/home/user/.${agent}/${agent === 'claude' ? 'projects/' : ''}x/${session}.jsonl`,
  };
}

export const agentShapes: Readonly<Record<AgentName, AgentShape>> = {
  claude: {
    start: sample('claude', 'SessionStart'),
    prompt: (prompt) => ({ ...sample('claude', 'UserPromptSubmit'), prompt }),
    write: (when, named) => ({
      ...sample('claude', when === 'before' ? 'PreToolUse.Write' : 'PostToolUse.Write'),
      tool_input: { file_path: named, content: '' },
    }),
    shell: (when, command) => ({
      ...sample('claude', when === 'before' ? 'PreToolUse.Bash' : 'PostToolUse.Bash'),
      tool_input: { command },
    }),
    stop: sample('claude', 'Stop'),
    end: sample('claude', 'SessionEnd'),
  },
  codex: {
    start: sample('codex', 'SessionStart'),
    prompt: (prompt) => ({ ...sample('codex', 'UserPromptSubmit'), prompt }),
    write: (when, named) => ({
      ...sample('codex', when === 'before' ? 'PreToolUse.apply_patch' : 'PostToolUse.apply_patch'),
      tool_input: {
        command: `*** Begin Patch\n*** Update File: ${named}\n@@\n-x\n+y\n*** End Patch\n`,
      },
    }),
    shell: (when, command) => ({
      ...sample('codex', when === 'before' ? 'PreToolUse.Bash' : 'PostToolUse.Bash'),
      tool_input: { command },
    }),
    stop: sample('codex', 'Stop'),
    end: sample('codex', 'SessionEnd'),
  },
  gemini: {
    start: sample('gemini', 'SessionStart'),
    prompt: (prompt) => ({ ...sample('gemini', 'BeforeAgent'), prompt }),
    write: (when, named) => ({
      ...sample('gemini', when === 'before' ? 'BeforeTool.write_file' : 'AfterTool.write_file'),
      tool_input: { file_path: named, content: '' },
    }),
    shell: (when, command) => ({
      ...sample(
        'gemini',
        when === 'before' ? 'BeforeTool.run_shell_command' : 'AfterTool.run_shell_command',
      ),
      tool_input: { command },
    }),
    stop: sample('gemini', 'AfterAgent'),
    end: sample('gemini', 'SessionEnd'),
  },
};
