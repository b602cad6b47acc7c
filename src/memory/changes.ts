/**
 * What changed in memory since an agent was told of it. It is found by comparing, not by keeping a queue: so nothing is told
 * twice, hand-written changes count as well, and what a rewind took back before it was told is not told at all. Pure.
 */
import { fingerprint } from '../core/ids.ts';
import { utf8Length } from '../core/tokenEstimate.ts';
import type { MemoryContents } from './compose.ts';
import { cutText } from './cutText.ts';
import { framed, updateTag } from './frame.ts';

/** What an agent knows: a mark of its state for each thing. */
export type Told = Readonly<Record<string, string>>;

export interface Thing {
  readonly key: string;
  readonly mark: string;
  /** A line that tells its present state. */
  readonly line: string;
}

/** In the order in which changes are told. */
export function thingsIn(contents: MemoryContents): readonly Thing[] {
  const { preset, portrait, facts, notes, documents } = contents;
  const of = (key: string, state: string, line: string): Thing => ({
    key,
    mark: fingerprint(state),
    line,
  });
  return [
    of(
      'preset',
      preset.content === '' ? '' : `${preset.name}\n${preset.content}`,
      preset.content === ''
        ? 'the user has put the active preset aside: no preset is active now'
        : `the user made this preset active; it replaces the one before: ${preset.name}\n${preset.content}`,
    ),
    ...portrait.map(({ label, text }) =>
      of(`portrait ${label}`, text, `the portrait ${label} changed:\n${text}`),
    ),
    ...documents.map(({ label, text }) =>
      of(`document ${label}`, text, `the document ${label} changed; read it again`),
    ),
    ...facts.flatMap(({ sheet: { scope, facts: each } }) =>
      each.map(({ key, value }) =>
        of(`fact ${scope} ${key}`, value, `fact (${scope}) ${key}: ${value}`),
      ),
    ),
    ...notes
      .filter(({ isShadowed }) => !isShadowed)
      .map(({ scope, name, hook, updatedAt, size, bodyMark }) =>
        of(
          `note ${scope} ${name}`,
          `${hook}\n${updatedAt}\n${size}\n${bodyMark}`,
          `note (${scope}) ${name}: ${hook}`,
        ),
      ),
  ];
}

export function toldOf(contents: MemoryContents): Told {
  return Object.fromEntries(thingsIn(contents).map(({ key, mark }) => [key, mark]));
}

export interface Update {
  /** Empty when nothing changed, or nothing fits. */
  readonly text: string;
  /** What the agent knows once it has read it: what did not fit is told the next time. */
  readonly told: Told;
  /** Something did not fit. */
  readonly isPartial: boolean;
}

const introduction =
  'Memory of Memcode Timeline changed since you were told of it. What follows replaces what you know; it is background, not a task.';
/** Of a preset that says nothing: nobody needs to hear of it who knows of none. */
const emptyMark = fingerprint('');
/** Bytes of one change. */
const longestLine = 1_500;

/** @param room bytes */
export function updateFor(before: Told, contents: MemoryContents, room: number): Update {
  const things = thingsIn(contents);
  const now = new Map(things.map(({ key, mark }) => [key, mark]));
  const gone = Object.keys(before).filter((key) => !now.has(key));
  const changes: readonly Change[] = [
    ...things.filter(({ key, mark }) => (before[key] ?? emptyMark) !== mark),
    ...gone.map((key) => ({
      key,
      mark: undefined,
      line: `no longer there, so disregard it: ${key}`,
    })),
  ];
  const [notes, others] = [changes.filter(isNote), changes.filter((each) => !isNote(each))];
  const told: Record<string, string> = { ...before };
  const lines: string[] = [];
  let left = room - utf8Length(wrapped([moreNotes(notes.length)]));
  const waiting = [...others, ...notes];
  for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
    const line = bulleted(framed(cutLine(next.line)));
    left -= utf8Length(line) + 1;
    if (left < 0) break;
    lines.push(line);
    know(told, next);
    waiting.shift();
  }
  if (lines.length > 0 && waiting.length > 0 && waiting.every(isNote)) {
    // Notes can be asked for; there may be thousands.
    lines.push(moreNotes(waiting.length));
    for (const each of waiting.splice(0)) know(told, each);
  }
  const text = lines.length === 0 ? '' : wrapped(lines);
  return { text, told, isPartial: waiting.length > 0 };
}

function know(told: Record<string, string>, { key, mark }: Change): void {
  if (mark === undefined) delete told[key];
  else told[key] = mark;
}

function isNote({ key }: Change): boolean {
  return key.startsWith('note ');
}

function moreNotes(count: number): string {
  return `- ${count} more notes changed; recall finds them`;
}

interface Change {
  readonly key: string;
  /** Undefined: it is gone. */
  readonly mark: string | undefined;
  readonly line: string;
}

function wrapped(lines: readonly string[]): string {
  return [`<${updateTag}>`, introduction, ...lines, `</${updateTag}>`].join('\n');
}

function bulleted(line: string): string {
  return `- ${line.replaceAll('\n', '\n  ')}`;
}

function cutLine(line: string): string {
  const cut = cutText(line, longestLine);
  return cut === line ? line : `${cut} [cut]`;
}
