/**
 * Memory written out into a document for other people and tools, and read back: one block between two comments, which
 * may be replaced while everything around it stays. Pure.
 */
import { createHash } from 'node:crypto';
import { UserError } from '../core/errors.ts';
import type { Fact } from '../core/memory.ts';
import { splitMark } from './byteOrderMark.ts';
import { layoutOf } from './markdown.ts';

export interface BlockNote {
  readonly name: string;
  readonly body: string;
  /** Null: in all modes. */
  readonly mode: string | null;
  readonly pinned: boolean;
}

export interface MemoryBlock {
  readonly facts: readonly Fact[];
  readonly notes: readonly BlockNote[];
}

/** What a document has of a block. */
export interface FoundBlock extends MemoryBlock {
  /** It is as it was written: nobody changed it by hand. */
  readonly isUntouched: boolean;
  /** There is more in it than these facts and notes, which is lost when it is written anew. */
  readonly saysMore: boolean;
}

const title = '## Memory';
const factsMark = '<!-- memcode:facts -->';
const endMark = '<!-- /memcode:memory -->';
const beginMark = /^<!-- memcode:memory(?: ([0-9a-f]{16}))? -->[^\S\n]*$/gm;
const noteMark = /^<!-- memcode:note (\{.*\}) -->$/;
/** Lines of a body that would be taken for marks of ours; a backslash more or less keeps them apart. */
const likeMark = /^<!-- (\\*)(?=\/?memcode:)/gm;
const escapedMark = /^<!-- \\(\\*)(?=\/?memcode:)/gm;

/**
 * The document with the block in it: in the place of the one it has, else at its end. Without facts and notes the block goes.
 * @param text as it is, with its byte order mark; undefined when there is none
 * @param file for errors. @throws UserError `damaged` when the document has half a block, or two
 */
export function withBlock(text: string | undefined, block: MemoryBlock, file: string): string {
  const { mark, body } = splitMark(text ?? '');
  const end = body.includes('\r\n') ? '\r\n' : '\n';
  const place = placeOf(body, file);
  const written = rendered(block).replaceAll('\n', end);
  const whole =
    place === undefined
      ? appended(body, written, end)
      : body.slice(0, place.from) + written + body.slice(place.to);
  return mark + whole;
}

/** @throws UserError `damaged` as for `withBlock` */
export function blockIn(text: string, file: string): FoundBlock | undefined {
  const { body } = splitMark(text);
  const place = placeOf(body, file);
  if (place === undefined) return undefined;
  const inner = body.slice(place.inner, place.innerTo).replaceAll('\r\n', '\n');
  const block = parsed(inner);
  return {
    ...block,
    isUntouched: place.sum === sumOf(inner),
    saysMore: inner !== innerOf(block),
  };
}

interface Place {
  readonly from: number;
  readonly to: number;
  /** Between the two comments. */
  readonly inner: number;
  readonly innerTo: number;
  readonly sum: string | undefined;
}

function placeOf(body: string, file: string): Place | undefined {
  const begin = beginIn(body);
  if (begin === undefined) return undefined;
  const inner = begin.index + begin[0].length + 1;
  const innerTo = lineOf(body, endMark, inner);
  if (innerTo < 0) throw damaged(file, `its block of memory has no end (${endMark})`);
  const to = innerTo + endMark.length;
  if (beginIn(body.slice(to))) throw damaged(file, 'it has more than one block of memory');
  return { from: begin.index, to, inner, innerTo, sum: begin[1] };
}

/** Not those that stand in code or in a comment. */
function beginIn(body: string): RegExpExecArray | undefined {
  if (!body.includes('<!-- memcode:memory')) return undefined;
  const { opaque } = layoutOf(body);
  return [...body.matchAll(beginMark)].find(
    ({ index }) => !opaque.some(({ from, to }) => from < index && index < to),
  );
}

function damaged(file: string, what: string): UserError {
  return new UserError('damaged', `${file}: ${what}. Nothing was changed.`, { path: file });
}

