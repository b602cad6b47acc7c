/** How what is stored is named: path and query of a `memcode:` URI. Pure. */

import type { Side } from '../app/timelineApp.ts';
import { asOperationId, asTurnId, type OperationId, type TurnId } from '../core/ids.ts';

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

export type AnyStoredFile = StoredFile | SnapshotFile | WordsFile;

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
  const words = query.get('words');
  const side = query.get('side');
  const path = query.get('path');
  if (!path || !uri.path.endsWith(`/${path}`)) return undefined;
  if (operation) return { operation: asOperationId(operation), path };
  if (words) return { words: asTurnId(words), path };
  if (snapshot && root) return { snapshot, root, path };
  return turn && (side === 'before' || side === 'after')
    ? { turn: asTurnId(turn), path, side }
    : undefined;
}

interface UriParts {
  readonly path: string;
  readonly query: string;
}
