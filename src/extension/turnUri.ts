/** How one side of one file of a turn is named: path and query of a `memcode:` URI. Pure. */

import type { Side } from '../app/timelineApp.ts';
import { asTurnId, type TurnId } from '../core/ids.ts';

export interface TurnFile {
  readonly turn: TurnId;
  /** Relative to the root, `/`-separated. */
  readonly path: string;
  readonly side: Side;
}

/** The path keeps the file's name, so that VS Code finds the language and the label by itself. */
export function turnUriParts(file: TurnFile): { path: string; query: string } {
  const query = new URLSearchParams({ turn: file.turn, side: file.side });
  return { path: `/${file.path}`, query: query.toString() };
}

/** Undefined for a URI that `turnUriParts` did not make. */
export function parseTurnUri(uri: { path: string; query: string }): TurnFile | undefined {
  const query = new URLSearchParams(uri.query);
  const turn = query.get('turn');
  const side = query.get('side');
  const path = uri.path.replace(/^\//, '');
  if (!turn || path === '' || (side !== 'before' && side !== 'after')) return undefined;
  return { turn: asTurnId(turn), path, side };
}