/** Where a line begins that is just this, or -1. */
function lineOf(body: string, line: string, from: number): number {
  for (let at = body.indexOf(line, from); at >= 0; at = body.indexOf(line, at + 1)) {
    const after = body[at + line.length];
    if ((at === from || body[at - 1] === '\n') && (after === undefined || /[\r\n]/.test(after)))
      return at;
  }
  return -1;
}

/** Behind a blank line; what is there stays to its last byte. */
function appended(body: string, written: string, end: string): string {
  if (written === '') return body;
  if (body.trim() === '') return written + end;
  const { openFence } = layoutOf(body);
  const whole = body.endsWith('\n') ? body : body + end;
  const closed = openFence === undefined ? whole : whole + openFence + end;
  const gap = /\n\r?\n$/.test(closed) ? '' : end;
  return closed + gap + written + end;
}

function rendered(block: MemoryBlock): string {
  if (block.facts.length === 0 && block.notes.length === 0) return '';
  const inner = innerOf(block);
  return `<!-- memcode:memory ${sumOf(inner)} -->\n${inner}${endMark}`;
}

function innerOf({ facts, notes }: MemoryBlock): string {
  const sheet = facts.map(({ key, value }) => `- ${key}: ${value}`);
  const parts = [
    title,
    ...(sheet.length > 0 ? [[factsMark, ...sheet].join('\n')] : []),
    ...notes.map(noteText),
  ];
  return `${parts.join('\n\n')}\n\n`;
}

function noteText({ name, body, mode, pinned }: BlockNote): string {
  const { openFence } = layoutOf(body);
  const head = {
    name,
    ...(mode !== null && { mode }),
    ...(pinned && { pinned }),
    ...(openFence !== undefined && { closed: true }),
  };
  // No name can end the comment.
  const json = JSON.stringify(head).replaceAll('>', '\\u003e');
  const lines = [`<!-- memcode:note ${json} -->`, `### ${name}`, '', escaped(body)];
  // What follows must not become code.
  return [...lines, ...(openFence === undefined ? [] : [openFence])].join('\n');
}

const escaped = (body: string): string => body.replaceAll(likeMark, '<!-- \\$1');

/** What the mark of a note says; closed: the last line is none of the note's. */
type NoteHead = Omit<BlockNote, 'body'> & { readonly isClosed: boolean };

function parsed(inner: string): MemoryBlock {
  const facts: Fact[] = [];
  const notes: BlockNote[] = [];
  let part: 'none' | 'facts' | NoteHead = 'none';
  let lines: string[] = [];
  const finish = (): void => {
    if (typeof part === 'object') {
      const { isClosed, ...head } = part;
      const body = bodyOf(lines);
      notes.push({ ...head, body: isClosed ? body.replace(/\n?[^\n]*$/, '') : body });
    }
    lines = [];
  };
  for (const line of inner.split('\n')) {
    const head = headIn(line);
    if (head !== undefined || line === factsMark) {
      finish();
      part = head ?? 'facts';
    } else if (part === 'facts') facts.push(...factIn(line));
    else lines.push(line);
  }
  finish();
  return { facts, notes };
}

function headIn(line: string): NoteHead | undefined {
  const text = noteMark.exec(line)?.[1];
  if (text === undefined) return undefined;
  const { name, mode, pinned, closed } = fieldsOf(text);
  if (typeof name !== 'string' || name === '') return undefined;
  return {
    name,
    mode: typeof mode === 'string' ? mode : null,
    pinned: pinned === true,
    isClosed: closed === true,
  };
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch (error) {
    // A mark that somebody changed is a line like others.
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function factIn(line: string): readonly Fact[] {
  const found = /^[-*+] ([a-z0-9_]+):(?: (.*))?$/.exec(line);
  const [, key = '', value = ''] = found ?? [];
  return found ? [{ key, value: value.trim() }] : [];
}

/** Without the heading, which says the name again. */
function bodyOf(lines: readonly string[]): string {
  const rest = lines[0]?.startsWith('### ') ? lines.slice(1) : lines;
  return rest
    .join('\n')
    .replace(/^(?:[^\S\n]*\n)+/, '')
    .trimEnd()
    .replaceAll(escapedMark, '<!-- $1');
}

function sumOf(inner: string): string {
  return createHash('sha256').update(inner).digest('hex').slice(0, 16);
}
