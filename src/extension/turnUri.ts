/** How what is stored is named: path and query of a `memcode:` URI. Pure. */

import type { Side } from '../app/timelineApp.ts';
import {
  asOperationId,
  asSessionId,
  asTurnId,
  type OperationId,
  type SessionId,
  type TurnId,
} from '../core/ids.ts';

export interface TurnFile {
  readonly turn: TurnId;
  /** Relative to the root, `/`-separated. */
  readonly path: string;
  readonly side: Side;
}

/** What an operation found at one of its paths. */
export interface ReplacedFile {
  readonly operation: OperationId;
  /** Relative to the root, `/`-separated. */
  readonly path: string;
}

export type StoredFile = TurnFile | ReplacedFile;

/** What a snapshot of a root has at a path. */
export interface SnapshotFile {
  readonly snapshot: string;
  readonly root: string;
  /** Relative to the root, `/`-separated. */
  readonly path: string;
}

/** Prompt and reply of a turn, as a text. */
export interface WordsFile {
  readonly words: TurnId;
  /** Its name; there is no such file anywhere. */
  readonly path: string;
}

/** One message of a turn, as a text. */
export interface MessageFile {
  readonly message: string;
  readonly of: TurnId;
  readonly path: string;
}

/** All turns of a session, as a text. */
export interface ConversationFile {
  readonly conversation: SessionId;
  readonly path: string;
}

/** What an import of this window came to, as a text. */
export interface ReportFile {
  readonly report: string;
  readonly path: string;
}

/** What an agent is given of memory in a folder, as a text. */
export interface ContextFile {
  /** Absolute; a root. */
  readonly context: string;
  /** Its short name; `all` for everything there is. */
  readonly agent: string;
  readonly path: string;
}

export type TextFile = WordsFile | MessageFile | ConversationFile | ReportFile;
export type AnyStoredFile = StoredFile | SnapshotFile | TextFile | ContextFile;

export function isTextFile(file: AnyStoredFile): file is TextFile {
  return 'words' in file || 'message' in file || 'conversation' in file || 'report' in file;
}

/**
 * The path ends in the file's, so that VS Code finds language and label by itself. Below `folder` (an absolute URI path)
 * it equals that of the file on disk: VS Code then does not take a diff of the two for a renaming.
 */
export function storedUriParts(file: AnyStoredFile, folder = ''): UriParts {
  const query = new URLSearchParams({ ...file });
  return { path: `${folder}/${file.path}`, query: query.toString() };
}

/** Undefined for a URI that `storedUriParts` did not make. */
export function parseStoredUri(uri: UriParts): AnyStoredFile | undefined {
  const query = new URLSearchParams(uri.query);
  const turn = query.get('turn');
  const operation = query.get('operation');
  const snapshot = query.get('snapshot');
  const root = query.get('root');
  const text = textOf(query);
  const side = query.get('side');
  const path = query.get('path');
  if (!path || !uri.path.endsWith(`/${path}`)) return undefined;
  const context = query.get('context');
  const agent = query.get('agent');
  if (context && agent) return { context, agent, path };
  if (operation) return { operation: asOperationId(operation), path };
  if (text) return { ...text, path };
  if (snapshot && root) return { snapshot, root, path };
  return turn && (side === 'before' || side === 'after')
    ? { turn: asTurnId(turn), path, side }
    : undefined;
}

type Unnamed<T> = T extends unknown ? Omit<T, 'path'> : never;

function textOf(query: URLSearchParams): Unnamed<TextFile> | undefined {
  const words = query.get('words');
  const message = query.get('message');
  const of = query.get('of');
  const conversation = query.get('conversation');
  const report = query.get('report');
  if (words) return { words: asTurnId(words) };
  if (message && of) return { message, of: asTurnId(of) };
  if (conversation) return { conversation: asSessionId(conversation) };
  return report ? { report } : undefined;
}

interface UriParts {
  readonly path: string;
  readonly query: string;
}
