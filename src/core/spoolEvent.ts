/** What a hook leaves for the database: one small JSON file an event. Written by the recorder, read by the ingest. */
import type { ToolClass } from './agentEvent.ts';
import type { TurnEnd } from './timeline.ts';

interface SpoolBase {
  readonly v: 1;
  /** Unique; an event taken in twice counts once. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly session: string;
  readonly agent: string;
  readonly root: string;
}

export interface Unprotected {
  readonly path: string;
  readonly reason: string;
}

export type SpoolEvent = SpoolBase &
  (
    | { readonly kind: 'session'; readonly transcript?: string }
    | {
        readonly kind: 'turn';
        readonly turn: string;
        readonly seq: number;
        readonly number: number;
        readonly prompt: string;
        readonly promptId?: string;
        readonly model?: string;
        /** Commit and branch checked out when the turn began, where the root is a git work tree. */
        readonly head?: { readonly commit: string; readonly branch: string | null };
      }
    | {
        readonly kind: 'tool';
        readonly turn: string;
        readonly tool: string;
        readonly toolClass: ToolClass;
        readonly callId?: string;
        readonly summary?: string;
        /** Keys whose pre-image is saved. */
        readonly saved: readonly string[];
        readonly unprotected: readonly Unprotected[];
        /** A shell command that plainly changes no file. */
        readonly readOnly?: true;
        /** A shell command whose effects are about to be captured: `captured` says how it went. */
        readonly isCapturing?: true;
      }
    | { readonly kind: 'after'; readonly turn: string }
    | {
        /** What became of capturing the effects of shell commands of a turn. */
        readonly kind: 'captured';
        readonly turn: string;
        /** One call, where agents name calls; otherwise the oldest that is open. */
        readonly callId?: string;
        /** Every call of the turn that is open: it has ended. */
        readonly isAll?: true;
        /** No call: about what commands in the background did. */
        readonly isNone?: true;
        /** A sentence why they could not be captured. */
        readonly failure?: string;
        readonly unprotected: readonly Unprotected[];
      }
    | {
        readonly kind: 'end';
        readonly turn: string;
        readonly end: TurnEnd;
        readonly reply?: string;
      }
    | { readonly kind: 'sessionEnd' }
  );

/** Distributes over the union, so that each kind keeps its own members. */
export type SpoolBody = SpoolEvent extends infer E
  ? E extends SpoolEvent
    ? Omit<E, keyof SpoolBase>
    : never
  : never;
