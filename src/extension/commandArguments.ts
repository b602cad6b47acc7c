/** Arguments of commands: they come from menus of the page, keybindings and other extensions, so nothing is trusted. Pure. */
import {
  asProjectId,
  asSessionId,
  asTurnId,
  type ProjectId,
  type SessionId,
  type TurnId,
} from '../core/ids.ts';
import { turnScheme } from './names.ts';
import { parseStoredUri, type TurnFile } from './turnUri.ts';

/** A turn, as its id or as the context of a menu (`{ turn }`). Undefined: none was named. */
export function turnArgument(value: unknown): TurnId | undefined {
  if (typeof value === 'string' && value !== '') return asTurnId(value);
  return typeof value === 'object' && value !== null && 'turn' in value
    ? turnArgument(value.turn)
    : undefined;
}

/** A project, as its id or as a row of the Projects view (`{ project }`). Undefined: none was named. */
export function projectArgument(value: unknown): ProjectId | undefined {
  if (typeof value === 'string' && value !== '') return asProjectId(value);
  return typeof value === 'object' && value !== null && 'project' in value
    ? projectArgument(value.project)
    : undefined;
}

/** A session, as a row of the Projects view (`{ session }`). Undefined: none was named. */
export function sessionArgument(value: unknown): SessionId | undefined {
  const isNamed = typeof value === 'object' && value !== null && 'session' in value;
  const { session } = isNamed ? value : { session: undefined };
  return typeof session === 'string' && session !== '' ? asSessionId(session) : undefined;
}

/** A file of a turn: two texts, or the context of a menu (`{ turn, path }`). */
export function fileArgument(
  first: unknown,
  second: unknown,
): { turn: TurnId; path: string } | undefined {
  const turn = turnArgument(first);
  const path = typeof first === 'object' && first !== null && 'path' in first ? first.path : second;
  return turn !== undefined && typeof path === 'string' && path !== '' ? { turn, path } : undefined;
}

/** One side of a file of a turn, as the URI of the document that shows it. Undefined for anything else. */
export function turnFileOfUri(value: unknown): TurnFile | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('scheme' in value && 'path' in value && 'query' in value)) return undefined;
  const { scheme, path, query } = value;
  if (scheme !== turnScheme || typeof path !== 'string' || typeof query !== 'string')
    return undefined;
  const file = parseStoredUri({ path, query });
  return file !== undefined && 'turn' in file ? file : undefined;
}
