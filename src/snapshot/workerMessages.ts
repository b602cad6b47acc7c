/** What the engine and its worker threads say to each other. */
import type { RuleData } from './captureRules.ts';
import type { Columns, Stamp } from './fileTable.ts';
import type { EncodedListing } from './listingCodec.ts';

/** A folder as a worker knows it: what it needs to compare stat data with the columns. */
export interface ToldFolder {
  readonly index: number;
  /** Undefined when the folder is gone. */
  readonly content?: {
    readonly path: string;
    readonly entry: number;
    /** Files and links. */
    readonly names: readonly string[];
    readonly entries: Uint32Array;
  };
}

export type Request =
  | { readonly op: 'ping' }
  | {
      readonly op: 'scan';
      readonly root: string;
      readonly columns: Columns;
      readonly told: readonly ToldFolder[];
      /** Shared: the next folder nobody looks at yet. */
      readonly next: Int32Array;
      readonly folderCount: number;
    }
  | { readonly op: 'list'; readonly rules: RuleData; readonly tasks: readonly TaskData[] }
  | {
      readonly op: 'pack';
      readonly root: string;
      readonly objects: string;
      readonly maxFileSize: number;
      readonly durable: boolean;
      readonly paths: readonly string[];
      readonly areLinks: Uint8Array;
    };

/** A list task without what cannot be passed between threads: the rules above are read again. */
export interface TaskData {
  readonly path: string;
  readonly onlyTracked: boolean;
  readonly stamp: Stamp;
}

export interface ScanReply {
  /** Entries whose stat data differs, or that were racy. */
  readonly changed: Uint32Array;
  /** Indexes of folders whose names may have changed. */
  readonly relist: Uint32Array;
}

export const packStatus = ['blob', 'gone', 'unreadable', 'tooLarge', 'changed'] as const;

export interface PackReply {
  /** One a path: position in `packStatus`. */
  readonly status: Uint8Array;
  readonly ids: Uint8Array;
  readonly stamps: readonly (Stamp | undefined)[];
  readonly bytes: number;
  /** The pack that was written, without its suffix. */
  readonly base: string | undefined;
}

export type Reply =
  | { readonly op: 'ping' }
  | ({ readonly op: 'scan' } & ScanReply)
  | { readonly op: 'list'; readonly listing: EncodedListing }
  | ({ readonly op: 'pack' } & PackReply)
  | { readonly op: 'failed'; readonly message: string };

export type Op = Request['op'];
export type RequestOf<O extends Op> = Extract<Request, { readonly op: O }>;
export type ReplyOf<O extends Op> = Extract<Reply, { readonly op: O }>;
