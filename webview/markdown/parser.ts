/** The one Markdown parser of the page, and what every renderer needs of a text. */
import type { SyntaxNode } from '@lezer/common';
import { Autolink, parser, Strikethrough, Table, TaskList } from '@lezer/markdown';
import { limits } from './limits.ts';

const markdown = parser.configure([Table, TaskList, Strikethrough, Autolink, limits]);

/** What stands behind the nodes: their text, and where references lead. */
export interface Source {
  readonly text: string;
  /** By normalised label. */
  readonly references: ReadonlyMap<string, string>;
  /** What to say for a picture, which is not loaded. */
  readonly image: (alternative: string) => string;
}

/** Never throws, whatever the text. */
export function parseMarkdown(
  text: string,
  image: Source['image'],
): { readonly top: SyntaxNode; readonly source: Source } {
  const top = markdown.parse(text).topNode;
  const references = new Map<string, string>();
  for (const node of childrenOf(top)) {
    if (node.name !== 'LinkReference') continue;
    const label = node.getChild('LinkLabel');
    const url = node.getChild('URL');
    if (label === null || url === null) continue;
    const key = labelKey(text.slice(label.from, label.to));
    if (!references.has(key)) references.set(key, text.slice(url.from, url.to));
  }
  return { top, source: { text, references, image } };
}

export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) found.push(child);
  return found;
}

/** Labels differ neither by case nor by spaces. @param label in its brackets */
export function labelKey(label: string): string {
  return label.slice(1, -1).trim().replaceAll(/\s+/g, ' ').toLowerCase();
}
