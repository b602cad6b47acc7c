/**
 * The head of a note: YAML between `---` lines, with the text after it. What others wrote there (keys we do not know,
 * their order, comments) stays, and so do a byte order mark and CRLF.
 */

import { Document, isMap, parseDocument } from 'yaml';
import { messageOf, UserError } from '../core/errors.ts';
import { splitMark } from './byteOrderMark.ts';

export interface NoteText {
  /** Parsed head; undefined where there is none. */
  readonly head: Document | undefined;
  /** Why the head cannot be understood: it is then neither used nor written. */
  readonly problem: string | undefined;
  /** With LF, whatever the file has. */
  readonly body: string;
  readonly hasMark: boolean;
  readonly hasCrlf: boolean;
}

/** Characters. What takes a parser of YAML seconds is longer: thousands of keys, anchors or tags. */
const longestHead = 8 * 1024;

const fence = /^---[ \t]*\n((?:[^\n]*\n)*?)---[ \t]*(?:\n|$)/;

/** Never throws: a head without an end is text. */
export function splitNote(text: string): NoteText {
  const { mark, body: unmarked } = splitMark(text);
  const hasMark = mark !== '';
  const hasCrlf = text.includes('\r\n');
  const plain = unmarked.replaceAll('\r\n', '\n');
  const found = fence.exec(plain);
  const rest = { hasMark, hasCrlf };
  if (found === null) return { head: undefined, problem: undefined, body: plain, ...rest };
  const body = plain.slice(found[0].length);
  const { head, problem } = parseHead(found[1] ?? '');
  return { head, problem, body, ...rest };
}

function parseHead(text: string): Pick<NoteText, 'head' | 'problem'> {
  if (text.length > longestHead)
    return { head: undefined, problem: `it is longer than ${longestHead / 1024} KiB` };
  try {
    const head = parseDocument(text, { logLevel: 'silent', intAsBigInt: true });
    const [error] = head.errors;
    if (error !== undefined) return { head: undefined, problem: firstLine(error.message) };
    if (head.contents !== null && !isMap(head.contents))
      return { head: undefined, problem: 'it is not a list of keys and values' };
    return { head, problem: undefined };
  } catch (error) {
    return { head: undefined, problem: firstLine(messageOf(error)) };
  }
}

/** The values of the head, keys in lower case; empty where there is none. Aliases are not expanded without bound. */
export function headValues({ head }: NoteText): Readonly<Record<string, unknown>> {
  if (head === undefined) return {};
  try {
    const value: unknown = head.toJS({ maxAliasCount: 20 });
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key.toLowerCase(), each]),
    );
  } catch {
    // Too many aliases: a bomb rather than a note's head.
    return {};
  }
}

/**
 * The text with these keys set (undefined: removed) and this body; all else of the head stays.
 * @throws UserError `damaged` for a head that cannot be understood: writing would lose it.
 */
export function joinNote(
  before: NoteText | undefined,
  values: Readonly<Record<string, unknown>>,
  body: string,
  file: string,
): string {
  if (before?.problem !== undefined) throw notUnderstood(file, before.problem);
  const text = `---\n${headText(before, values, file)}---\n\n${body}\n`;
  const lines = before?.hasCrlf ? text.replaceAll('\n', '\r\n') : text;
  return before?.hasMark ? `\ufeff${lines}` : lines;
}

function headText(
  before: NoteText | undefined,
  values: Readonly<Record<string, unknown>>,
  file: string,
): string {
  try {
    const head = before?.head?.clone() ?? new Document({});
    if (head.contents === null) head.contents = head.createNode({});
    for (const [key, value] of Object.entries(values)) {
      const written = writtenKey(head, key);
      if (value === undefined) head.delete(written);
      else head.set(written, head.createNode(value));
    }
    return head.toString({ lineWidth: 0, flowCollectionPadding: false });
  } catch (error) {
    // Lists in lists in lists …: read, but too deep to be written.
    if (!(error instanceof RangeError)) throw error;
    throw notUnderstood(file, firstLine(error.message));
  }
}

function notUnderstood(file: string, problem: string): UserError {
  return new UserError(
    'damaged',
    `The head of ${file} cannot be understood (${problem}). Mend it by hand; it was not changed.`,
    { file },
  );
}

/** A key as the file spells it. */
function writtenKey(head: Document, key: string): string {
  if (!isMap(head.contents)) return key;
  const keys = head.contents.items.map((item) => String(item.key));
  return keys.find((each) => each.toLowerCase() === key) ?? key;
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
