/** What a person has set about giving memory to agents, kept to by hooks: `<home>/memory/context.json`. */
import path from 'node:path';
import { memoryFolder } from '../base/home.ts';
import { isMemoryMode, type MemoryMode } from '../core/presets.ts';
import { defaultShares, type Shares } from '../memory/compose.ts';
import { defaultNames } from '../memory/documentPlaces.ts';
import { fieldsOf, readOwnSettings, writeOwnSettings } from './ownSettings.ts';

export interface MemoryContextSettings {
  /** Agents are given memory at all. */
  readonly isGiven: boolean;
  /** Estimated tokens of what they are given at the start; agents that take less get less. */
  readonly budget: number;
  readonly shares: Shares;
  /** Names of documents, in the order in which they are given. */
  readonly documentNames: readonly string[];
  /** False: only the person's own documents, not those of folders. */
  readonly hasFolderDocuments: boolean;
  readonly mode: MemoryMode;
  /** A prompt of one line that begins with `#` is kept as a note. */
  readonly keepsPromptNotes: boolean;
}

export const defaultMemorySettings: MemoryContextSettings = {
  isGiven: true,
  budget: 8_000,
  shares: defaultShares,
  documentNames: defaultNames,
  hasFolderDocuments: true,
  mode: 'dev',
  keepsPromptNotes: false,
};

export const memoryContextFile = (home: string): string =>
  path.join(memoryFolder(home), 'context.json');

/** Whatever cannot be understood is as if it had not been set. */
export function readMemorySettings(home: string): MemoryContextSettings {
  return memorySettingsFrom(readOwnSettings(memoryContextFile(home)));
}

/** From values that people may have written by hand. */
export function memorySettingsFrom(
  fields: Readonly<Record<string, unknown>>,
): MemoryContextSettings {
  const { isGiven, budget, shares, documentNames, hasFolderDocuments, mode } = fields;
  const { keepsPromptNotes } = fields;
  const names = Array.isArray(documentNames) ? documentNames.filter(isFileName) : [];
  return {
    isGiven: isGiven !== false,
    budget: typeof budget === 'number' && budget >= 100 ? budget : defaultMemorySettings.budget,
    shares: sharesFrom(shares),
    documentNames: names.length > 0 ? names : defaultNames,
    hasFolderDocuments: hasFolderDocuments !== false,
    mode: isMemoryMode(mode) ? mode : defaultMemorySettings.mode,
    keepsPromptNotes: keepsPromptNotes === true,
  };
}

/** Written only when it differs. @throws the system error. */
export function writeMemorySettings(home: string, settings: MemoryContextSettings): void {
  writeOwnSettings(memoryContextFile(home), `${JSON.stringify(settings, null, 2)}\n`);
}

function sharesFrom(value: unknown): Shares {
  const given = fieldsOf(value);
  const share = (group: keyof Shares): number => {
    const own = given[group];
    return typeof own === 'number' && own >= 0 && own <= 100 ? own : defaultShares[group];
  };
  return {
    portrait: share('portrait'),
    facts: share('facts'),
    notes: share('notes'),
    documents: share('documents'),
  };
}

/** One name without a folder: documents are looked for in folders of our choosing. */
function isFileName(name: unknown): name is string {
  return typeof name === 'string' && /^[^/\\\p{Cc}]{1,100}$/u.test(name) && !/^\.+$/.test(name);
}
