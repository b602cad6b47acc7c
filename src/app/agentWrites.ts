/** What a person has set about agents' writes to memory, for every host: `<home>/memory/settings.json`. */
import { type AgentWrites, agentWriteModes } from '../core/memory.ts';
import { memorySettings } from '../memory/memoryPlaces.ts';
import { readOwnSettings, writeOwnSettings } from './ownSettings.ts';

/** Without a setting that can be understood a person is asked. */
export function readAgentWrites(folder: string): AgentWrites {
  const { agentWrites } = readOwnSettings(memorySettings(folder));
  return agentWriteModes.find((mode) => mode === agentWrites) ?? 'ask';
}

/** Written only when it differs. @throws the system error. */
export function writeAgentWrites(folder: string, agentWrites: AgentWrites): void {
  writeOwnSettings(memorySettings(folder), `${JSON.stringify({ agentWrites })}\n`);
}
