/** Claude Code's settings file, which VS Code's own agent, Cursor and Copilot read as well. */
import type { HookCommand } from '../hookCommand.ts';
import type { HookConfig, HookGroup } from '../hookConfig.ts';

/** A regular expression as soon as it has one special character, and then not anchored: hence `^` and `$`. */
const matcher = '^(Edit|MultiEdit|Write|NotebookEdit|Bash|PowerShell|Monitor|mcp__.*)$';
const seconds = 10;

export const claudeHookConfig: HookConfig = {
  agent: 'claude',
  name: 'Claude Code',
  folder: '.claude',
  folderVariable: 'CLAUDE_CONFIG_DIR',
  file: 'settings.json',
  groups: (command) => {
    const always = group(command);
    const tools = { matcher, ...always };
    return {
      SessionStart: always,
      UserPromptSubmit: always,
      PreToolUse: tools,
      PostToolUse: tools,
      PostToolUseFailure: tools,
      Stop: always,
      StopFailure: always,
      SessionEnd: always,
    };
  },
  notes: (_scope, settings) => [
    "VS Code's own agent and Cursor read this file too; what they do is then recorded as well.",
    ...(isSwitchedOff(settings)
      ? ['Hooks are switched off in this file: `disableAllHooks` is true.']
      : []),
  ],
};

function group(command: HookCommand): HookGroup {
  const onWindows = command.platform === 'win32';
  const handler = onWindows
    ? { type: 'command', shell: 'powershell', command: command.powershell, timeout: seconds }
    : { type: 'command', command: command.sh, timeout: seconds };
  return { hooks: [handler] };
}

function isSwitchedOff(settings: unknown): boolean {
  return (
    typeof settings === 'object' &&
    settings !== null &&
    'disableAllHooks' in settings &&
    settings.disableAllHooks === true
  );
}
