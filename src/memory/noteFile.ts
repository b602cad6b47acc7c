/** One note as bytes and as data. */
import { TextDecoder } from 'node:util';
import { UserError } from '../core/errors.ts';
import { asSessionId, asTurnId, fingerprint } from '../core/ids.ts';
import { cutGraphemes } from '../core/label.ts';
import type { MemoryOrigin, NoteSummary } from '../core/memory.ts';
import { memoryLimits } from '../core/memory.ts';
import { cleanName, firstLineOf, isTooLong, nameFromBody } from '../core/noteName.ts';
import { secretIn } from '../core/secretsInText.ts';
import { utf8Length } from '../core/tokenEstimate.ts';
import { headValues, joinNote, type NoteText, splitNote } from './frontMatter.ts';

export interface NoteData {
  readonly name: string;
  readonly body: string;
  readonly hook: string;
  readonly mode: string | null;
  readonly pinned: boolean;
  /** Null where the file does not say. */
  readonly createdAt: number | null;
  readonly updatedAt: number | null;
  readonly origin: MemoryOrigin | null;
  /** Why the head was not used. */
  readonly problem?: string;
}

/** Tells one text of a note from another: of two that are equally long, from the same second, nothing else does. */
export interface MarkedNote extends NoteSummary {
  readonly bodyMark: string;
}

export const bodyMark = (body: string): string => fingerprint(body);

const longestHook = 100;
const longestMode = 40;

/** @param stem the file's name without `.md`, for a note that does not say its own. Bytes that are no UTF-8 are shown as such. */
export function readNote(bytes: Uint8Array, stem: string): NoteData {
  const text = splitNote(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  const values = headValues(text);
  const body = trimmed(text.body);
  const { problem } = text;
  return {
    name: textOf(values['name']) || cleanName(stem),
    body,
    hook: cutGraphemes(firstLineOf(body), longestHook),
    mode: textOf(values['mode'] ?? values['profile']) || null,
    pinned: values['pinned'] === true,
    createdAt: timeOf(values['created_at']),
    updatedAt: timeOf(values['updated_at']),
    origin: originOf(values['source']),
    ...(problem !== undefined && { problem }),
  };
}

export interface NoteChange {
  readonly name: string;
  readonly body: string;
  /** Undefined: as it was. */
  readonly mode?: string | null | undefined;
  readonly pinned?: boolean | undefined;
  /** Of the note it comes from, when it is moved. */
  readonly createdAt?: number | undefined;
  readonly at: number;
  readonly origin: MemoryOrigin;
}

/** @param before the bytes there are, whose other keys stay @throws UserError `damaged` */
export function writeNote(
  before: Uint8Array | undefined,
  stem: string,
  change: NoteChange,
  file: string,
): Uint8Array {
  const text: NoteText | undefined =
    before && splitNote(new TextDecoder('utf-8', { ignoreBOM: true }).decode(before));
  const known = before && readNote(before, stem);
  const mode = change.mode === undefined ? known?.mode : change.mode;
  const pinned = change.pinned ?? known?.pinned;
  const values = {
    name: change.name,
    mode: mode ?? undefined,
    pinned: pinned === true ? true : undefined,
    created_at: iso(change.createdAt ?? known?.createdAt ?? change.at),
    updated_at: iso(change.at),
    source: sourceOf(change.origin),
  };
  return Buffer.from(joinNote(text, values, trimmed(change.body), file));
}

/**
 * A body and a name as they may be kept.
 * @throws UserError `usage`, `full`, `secret`; none of them carries the text.
 */
export function checkedNote(
  name: string | undefined,
  body: string,
): { readonly name: string; readonly body: string } {
  const text = trimmed(body.toWellFormed().replaceAll('\r\n', '\n').replaceAll('\0', ''));
  if (text === '') throw new UserError('usage', 'A note needs a text.');
  const bytes = utf8Length(text);
  if (bytes > memoryLimits.noteBytes)
    throw new UserError(
      'full',
      `The text has ${bytes} bytes; a note may have ${memoryLimits.noteBytes}. Keep what matters, or make several notes of it.`,
      { bytes, limit: memoryLimits.noteBytes },
    );
  const named = cleanName(name ?? '') || nameFromBody(text);
  if (named === '') throw new UserError('usage', 'A note needs a name.');
  if (isTooLong(named))
    throw new UserError('full', `A name may have ${memoryLimits.nameLength} characters.`, {
      limit: memoryLimits.nameLength,
    });
  refuseSecrets(text);
  refuseSecrets(named, 'The name');
  return { name: named, body: text };
}

/** A mode as it may be written down; undefined and null stay. @throws UserError `usage`, `secret` */
export function checkedMode<Mode extends string | null | undefined>(
  mode: Mode,
): Mode | string | null {
  if (typeof mode !== 'string') return mode;
  const cleaned = cleanName(mode);
  if (cleaned.length > longestMode)
    throw new UserError('usage', `The name of a mode has ${longestMode} characters at most.`);
  refuseSecrets(cleaned, 'The mode');
  return cleaned === '' ? null : cleaned;
}

/** @param place how people call the text; missing: its lines are counted @throws UserError `secret` */
export function refuseSecrets(text: string, place?: string): void {
  const secret = secretIn(text);
  if (secret === undefined) return;
  const { kind, line } = secret;
  throw new UserError(
    'secret',
    `${place ?? `Line ${line}`} looks like ${kind} (•••). Secrets are not kept in memory: say where it is found instead.`,
    { kind, line },
  );
}

/** Without blank lines around it. */
function trimmed(body: string): string {
  return body.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();
}

/** As in other tools: seconds are enough. */
const iso = (at: number): string => new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z');

function textOf(value: unknown): string {
  return ['string', 'number', 'bigint'].includes(typeof value) ? cleanName(String(value)) : '';
}

function timeOf(value: unknown): number | null {
  const at = value instanceof Date ? value.getTime() : Date.parse(String(value));
  return Number.isFinite(at) ? at : null;
}

function sourceOf({ actor, agent, session, turn }: MemoryOrigin): Readonly<Record<string, string>> {
  return {
    actor,
    ...(agent !== undefined && { agent }),
    ...(session !== undefined && { session }),
    ...(turn !== undefined && { turn }),
  };
}

function originOf(value: unknown): MemoryOrigin | null {
  if (typeof value !== 'object' || value === null) return null;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  const { actor, agent, session, turn } = fields;
  if (actor !== 'agent' && actor !== 'person' && actor !== 'undo') return null;
  return {
    actor,
    ...(isWord(agent) && { agent }),
    ...(isWord(session) && { session: asSessionId(session) }),
    ...(isWord(turn) && { turn: asTurnId(turn) }),
  };
}

/** One line without control characters: people write into heads, and agents are told of these. */
function isWord(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 200 && value === cleanName(value);
}
