/** What an agent's own transcript tells of a conversation, in our words. Types only; the readers stand in the agents' folders. */
import type { Fields } from './fields.ts';

/** One tool call and what came of it. */
export interface TranscriptTool {
  readonly callId: string | undefined;
  readonly name: string;
  /** JSON text, or the bare text the tool was given. */
  readonly input: string;
  readonly output: string;
  readonly failed: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly duration: number | undefined;
  /** What the agent said before it called. */
  readonly said: string | undefined;
}

/** What a tool did to one file, as far as the transcript tells. */
export interface TranscriptChange {
  /** As the agent names it. */
  readonly path: string;
  readonly change: 'added' | 'modified' | 'deleted';
  readonly added: number | null;
  readonly removed: number | null;
  /** Its text; null where there was no file, missing where the transcript does not tell. */
  readonly before?: string | null;
  readonly after?: string | null;
  /** `after` was made of `before` by doing the edit again, or the agent says that there was no file. */
  readonly isReplayed?: boolean;
  /** A unified diff, where the transcript tells no more than what changed. */
  readonly patch?: string;
}

/** Where a turn goes on from. `record`: a record of the transcript that was not read this time. */
export type TranscriptParent =
  | { readonly kind: 'previous' }
  | { readonly kind: 'none' }
  | { readonly kind: 'turn'; readonly key: string }
  | { readonly kind: 'record'; readonly id: string };

export interface TranscriptTurn {
  /** Unique in the session and the same at each reading. */
  readonly key: string;
  /** The name that hooks know the turn by, where they do. */
  readonly promptId: string | undefined;
  readonly prompt: string;
  readonly parent: TranscriptParent;
  readonly startedAt: number;
  readonly endedAt: number;
  /** The agent is done with it; otherwise more may follow. */
  readonly isComplete: boolean;
  readonly ending: 'stop' | 'interrupt' | 'failed';
  readonly model: string | undefined;
  readonly reply: string | undefined;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  /** Milliseconds, where the agent tells. */
  readonly duration: number | undefined;
  readonly tools: readonly TranscriptTool[];
  readonly changes: readonly TranscriptChange[];
  /** Records that were not understood. */
  readonly kept: readonly KeptRecord[];
  /** Of its first record: a byte of the file. */
  readonly position: number;
  /** Told again by a client that resumed: poorer than what it told first. */
  readonly isReplay: boolean;
}

export interface KeptRecord {
  readonly kind: string;
  readonly record: string;
}

export interface TranscriptHead {
  readonly session?: string;
  /** The agent's working directory. */
  readonly cwd?: string;
  readonly startedAt?: number;
  /** SHA-256 of the working directory, where a client tells no more. */
  readonly cwdHash?: string;
}

/**
 * Reads one transcript, record by record. May begin at the first record of any turn. Never throws for what a record
 * holds; what it does not know it keeps.
 */
export interface TranscriptReader {
  readonly head: TranscriptHead;
  /** @param position of the record's first byte */
  take(record: Fields, position: number): void;
  /** Turns that another one has followed, oldest first; each is given once. */
  finished(): readonly TranscriptTurn[];
  /** The last turn, as far as it is known. */
  last(): TranscriptTurn | undefined;
}

/** How the transcripts of one agent are found and read. */
export interface TranscriptSource {
  readonly agent: string;
  /** `lines`: one JSON value a line. `whole`: the file is one JSON value. */
  readonly form: (file: string) => 'lines' | 'whole';
  /** @param file where facts about it may stand beside it */
  readonly reader: (file?: string) => TranscriptReader;
  /** Whether a file of that name is one of this agent's. @param file with `/` on every platform */
  readonly isTranscript: (file: string) => boolean;
  /** Names, below each folder of `places`, that the transcript of a session may have: for sessions whose hooks named none. */
  readonly nameOf?: (session: string) => string;
  /** Of a file that holds many: its sessions, and a number that grows with each. @throws Error */
  readonly sessionsIn?: (
    file: string,
  ) => readonly { readonly session: string; readonly version: number }[];
  /** All of one of them. @throws Error */
  readonly recordsIn?: (file: string, session: string) => Iterable<Fields>;
  /** Folders below the user's home that hold them, and how deep. */
  readonly places: readonly { readonly folder: string; readonly depth: number }[];
}
