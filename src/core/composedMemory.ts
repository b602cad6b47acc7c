/** What agents are given of memory at the start of a session, and where each piece comes from. Pure types. */
import type { MemoryKind } from './memory.ts';

export interface ComposedMemory {
  /** Exactly what the agent reads; empty when there is nothing to tell. */
  readonly text: string;
  /** UTF-16 code units, which agents' limits count. */
  readonly characters: number;
  /** Estimated. */
  readonly tokens: number;
  /** Bytes it may have. */
  readonly budget: number;
  /** In the order of the text, what was left out altogether included. */
  readonly sources: readonly ComposedSource[];
}

export interface ComposedSource {
  readonly kind: MemoryKind;
  /** The file's label, the name of the preset, `profile`, … */
  readonly label: string;
  /** Absolute; null where there is no one file. */
  readonly file: string | null;
  /** Bytes of it that are given, and of how many. */
  readonly given: number;
  readonly size: number;
}
