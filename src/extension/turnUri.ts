/** How one side of one file of a turn is named: path and query of a `memcode:` URI. Pure. */

import type { Side } from '../app/timelineApp.ts';
import { asTurnId, type TurnId } from '../core/ids.ts';

export interface TurnFile {
  readonly turn: TurnId;
  /** Relative to the root, `/`-separated. */
  readonly path: string;
  readonly side: Side;
}

/**
 * The path ends in the file's, so that VS Code finds language and label by itself. Below `folder` (an absolute URI path)
 * it equals that of the file on disk: VS Code then does not take a diff of the two for a renaming.
 */
export function turnUriParts(file: TurnFile, folder = ''): { path: string; query: string } {
  const query = new URLSearchParams({ turn: file.turn, side: file.side, path: file.path });
  return { path: `${folder}/${file.path}`, query: query.toString() };
}

/** Undefined for a URI that `turnUriParts` did not make. */
export function parseTurnUri(uri: { path: string; query: string }): TurnFile | undefined {
  const query = new URLSearchParams(uri.query);
  const turn = query.get('turn');
  const side = query.get('side');
  const path = query.get('path');
  if (!turn || !path || !uri.path.endsWith(`/${path}`) || (side !== 'before' && side !== 'after'))
    return undefined;
  return { turn: asTurnId(turn), path, side };
}
