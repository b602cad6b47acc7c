/**
 * What hosts do with that part of memory which people write for agents, and with what agents are given of all of it:
 * documents, presets, portraits. A folder that is null stands for none. Everything throws `UserError` for what a person may be told.
 */
import type { ComposedMemory } from '../core/composedMemory.ts';
import type { MemoryProblem } from '../core/memory.ts';
import type { MemoryMode, PresetSet } from '../core/presets.ts';
import type { LoadedDocument, SkippedDocument } from '../memory/documents.ts';
import type { TargetScope } from '../memory/documentTargets.ts';
import type { ImportProblem } from '../memory/imports.ts';
import type { PresetEdit } from '../memory/presetEdits.ts';
import type { MemoryContextSettings } from './memorySettings.ts';

/** What an agent that starts in a folder is given. */
export interface ShownMemory {
  /** Null: all agents, without what each leaves out. */
  readonly agent: string | null;
  readonly composed: ComposedMemory;
  /** Documents that this agent reads by itself. */
  readonly ownDocuments: readonly LoadedDocument[];
  readonly documents: ShownDocuments;
  readonly problems: readonly MemoryProblem[];
  /** False: agents are given nothing, by the settings. */
  readonly isGiven: boolean;
}

export interface ShownDocuments {
  readonly documents: readonly LoadedDocument[];
  readonly skipped: readonly SkippedDocument[];
  readonly importProblems: readonly ImportProblem[];
  /** False: nothing of the folder was read. */
  readonly isTrusted: boolean;
}

export interface ShownPresets {
  readonly mode: MemoryMode;
  readonly set: PresetSet;
  /** Why they are not those of the file. */
  readonly problem?: MemoryProblem;
}

export interface NamedDocument {
  /** Absolute. */
  readonly file: string;
  /** For people: relative to the folder or `~`. */
  readonly label: string;
}

export interface NotedDocument extends NamedDocument {
  /** As it stands there now. */
  readonly line: string;
  readonly isNew: boolean;
}

export interface MemoryContextUse {
  show(folder: string | null, agent?: string): ShownMemory;
  documents(folder: string | null): ShownDocuments;

  /** Adds one bullet to a document of the person's own, or the shared one. @throws `usage` for an empty note, `secret`, `refused` */
  addNote(folder: string | null, scope: TargetScope, note: string): Promise<NotedDocument>;
  /** The document of a scope that is written to: it need not be there. @throws `refused` in an untrusted folder, `notFound`, `fileSystem` */
  document(folder: string | null, scope: TargetScope): NamedDocument;
  /** The text of a document as an editor shows it; undefined when there is none. @throws `outsideRoot`, `fileSystem` */
  raw(folder: string | null, file: string): string | undefined;
  /** @param seen what `raw` gave @throws `conflicts` when it was changed since: nothing is written then; `outsideRoot` */
  save(folder: string | null, file: string, seen: string | undefined, text: string): Promise<void>;

  /** Lets documents import a file outside, as it is now. @returns its real path */
  approveImport(folder: string | null, file: string): Promise<string>;
  /** @throws `notFound` */
  withdrawImport(folder: string | null, file: string): Promise<void>;

  presets(mode?: MemoryMode): ShownPresets;
  editPresets(edit: PresetEdit, mode?: MemoryMode): Promise<ShownPresets>;
  /** Absolute path of the portrait that is edited for the mode in use; it need not be there. */
  portraitFile(): string;

  /** What a person said of the folder; undefined: nothing, and then it counts as trusted. */
  trust(folder: string): boolean | undefined;
  setTrust(folder: string, isTrusted: boolean): void;

  settings(): MemoryContextSettings;
  /** What cannot be understood is as if it had not been set. */
  setSettings(change: Readonly<Record<string, unknown>>): MemoryContextSettings;
}
