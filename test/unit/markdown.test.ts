/** What is read as Markdown in a conversation, and that no text keeps the page busy. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseMarkdown } from '../../webview/markdown/parser.ts';
import { safeLink } from '../../webview/markdown/safeLink.ts';

const parsed = (text: string) => parseMarkdown(text, (alternative) => alternative).top;

/** Names of all nodes, and how deep they are nested at most. */
function nodesIn(text: string): { readonly names: ReadonlySet<string>; readonly depth: number } {
  const names = new Set<string>();
  let [depth, most] = [0, 0];
  parsed(text).tree?.iterate({
    enter: ({ name }) => {
      names.add(name);
      most = Math.max(most, ++depth);
    },
    leave: () => {
      depth--;
    },
  });
  return { names, depth: most };
}

it('a long text is read, paragraph by paragraph', () => {
  const { names } = nodesIn(
    'Some **bold** words and a [link](https://example.org/).\n\n'.repeat(2_000),
  );
  assert.ok(names.has('StrongEmphasis') && names.has('Link'));
});

it('a paragraph, a heading or a cell of many thousand characters is a text', () => {
  for (const unit of ['[a](', '[a][', '**a*', '![', '[[a](b)', '`a``b'])
    for (const before of ['', '# ', '| a |\n|---|\n| '])
      assert.ok(!nodesIn(before + unit.repeat(25_000)).names.has('Emphasis'));
});

it('blocks in blocks end somewhere', () => {
  for (const unit of ['1. ', '> ', '>', '+ ', '* - ']) {
    const { names, depth } = nodesIn(unit.repeat(30_000));
    assert.ok(names.has('Paragraph'));
    assert.ok(depth < 200, unit);
  }
});

it('links lead to web pages only', () => {
  const addresses = [
    ...['javascript:alert(1)', 'JaVaScRiPt:x', '\u0001javascript:x', 'java\nscript:x'],
    ...['data:text/html,x', 'command:x', 'vscode://x', 'file:///etc/passwd', '//x.org', '#a'],
    ...['mailto:a@b.org?body=x', 'tel:1', 'blob:https://x.org/1', 'a@b.org'],
  ];
  assert.deepEqual(
    addresses.map(safeLink).filter((link) => link !== undefined),
    [],
  );
  assert.equal(safeLink('www.example.org'), 'https://www.example.org/');
  assert.equal(safeLink('<http://example.org/a>'), 'http://example.org/a');
});
