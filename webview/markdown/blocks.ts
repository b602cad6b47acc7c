/**
 * Markdown of agents and people as elements that we make: only the ones named here, with text in them. Raw HTML is text,
 * pictures are not loaded, links lead to web pages only. What is nested too deep is shown as it is written.
 */
import type { SyntaxNode } from '@lezer/common';
import { html, nothing, type TemplateResult } from 'lit';
import { inline } from './inline.ts';
import { childrenOf, parseMarkdown, type Source } from './parser.ts';

const deepest = 30;

const hidden = new Set(['QuoteMark', 'ListMark', 'HeaderMark', 'LinkReference', 'TableDelimiter']);

/** @param image what to say in place of a picture */
export function markdown(text: string, image: Source['image']): TemplateResult {
  const { top, source } = parseMarkdown(text, image);
  return html`<div class="markdown" dir="auto">${blocks(top, source, 0)}</div>`;
}

function blocks(node: SyntaxNode, source: Source, depth: number): readonly unknown[] {
  return childrenOf(node)
    .filter(({ name }) => !hidden.has(name))
    .map((child) => (depth > deepest ? written(child, source) : block(child, source, depth + 1)));
}

/** As text, like everything that is not named here. */
function written({ from, to }: SyntaxNode, { text }: Source): TemplateResult {
  return html`<p>${text.slice(from, to)}</p>`;
}

function block(node: SyntaxNode, source: Source, depth: number): unknown {
  switch (node.name) {
    case 'Paragraph':
      return html`<p>${inline(node, source)}</p>`;
    case 'ATXHeading1':
    case 'SetextHeading1':
    case 'ATXHeading2':
    case 'SetextHeading2':
    case 'ATXHeading3':
    case 'ATXHeading4':
    case 'ATXHeading5':
    case 'ATXHeading6':
      return heading(node, source);
    case 'Blockquote':
      return html`<blockquote>${blocks(node, source, depth)}</blockquote>`;
    case 'BulletList':
      return html`<ul>${items(node, source, depth)}</ul>`;
    case 'OrderedList':
      return html`<ol start=${startOf(node, source)}>${items(node, source, depth)}</ol>`;
    case 'FencedCode':
    case 'CodeBlock':
      return code(node, source);
    case 'HorizontalRule':
      return html`<hr />`;
    case 'Table':
      return table(node, source);
    case 'Task':
      return task(node, source);
    default:
      return written(node, source);
  }
}

/** A message is below headings of our own: its highest one is the fourth. */
function heading(node: SyntaxNode, source: Source): TemplateResult {
  const level = Math.min(6, Number(node.name.slice(-1)) + 3);
  const content = inline(node, source).map((part, i, all) =>
    typeof part !== 'string' ? part : i === 1 || i === all.length - 1 ? part.trim() : part,
  );
  return html`<p class="heading" role="heading" aria-level=${level} data-level=${node.name.slice(-1)}>${content}</p>`;
}

function items(list: SyntaxNode, source: Source, depth: number): readonly TemplateResult[] {
  return list.getChildren('ListItem').map((item) => html`<li>${blocks(item, source, depth)}</li>`);
}

function startOf(list: SyntaxNode, { text }: Source): number {
  const mark = list.getChild('ListItem')?.getChild('ListMark');
  const number = mark ? Number.parseInt(text.slice(mark.from, mark.to), 10) : 1;
  return Number.isFinite(number) ? number : 1;
}

function code(node: SyntaxNode, { text }: Source): TemplateResult {
  const lines = node.getChildren('CodeText').map(({ from, to }) => text.slice(from, to));
  const info = node.getChild('CodeInfo');
  const language = info === null ? '' : (text.slice(info.from, info.to).split(/\s/, 1)[0] ?? '');
  return html`<pre data-language=${language === '' ? nothing : language} tabindex="0"><code>${lines.join('')}</code></pre>`;
}

function task(node: SyntaxNode, source: Source): TemplateResult {
  const marker = node.getChild('TaskMarker');
  const isDone = marker !== null && /x/i.test(source.text.slice(marker.from, marker.to));
  return html`<p><span class="box" role="img" aria-label=${isDone ? '[x]' : '[ ]'}>${isDone ? '☑' : '☐'}</span>${inline(node, source)}</p>`;
}

function table(node: SyntaxNode, source: Source): TemplateResult {
  const row = (name: 'TableHeader' | 'TableRow') =>
    node.getChildren(name).map((line) => line.getChildren('TableCell'));
  const head = row('TableHeader');
  const body = row('TableRow');
  return html`<div class="wide" tabindex="0"><table>
    <thead>${head.map((cells) => html`<tr>${cells.map((cell) => html`<th>${inline(cell, source)}</th>`)}</tr>`)}</thead>
    <tbody>${body.map((cells) => html`<tr>${cells.map((cell) => html`<td>${inline(cell, source)}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}
