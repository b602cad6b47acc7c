/**
 * `MEMORY.md` beside the notes: a page for people, and for tools that read it. Its generated part is written anew from the
 * notes; what people write around that stays.
 */
import { cutGraphemes } from '../core/label.ts';
import { cleanName } from '../core/noteName.ts';

const begin = '<!-- memcode notes: generated, do not edit between these lines -->';
const end = '<!-- memcode notes: end -->';
const heading = '# Notes';
const longestLabel = 80;

export interface IndexLine {
  readonly name: string;
  readonly hook: string;
  /** Of its file. */
  readonly fileName: string;
  readonly mode: string | null;
  readonly pinned: boolean;
}

/** @param before the page there is @returns undefined when nothing changes. Sorted, so that it does not change by itself. */
export function indexPage(
  before: string | undefined,
  notes: readonly IndexLine[],
): string | undefined {
  const lines = [...notes].sort(byFile).map(lineOf);
  const part = [begin, ...lines, end].join('\n');
  const after = before === undefined || before.trim() === '' ? fresh(part) : within(before, part);
  return after === before ? undefined : after;
}

const fresh = (part: string): string => `${heading}\n\n${part}\n`;

function within(before: string, part: string): string {
  // The last one: where a person has removed the end of one before, what follows is theirs.
  const from = before.lastIndexOf(begin);
  const to = from < 0 ? -1 : before.indexOf(end, from);
  if (to < 0) return `${before.trimEnd()}\n\n${part}\n`;
  return before.slice(0, from) + part + before.slice(to + end.length);
}

function lineOf({ name, hook, fileName, mode, pinned }: IndexLine): string {
  const marks = [pinned ? 'pinned' : '', mode === null ? '' : `mode ${label(mode)}`].filter(
    (mark) => mark !== '',
  );
  const more = marks.length === 0 ? '' : ` (${marks.join(', ')})`;
  const said = hook === '' || hook === name ? '' : `: ${label(hook)}`;
  return `- [${label(name)}](${encodeURI(fileName).replace(/[()#?]/g, hexOf)})${more}${said}`;
}

const hexOf = (sign: string): string => `%${sign.charCodeAt(0).toString(16)}`;

/** One line in which nothing is Markdown or HTML. */
function label(text: string): string {
  return cutGraphemes(cleanName(text), longestLabel).replace(/[\\`*_[\]<>&|~!#]/g, '\\$&');
}

function byFile(a: IndexLine, b: IndexLine): number {
  return a.fileName < b.fileName ? -1 : a.fileName > b.fileName ? 1 : 0;
}
