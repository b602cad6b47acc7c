/**
 * Changes to a JSON text that leave every other byte alone: comments, trailing commas, spacing, line ends. Each change
 * comes with the edits that take it back. Knows nothing of hooks. Pure.
 */
import {
  applyEdits,
  createScanner,
  type Edit,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { UserError } from '../core/errors.ts';

export type { Edit, Node } from 'jsonc-parser';

/** A text and the way back: play `undo` from the last step to the first to have the original again. */
export interface ChangedText {
  readonly text: string;
  readonly undo: readonly (readonly Edit[])[];
}

/**
 * The tree of a text that may have comments and trailing commas.
 * @param file only for the message.
 * @throws UserError `config` when it is not JSON.
 */
export function parseJson(text: string, file: string): Node {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false });
  const [error] = errors;
  if (tree !== undefined && error === undefined) return tree;
  const offset = error?.offset ?? 0;
  const line = text.slice(0, offset).split('\n').length;
  const what = error === undefined ? 'it is empty' : printParseErrorCode(error.error);
  throw new UserError(
    'config',
    `${file} is not valid JSON (line ${line}: ${what}). Correct it and try again; it was left as it is.`,
    { file, line },
  );
}

/** @param edits do not overlap. */
export function change(from: ChangedText, edits: readonly Edit[]): ChangedText {
  if (edits.length === 0) return from;
  const sorted = edits.toSorted((a, b) => a.offset - b.offset);
  let shift = 0;
  const back = sorted.map(({ offset, length, content }) => {
    const at = offset + shift;
    shift += content.length - length;
    return { offset: at, length: content.length, content: from.text.substr(offset, length) };
  });
  return { text: applyEdits(from.text, sorted), undo: [...from.undo, back] };
}

export function takeBack(text: string, undo: ChangedText['undo']): string {
  return undo.reduceRight((at, edits) => applyEdits(at, [...edits]), text);
}

/**
 * Puts an item behind the last one of an object or array.
 * @param key the property's name, for an object.
 */
export function insertion(text: string, into: Node, value: unknown, key?: string): Edit[] {
  const name = key === undefined ? '' : `${JSON.stringify(key)}:`;
  const close = into.offset + into.length - 1;
  const last = into.children?.at(-1);
  const from = last === undefined ? into.offset + 1 : endOf(last);
  const rest = text.slice(from, close);
  const behind = from + rest.trimEnd().length;
  const comma =
    last === undefined || commaIn(text, from, close) !== undefined
      ? []
      : [{ offset: from, length: 0, content: ',' }];
  if (!text.includes('\n')) {
    return [...comma, { offset: behind, length: 0, content: name + JSON.stringify(value) }];
  }
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const outer = indentAt(text, into.offset);
  const own = last !== undefined && startsLine(text, last.offset);
  const inner = own ? indentAt(text, last.offset) : outer + unitOf(text);
  const content = `${eol}${inner}${name}${name && ' '}${render(value, text, inner)}`;
  // The closing bracket gets a line of its own, unless it has one.
  const tail = text.slice(behind, close);
  const ending = tail.includes('\n') ? tail : `${eol}${outer}`;
  return [...comma, { offset: behind, length: tail.length, content: content + ending }];
}

export function replacement(text: string, node: Node, value: unknown): Edit[] {
  const content = text.includes('\n')
    ? render(value, text, indentAt(text, node.offset))
    : JSON.stringify(value);
  return [{ offset: node.offset, length: node.length, content }];
}

/** Takes an item of an array, or a whole property of an object, out. */
export function removal(text: string, item: Node): Edit[] {
  const siblings = item.parent?.children ?? [];
  const at = siblings.indexOf(item);
  const before = siblings[at - 1];
  const limit = siblings[at + 1]?.offset ?? endOf(item.parent ?? item) - 1;
  const end = endOf(item);
  const next = commaIn(text, end, limit);
  const comma =
    next ?? (before === undefined ? undefined : commaIn(text, endOf(before), item.offset));
  const lead = /(?:\r?\n)?[ \t]*$/.exec(text.slice(0, item.offset))?.[0] ?? '';
  // A line comment may end in that line break: it goes only when another one follows.
  const dropsLead = lead.includes('\n')
    ? /^[ \t]*,?[ \t]*\r?\n/.test(text.slice(end))
    : next === undefined;
  const start = dropsLead ? item.offset - lead.length : item.offset;
  const edits = [{ offset: start, length: end - start, content: '' }];
  if (comma !== undefined) {
    const gap = dropsLead || comma !== next ? '' : /^[ \t]*/.exec(text.slice(comma + 1))?.[0];
    edits.push({ offset: comma, length: 1 + (gap ?? '').length, content: '' });
  }
  return edits;
}

/** Whether comments stand between two offsets. */
export function hasComment(text: string, from: number, to: number): boolean {
  return tokens(text, from, to).some((token) => isComment(token.kind));
}

// Members of jsonc-parser's `SyntaxKind`, a const enum that separately compiled modules cannot read.
const commaToken = 5;
const endToken = 17;
const isComment = (kind: number): boolean => kind === 12 || kind === 13;

function commaIn(text: string, from: number, to: number): number | undefined {
  return tokens(text, from, to).find((token) => token.kind === commaToken)?.offset;
}

function tokens(text: string, from: number, to: number): { kind: number; offset: number }[] {
  const scanner = createScanner(text.slice(from, to));
  const found = [];
  for (let kind = scanner.scan(); kind !== endToken; kind = scanner.scan()) {
    found.push({ kind, offset: from + scanner.getTokenOffset() });
  }
  return found;
}

const endOf = (node: Node): number => node.offset + node.length;

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function startsLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === '';
}

/** The blanks at the beginning of the line. */
function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? '';
}

/** One step of indentation: that of the first indented line. */
function unitOf(text: string): string {
  return /^(?:\t| {1,8})(?=["[{])/m.exec(text)?.[0] ?? '  ';
}

function render(value: unknown, text: string, indent: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return JSON.stringify(value, null, unitOf(text)).replaceAll('\n', eol + indent);
}
