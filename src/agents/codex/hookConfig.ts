/** Codex's `hooks.json`. It trusts each hook by a hash of its text: a changed byte asks the user again. */
import type { HookCommand } from '../hookCommand.ts';
import type { HookConfig, HookGroup } from '../hookConfig.ts';

const matcher = '^(Bash|apply_patch|mcp__.*)$';
const seconds = 10;
/** What Codex cuts these two events to; a longer value would only be a lie. */
const secondsAtEnd = 3;

export const codexHookConfig: HookConfig = {
  agent: 'codex',
  name: 'Codex',
  folder: '.codex',
  folderVariable: 'CODEX_HOME',
  file: 'hooks.json',
  groups: (command) => {
    const always = group(command, seconds);
    const tools = { matcher, ...always };
    const end = group(command, secondsAtEnd);
    return {
      SessionStart: always,
      UserPromptSubmit: always,
      PreToolUse: tools,
      PostToolUse: tools,
      Stop: always,
      Interrupt: end,
      SessionEnd: end,
    };
  },
  notes: (scope) => [
    'Codex runs a hook only after you have trusted it: start codex, enter /hooks and trust the entries of Memcode Timeline once. Until then it skips them silently.',
    ...(scope === 'project'
      ? [
          'Codex reads the hooks of a project only when it is a git repository that you have trusted.',
        ]
      : []),
  ],
};

function group(command: HookCommand, timeout: number): HookGroup {
  const windows = command.platform === 'win32' ? { commandWindows: command.cmd } : {};
  return { hooks: [{ type: 'command', command: command.sh, ...windows, timeout }] };
}
