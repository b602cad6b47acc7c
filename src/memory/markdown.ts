/** What of a Markdown text is code or a heading, by position. Line ends may be any; a byte order mark must be gone. Pure. */
import { parser as commonMark, type InlineContext, type InlineParser } from '@lezer/markdown';

export interface Span {
  readonly from: number;
  /** Behind the last character. */
  readonly to: number;
}

export interface Heading extends Span {
  readonly level: number;
  /** Without marks. */
  readonly text: string;
}

export interface MarkdownLayout {
  /** Fenced and indented code, code spans, comments: nothing in there means anything else. */
  readonly opaque: readonly Span[];
  /** Those of the text itself, not of quotes and lists in it. */
  readonly headings: readonly Heading[];
  /** The fence of a code block that nothing closes: all that is added to the text would be code. */
  readonly openFence?: string;
}

const opaqueNodes = new Set(['FencedCode', 'CodeBlock', 'InlineCode', 'CommentBlock', 'Comment']);

/**
 * Of what stands within a block only code and comments are looked for, and only where they end: links, emphasis and open ends
 * take a time that grows with the square of the text, and the texts are strangers'.
 */
const parser = commonMark.configure({
  remove: [
    'Autolink',
    'Emphasis',
    'Entity',
    'HardBreak',
    'Image',
    'Link',
    'LinkEnd',
    'LinkReference',
  ],
  parseInline: [
    { name: 'InlineCode', parse: codeSpan },
    { name: 'HTMLTag', parse: comment },
  ],
});

export function layoutOf(source: string): MarkdownLayout {
  const text = source.replace(deepNesting, shallow);
  const opaque: Span[] = [];
  const headings: Heading[] = [];
  let openFence: string | undefined;
  parser.parse(text).iterate({
    enter: (node) => {
      const { name, from, to } = node;
      if (opaqueNodes.has(name)) opaque.push({ from, to });
      const level = /^(?:ATX|Setext)Heading(\d)$/.exec(name)?.[1];
      if (node.node.parent?.name !== 'Document') return;
      const source = text.slice(from, to).trimEnd();
      if (level !== undefined)
        headings.push({
          from,
          to: from + source.length,
          level: Number(level),
          text: headingText(source),
        });
      if (name === 'FencedCode' && node.node.getChildren('CodeMark').length === 1)
        openFence = /^[`~]+/.exec(source)?.[0];
    },
  });
  return { opaque, headings, ...(openFence !== undefined && { openFence }) };
}

/** Quotes and lists within each other, deeper than anybody writes: each level costs time with each line. */
const deepNesting = /^((?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){20})(.+)$/gm;

function shallow(line: string, begin: string, rest: string): string {
  return /^[-*=_\s]*$/.test(line) ? line : begin + 'x'.repeat(rest.length);
}

/** For the text of one block: where the last run of so many backticks begins. */
const lastRuns = new WeakMap<InlineContext, ReadonlyMap<number, number>>();
const lastComments = new WeakMap<InlineContext, number>();

function codeSpan(...[block, next, from]: Parameters<InlineParser['parse']>): number {
  if (next !== tick || block.slice(from - 1, from) === '`') return -1;
  const runs = known(lastRuns, block, runsIn);
  let end = from;
  while (block.char(end) === tick) end++;
  const mark = block.slice(from, end);
  if ((runs.get(mark.length) ?? -1) < end) return -1;
  for (let at = end; ; ) {
    const start = block.text.indexOf(mark, at - block.offset) + block.offset;
    at = start;
    while (block.char(at) === tick) at++;
    if (at - start === mark.length) return block.addElement(block.elt('InlineCode', from, at));
  }
}

const tick = 96;

function runsIn({ text, offset }: InlineContext): ReadonlyMap<number, number> {
  const runs = [...text.matchAll(/`+/g)];
  return new Map(runs.map((run) => [run[0].length, run.index + offset]));
}

function comment(...[block, , from]: Parameters<InlineParser['parse']>): number {
  const begin = '<!--';
  if (block.slice(from, from + begin.length) !== begin) return -1;
  const last = known(lastComments, block, ({ text, offset }) => text.lastIndexOf('-->') + offset);
  if (last < from + begin.length) return -1;
  const end = block.text.indexOf('-->', from + begin.length - block.offset) + block.offset;
  return block.addElement(block.elt('Comment', from, end + '-->'.length));
}

function known<T>(
  all: WeakMap<InlineContext, T>,
  block: InlineContext,
  find: (block: InlineContext) => T,
): T {
  const there = all.get(block);
  if (there !== undefined) return there;
  const found = find(block);
  all.set(block, found);
  return found;
}

function headingText(source: string): string {
  const line = source.split(/\r?\n/, 1)[0] ?? '';
  return line
    .replace(/^ {0,3}#{1,6}(?=\s|$)/, '')
    .replace(/(?:^|\s)#+\s*$/, '')
    .trim();
}
