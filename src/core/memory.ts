/**
 * Memory as hosts show it: facts, notes, what waits for approval, and how memory changed. Plain data that survives JSON.
 * Documents, presets and portraits have types of their own. Pure types and limits.
 */
import type { OperationId, SessionId, TurnId } from './ids.ts';

/** Where a note lives. A project's note shadows the global one of the same name, in list, recall and forget alike. */
export const memoryScopes = ['global', 'project'] as const;
export type MemoryScope = (typeof memoryScopes)[number];

/** profile: about the person, everywhere. environment: about the project. */
export const factScopes = ['profile', 'environment'] as const;
export type FactScope = (typeof factScopes)[number];

/** Facts about the person are global, those about the environment are the project's. */
export const factScopeOf = (scope: MemoryScope | undefined): FactScope =>
  scope === 'global' ? 'profile' : 'environment';

export type MemoryKind = 'fact' | 'note' | 'document' | 'preset' | 'portrait';

/** auto: stored at once. ask: staged until a person approves. off: refused. Reading works in all. */
export const agentWriteModes = ['auto', 'ask', 'off'] as const;
export type AgentWrites = (typeof agentWriteModes)[number];

/** Who wrote, and in which turn, as far as that is known. */
export interface MemoryOrigin {
  /** undo: a rewind or its undo, which belongs to no turn. */
  readonly actor: 'agent' | 'person' | 'undo';
  readonly agent?: string;
  readonly session?: SessionId;
  readonly turn?: TurnId;
}

export interface Fact {
  /** `[a-z0-9_]+` */
  readonly key: string;
  /** One line. */
  readonly value: string;
}

/** One file of facts. */
export interface FactSheet {
  readonly scope: FactScope;
  /** In the order of the file; of several with one key the last, at its place. */
  readonly facts: readonly Fact[];
  /** Estimated tokens of all facts. */
  readonly used: number;
  readonly cap: number;
  readonly problems: readonly MemoryProblem[];
}

/** Something in a memory file that is not as it should be; it is left as it is. */
export interface MemoryProblem {
  /** Relative to the memory folder. */
  readonly path: string;
  /** A sentence. */
  readonly text: string;
}

export interface NoteSummary {
  /** What people and agents call it; found by the name of its file as well. */
  readonly name: string;
  readonly scope: MemoryScope;
  /** Relative to the memory folder, `/`-separated. */
  readonly path: string;
  /** First line of the body that says something, without Markdown's marks, cut. */
  readonly hook: string;
  /** Shown in this mode only; null in all. */
  readonly mode: string | null;
  /** Stands first wherever notes are listed, and is left out last. */
  readonly pinned: boolean;
  /** Milliseconds since 1970; of the file where it does not say. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Null: written by hand. */
  readonly origin: MemoryOrigin | null;
  /** Characters of the body. */
  readonly size: number;
  /** A note of this project has the same name and is meant instead. */
  readonly isShadowed: boolean;
}

export interface Note extends NoteSummary {
  readonly body: string;
}

export interface Recalled {
  readonly notes: readonly RecalledNote[];
  /** How many more were found than are given. */
  readonly more: number;
  /** False: no note has all the words, these have some. */
  readonly hasAllWords: boolean;
}

export interface RecalledNote extends Note {
  /** The part of the body around what was looked for, on one line. */
  readonly excerpt: string;
}

/** What a write asks for, whoever asks. */
export type MemoryWrite =
  | {
      readonly act: 'remember';
      readonly scope: MemoryScope;
      readonly name: string;
      readonly body: string;
      /** Missing: as it was, or in all modes. */
      readonly mode?: string | null;
    }
  | { readonly act: 'forget'; readonly scope: MemoryScope; readonly name: string }
  | {
      readonly act: 'setFact';
      readonly scope: FactScope;
      readonly key: string;
      readonly value: string;
    }
  | { readonly act: 'dropFact'; readonly scope: FactScope; readonly key: string };

/** An agent's write that waits for a person. Inert until it is approved. */
export interface PendingWrite {
  readonly id: string;
  readonly at: number;
  readonly origin: MemoryOrigin;
  /** The project it is about; null for global memory. */
  readonly project: string | null;
  readonly write: MemoryWrite;
  /** The text it would replace; null where there is none. */
  readonly before: string | null;
  /** The text that would stand there; null where it would be removed. */
  readonly after: string | null;
  /** What it would replace was changed since it was asked for. */
  readonly isStale: boolean;
}

export type WriteResult =
  | { readonly kind: 'stored'; readonly note: NoteSummary; readonly isNew: boolean }
  | { readonly kind: 'factStored'; readonly sheet: FactSheet; readonly isNew: boolean }
  | { readonly kind: 'removed'; readonly name: string; readonly path: string }
  /** Nothing of that name was there to remove. */
  | { readonly kind: 'absent'; readonly name: string }
  /** It is there just so already. */
  | { readonly kind: 'unchanged'; readonly path: string }
  /** Waits for a person's approval. */
  | { readonly kind: 'staged'; readonly pending: PendingWrite }
  /** A note that says nearly the same is there: update that one, or insist. */
  | { readonly kind: 'duplicate'; readonly of: NoteSummary };

/** One change of one memory file: a touch of a turn, or a person's or an undo's. */
export interface MemoryTouch {
  readonly id: number;
  readonly at: number;
  readonly origin: MemoryOrigin;
  /** The rewind or undo that made it. */
  readonly operation: OperationId | null;
  /** Relative to the memory folder, `/`-separated. */
  readonly path: string;
  /** SHA-256 of the bytes; null where there was or is no file. */
  readonly before: string | null;
  readonly after: string | null;
}

/** What becomes of memory that the turns of a rewind wrote. Default keep: it is offered, never done by itself. */
export const memoryChoices = ['keep', 'take-back'] as const;
export type MemoryChoice = (typeof memoryChoices)[number];

export const memoryLimits = {
  /** Estimated tokens a file of facts may hold. */
  factTokens: { profile: 1_000, environment: 2_000 },
  /** Bytes of a note's body. */
  noteBytes: 32 * 1024,
  /** Bytes of a file that is read as memory at all. */
  fileBytes: 256 * 1024,
  /** Characters of a note's name. */
  nameLength: 400,
  /** Writes that may wait for approval. */
  pending: 200,
  /** Notes that a recall gives. */
  recall: 10,
} as const;
