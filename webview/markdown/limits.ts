/**
 * How much of a text is read as Markdown. A parser takes a time that grows with the square of a paragraph's length, or of
 * how deep its blocks are nested, and the page stands still meanwhile; nobody writes either by hand. The rest is text.
 */
import type { MarkdownConfig } from '@lezer/markdown';

/** UTF-16 units of a paragraph, a heading or a cell. */
const longest = 5_000;
const deepest = 40;

export const limits: MarkdownConfig = {
  parseInline: [
    {
      name: 'TooLong',
      before: 'Escape',
      parse: ({ end, offset }) => (end - offset > longest ? end : -1),
    },
  ],
  parseBlock: [
    {
      name: 'TooDeep',
      before: 'LinkReference',
      parse(context, line) {
        if (context.depth <= deepest) return false;
        const start = context.lineStart;
        context.addElement(context.elt('Paragraph', start + line.pos, start + line.text.length));
        context.nextLine();
        return true;
      },
    },
  ],
};
