/** The agents whose hooks we can write, in the order people see them. */
import { claudeHookConfig } from './claude/hookConfig.ts';
import { codexHookConfig } from './codex/hookConfig.ts';
import { geminiHookConfig } from './gemini/hookConfig.ts';
import type { ConnectableAgent, HookConfig } from './hookConfig.ts';
import { opencodeHookConfig } from './opencode/hookConfig.ts';

export const hookConfigs: readonly HookConfig[] = [
  claudeHookConfig,
  codexHookConfig,
  geminiHookConfig,
  opencodeHookConfig,
];

export function hookConfigOf(agent: string): HookConfig | undefined {
  return hookConfigs.find((config) => config.agent === agent);
}

export function isConnectable(agent: string): agent is ConnectableAgent {
  return hookConfigOf(agent) !== undefined;
}
