/** What the configuration files of agents that can be connected have in common: where they are and what we write. Types. */
import type { HookCommand } from './hookCommand.ts';

export type ConnectableAgent = 'claude' | 'codex' | 'gemini' | 'opencode';
export type Scope = 'user' | 'project';

/** The hooks of one event that one matcher selects, as it stands in the file. */
export interface HookGroup {
  readonly matcher?: string;
  readonly hooks: readonly [Readonly<Record<string, unknown>>];
}

interface HookPlace {
  readonly agent: ConnectableAgent;
  /** For people. */
  readonly name: string;
  /** The agent's folder, below the user's home or the project. */
  readonly folder: string;
  /** Below the project, where it is called otherwise there. */
  readonly projectFolder?: string;
  /** The environment variable that moves the folder of the user scope. */
  readonly folderVariable?: string;
  /** The file in that folder. */
  readonly file: string;
  /** Sentences for the person who connects. `settings` is the file's content afterwards. */
  readonly notes: (scope: Scope, settings: unknown) => readonly string[];
}

/** A file that others write into as well. */
interface SharedFile extends HookPlace {
  /** Event -> group. Byte-stable: some agents trust a hook by its hash. */
  readonly groups: (command: HookCommand) => Readonly<Record<string, HookGroup>>;
}

/** A file of our own beside others'. */
interface OwnFile extends HookPlace {
  readonly whole: {
    readonly text: (command: HookCommand) => string;
    readonly isOurs: (text: string) => boolean;
  };
}

export type HookConfig = SharedFile | OwnFile;
