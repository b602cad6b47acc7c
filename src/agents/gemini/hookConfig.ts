/** Gemini CLI's settings file. Its timeouts are milliseconds, and a hook that fails may block the tool. */
import type { HookCommand } from '../hookCommand.ts';
import type { HookConfig, HookGroup } from '../hookConfig.ts';

const matcher = '^(write_file|replace|edit|save_memory|run_shell_command|mcp_.*|.*__.*)$';
const milliseconds = 10_000;

export const geminiHookConfig: HookConfig = {
  agent: 'gemini',
  name: 'Gemini CLI',
  folder: '.gemini',
  file: 'settings.json',
  groups: (command) => {
    const always = group(command);
    const tools = { matcher, ...always };
    return {
      SessionStart: always,
      BeforeAgent: always,
      BeforeTool: tools,
      AfterTool: tools,
      AfterAgent: always,
      SessionEnd: always,
    };
  },
  notes: (scope, settings) => [
    'Gemini CLI works, and runs hooks, only in folders that you trust.',
    ...(scope === 'project' ? ['It warns once about hooks that a project brings.'] : []),
    ...(isSwitchedOff(settings)
      ? ['Hooks are switched off in this file: `hooksConfig.enabled` is false.']
      : []),
  ],
};

function group(command: HookCommand): HookGroup {
  const text = command.platform === 'win32' ? command.powershell : command.sh;
  const handler = { name: 'memcode-timeline', type: 'command', command: text };
  return { hooks: [{ ...handler, timeout: milliseconds }] };
}

function isSwitchedOff(settings: unknown): boolean {
  const config =
    typeof settings === 'object' && settings !== null && 'hooksConfig' in settings
      ? settings.hooksConfig
      : undefined;
  return (
    typeof config === 'object' && config !== null && 'enabled' in config && config.enabled === false
  );
}
