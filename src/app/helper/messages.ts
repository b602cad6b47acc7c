/**
 * What a client and the helper say to each other: one JSON text a line, over a local socket. The client speaks first
 * (`Hello`), then sends requests, each answered once, in any order. A client that goes away cancels what it asked for.
 */

/** Counts up when an older helper would misunderstand a newer client, or the other way round. */
export const protocol = 1;

export interface Hello {
  readonly hello: string;
  readonly protocol: number;
  /** Of the product: `1.2.3`. A helper of an older one goes when it is told so. */
  readonly version: string;
}

/** The answer to `Hello`. `leaving`: it makes way for a newer one; start that once the connection has ended. */
export interface Welcome {
  readonly welcome: 'ready' | 'leaving';
  readonly version: string;
}

export interface Request {
  readonly id: number;
  readonly op: string;
  readonly args: readonly unknown[];
}

export interface Cancel {
  readonly cancel: number;
}

export type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: PlainError };

/** How far a request is; any number of times before its reply. */
export interface Progress {
  readonly progress: number;
  readonly done: number;
  readonly total: number;
}

/** An error as data. */
export interface PlainError {
  /** The class's name; `UserError` comes out as one. */
  readonly name: string;
  readonly message: string;
  /** `ErrorCode`, or the system's: `ENOENT`. */
  readonly code?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}
