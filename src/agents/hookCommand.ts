/**
 * The command that stands in agents' hook files. It must never change between our versions, must succeed when we are gone
 * (some agents block the tool otherwise), and is how we know our own entries again. Pure.
 */
import type { ConnectableAgent } from './hookConfig.ts';

/** One command for each shell that clients use. */
export interface HookCommand {
  readonly platform: NodeJS.Platform;
  readonly sh: string;
  readonly powershell: string;
  readonly cmd: string;
}

/**
 * @param launcher absolute path of the launcher.
 * @param home the user's home: given when the file is shared with others (project scope), so that it names nobody's home.
 */
export function hookCommand(
  agent: ConnectableAgent,
  launcher: string,
  platform: NodeJS.Platform,
  home?: string,
): HookCommand {
  const rest = home !== undefined && home !== '' ? below(home, launcher) : undefined;
  const sh = rest === undefined ? forSh(launcher) : `$HOME${forSh(rest)}`;
  const powershell = rest === undefined ? forPowerShell(launcher) : `$HOME${forPowerShell(rest)}`;
  const cmd = rest === undefined ? launcher : `%USERPROFILE%${rest}`;
  return {
    platform,
    sh: `"${sh}" hook ${agent} || true`,
    powershell: `& "${powershell}" hook ${agent}; exit 0`,
    cmd: `${/[\s&()^;,=]/.test(cmd) ? `"${cmd}"` : cmd} hook ${agent} & exit /b 0`,
  };
}

/** Whether a command of a hook file is ours, of whatever version and platform. */
export function isOurCommand(command: unknown): boolean {
  return typeof command === 'string' && /memcode-timeline(?:\.cmd)?["']?\s+hook\s/.test(command);
}

function below(home: string, file: string): string | undefined {
  const folder = home.replace(/[\\/]+$/, '');
  const rest = file.slice(folder.length);
  return file.startsWith(folder) && /^[\\/]/.test(rest) ? rest : undefined;
}

function forSh(text: string): string {
  return text.replace(/[\\"$`]/g, '\\$&');
}

function forPowerShell(text: string): string {
  return text.replace(/["$`]/g, '`$&');
}
