/** Marks within a line: emphasis, code, links. Everything else is text, HTML too. */
import type { SyntaxNode } from '@lezer/common';
import { html, nothing } from 'lit';
import { entityText } from './entity.ts';
import { childrenOf, labelKey, type Source } from './parser.ts';
import { safeLink } from './safeLink.ts';

/** Marks within marks; deeper ones are shown as they are written. */
const deepest = 20;

const hidden = new Set([
  'HeaderMark',
  'QuoteMark',
  'EmphasisMark',
  'StrikethroughMark',
  'CodeMark',
  'TaskMarker',
]);

/** What is in a node, from its first character to its last. */
export function inline(node: SyntaxNode, source: Source, depth = 0): readonly unknown[] {
  return between(childrenOf(node), node.from, node.to, source, depth);
}

function between(
  nodes: readonly SyntaxNode[],
  from: number,
  to: number,
  source: Source,
  depth: number,
): readonly unknown[] {
  const parts: unknown[] = [];
  let at = from;
  const addText = (until: number): void => {
    if (until > at) parts.push(withoutIndent(source.text.slice(at, until)));
  };
  for (const node of nodes) {
    addText(node.from);
    parts.push(depth > deepest ? raw(node, source) : inlineNode(node, source, depth + 1));
    at = node.to;
    if (node.name === 'QuoteMark' && source.text[at] === ' ') at++;
  }
  addText(to);
  return parts;
}

/** A line that goes on in a list stands below its beginning; that is no part of what it says. */
function withoutIndent(text: string): string {
  return text.replaceAll(/\n[ \t]+/g, '\n');
}

function raw({ from, to }: SyntaxNode, { text }: Source): string {
  return text.slice(from, to);
}

function inlineNode(node: SyntaxNode, source: Source, depth: number): unknown {
  if (hidden.has(node.name)) return nothing;
  switch (node.name) {
    case 'Emphasis':
      return html`<em>${inline(node, source, depth)}</em>`;
    case 'StrongEmphasis':
      return html`<strong>${inline(node, source, depth)}</strong>`;
    case 'Strikethrough':
      return html`<del>${inline(node, source, depth)}</del>`;
    case 'InlineCode':
      return html`<code>${codeText(node, source)}</code>`;
    case 'Escape':
      return source.text.slice(node.from + 1, node.to);
    case 'Entity':
      return entityText(raw(node, source));
    case 'HardBreak':
      return '\n';
    case 'Link':
      return link(node, source, depth);
    case 'Image':
      return html`<span class="picture">${source.image(labelOf(node, source))}</span>`;
    case 'URL':
    case 'Autolink':
      return bareLink(raw(node, source));
    default:
      return raw(node, source);
  }
}

/** One space within the backticks at either end makes room for a backtick and is not part of the code. */
function codeText(node: SyntaxNode, source: Source): string {
  const marks = node.getChildren('CodeMark');
  const code = source.text
    .slice(marks[0]?.to ?? node.from, marks.at(-1)?.from ?? node.to)
    .replaceAll('\n', ' ');
  return /^ .*[^ ].* $/.test(code) ? code.slice(1, -1) : code;
}

function link(node: SyntaxNode, source: Source, depth: number): unknown {
  const url = urlOf(node, source);
  // No reference of that name: brackets that somebody wrote for themselves.
  if (url === undefined) return raw(node, source);
  const marks = node.getChildren('LinkMark');
  const from = marks[0]?.to ?? node.from;
  const to = marks[1]?.from ?? node.to;
  const inner = childrenOf(node).filter((child) => child.from >= from && child.to <= to);
  const label = between(inner, from, to, source, depth);
  const address = safeLink(url);
  return address === undefined
    ? html`<span class="place" title=${url}>${label}</span>`
    : html`<a href=${address} title=${address}>${label}</a>`;
}

function urlOf(node: SyntaxNode, source: Source): string | undefined {
  const url = node.getChild('URL');
  if (url !== null) return raw(url, source);
  const label = node.getChild('LinkLabel');
  const written = label === null ? '' : raw(label, source);
  const key = written.length > 2 ? labelKey(written) : labelKey(`[${labelOf(node, source)}]`);
  return source.references.get(key);
}

/** The text between the brackets, as it is written. */
function labelOf(node: SyntaxNode, source: Source): string {
  const marks = node.getChildren('LinkMark');
  return source.text.slice(marks[0]?.to ?? node.from, marks[1]?.from ?? node.to);
}

function bareLink(written: string): unknown {
  const shown = written.startsWith('<') ? written.slice(1, -1) : written;
  const address = safeLink(shown);
  return address === undefined ? written : html`<a href=${address} title=${address}>${shown}</a>`;
}
