/** What the three fully supported agents' hook files have in common: where they are and what we write into them. Types. */
import type { HookCommand } from './hookCommand.ts';

export type ConnectableAgent = 'claude' | 'codex' | 'gemini';
export type Scope = 'user' | 'project';

/** The hooks of one event that one matcher selects, as it stands in the file. */
export interface HookGroup {
  readonly matcher?: string;
  readonly hooks: readonly [Readonly<Record<string, unknown>>];
}

export interface HookConfig {
  readonly agent: ConnectableAgent;
  /** For people. */
  readonly name: string;
  /** The agent's folder, below the user's home or the project. */
  readonly folder: string;
  /** The environment variable that moves the folder of the user scope. */
  readonly folderVariable?: string;
  /** The file in that folder. */
  readonly file: string;
  /** Event -> group. Byte-stable: some agents trust a hook by its hash. */
  readonly groups: (command: HookCommand) => Readonly<Record<string, HookGroup>>;
  /** Sentences for the person who connects. `settings` is the file's content afterwards. */
  readonly notes: (scope: Scope, settings: unknown) => readonly string[];
}
