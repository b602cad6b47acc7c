/** Which session and which turn a person means. Pure lookups over what the app lists. */

import { UserError } from '../core/errors.ts';
import type { SessionSummary, TurnSummary } from '../core/timeline.ts';
import type { Opened } from './cliContext.ts';
import { firstLine } from './text.ts';

/**
 * The session of that id or unique beginning of an id; the newest when none is given.
 * @throws UserError `notFound`, or `usage` naming the matches when there are several.
 */
export function findSession({ app, root }: Opened, wanted: string | undefined): SessionSummary {
  const sessions = app.sessions(root);
  if (wanted === undefined) {
    const newest = sessions[0];
    if (newest !== undefined) return newest;
    throw new UserError(
      'notFound',
      `No session has been recorded in ${root}. Connect an agent first: memcode-timeline connect --help`,
      { root },
    );
  }
  return (
    one(sessions, wanted, 'session', (session) => session.title) ??
    missing(`There is no session ${wanted} in ${root}. See: memcode-timeline sessions`, {
      root,
      session: wanted,
    })
  );
}

/**
 * The turn of that number in the session meant; or, by id or unique beginning of an id, of any session of the root
 * unless one is named. Digits alone are always a number: a rewind must not guess.
 * @throws UserError as `findSession`.
 */
export function findTurn(
  opened: Opened,
  session: string | undefined,
  wanted: string | undefined,
): TurnSummary {
  const word = wanted ?? '';
  return /^\d+$/.test(word)
    ? byNumber(opened, findSession(opened, session), Number(word))
    : byId(opened, session, word);
}

function byNumber({ app }: Opened, session: SessionSummary, number: number): TurnSummary {
  const all = app.turns(session.id).filter((turn) => turn.number === number);
  const standing = all.filter((turn) => turn.rewoundBy === null);
  const found = standing.length > 0 ? standing : all;
  const turn = found[0];
  if (turn === undefined)
    return missing(
      `Session ${session.id} has no turn ${number}. See: memcode-timeline list --session ${session.id}`,
      { session: session.id, turn: number },
    );
  if (found.length > 1) throw ambiguous('turn', String(number), found, (each) => each.prompt);
  return turn;
}

function byId({ app, root }: Opened, session: string | undefined, id: string): TurnSummary {
  const sessions =
    session === undefined ? app.sessions(root) : [findSession({ app, root }, session)];
  const turns = sessions.flatMap((each) => app.turns(each.id));
  return (
    one(turns, id, 'turn', (turn) => turn.prompt) ??
    missing(`There is no turn ${id} in ${root}. See: memcode-timeline list`, { root, turn: id })
  );
}

/** The one of that id or unique beginning of an id. @throws UserError `usage` when there are several. */
export function one<T extends { readonly id: string }>(
  all: readonly T[],
  wanted: string,
  noun: string,
  titleOf: (item: T) => string,
): T | undefined {
  const exact = all.find(({ id }) => id === wanted);
  if (exact !== undefined || wanted === '') return exact;
  const matches = all.filter(({ id }) => id.startsWith(wanted));
  if (matches.length > 1) throw ambiguous(noun, wanted, matches, titleOf);
  return matches[0];
}

function ambiguous<T extends { readonly id: string }>(
  noun: string,
  wanted: string,
  matches: readonly T[],
  titleOf: (item: T) => string,
): UserError {
  const named = matches.map((match) => `${match.id} (${firstLine(titleOf(match))})`).join(', ');
  return new UserError('usage', `Several ${noun}s fit ${wanted}: ${named}. Give more of the id.`, {
    [noun]: wanted,
    matches: matches.map(({ id }) => id),
  });
}

function missing(message: string, data: Readonly<Record<string, unknown>>): never {
  throw new UserError('notFound', message, data);
}
