/** Where the checkpoint log of a root keeps things. Names only. */
import path from 'node:path';
import {
  type Key,
  type OperationId,
  type Root,
  type SessionId,
  sessionFolder,
} from '../core/ids.ts';

export const memcodeFolder = (root: Root): string => path.join(root, '.memcode');
export const checkpointsFolder = (root: Root): string => path.join(root, '.memcode', 'checkpoints');
export const sessionPlace = (root: Root, session: SessionId): string =>
  path.join(checkpointsFolder(root), sessionFolder(session));
export const checkpointPlace = (root: Root, session: SessionId, seq: number): string =>
  path.join(sessionPlace(root, session), String(seq));
/** What an operation consumed: `<session>/.rewound/<operation>/<seq>`. */
export const rewoundPlace = (root: Root, session: SessionId, operation: OperationId): string =>
  path.join(sessionPlace(root, session), rewoundName, operation);

export const rewoundName = '.rewound';
export const manifestName = 'manifest.json';
/** The manifest before, while the newest is not certain to be on the disk: see `writeManifest`. */
export const spareManifestName = 'manifest.before.json';

/** The usual place of a pre-image. The key must have passed `pathOfKey`. */
export const blobPlace = (checkpoint: string, key: Key): string =>
  path.join(checkpoint, 'files', ...key.split('/'));

/** Absolute path of a key that `pathOfKey` found no fault with. */
export const absoluteOf = (root: Root, key: string): string => path.join(root, ...key.split('/'));

/** A decimal folder name without leading zeros, as a number; undefined for any other name. */
export function seqOfName(name: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(name) ? Number(name) : undefined;
}

/** A post-image below `postImageFolder`. */
export const postImagePlace = (folder: string, sha256: string): string =>
  path.join(folder, sha256.slice(0, 2), sha256.slice(2));
