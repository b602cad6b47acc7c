/** Memory in a block of a document: written, read back, and everything around it as it was. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UserError } from '../../../src/core/errors.ts';
import { layoutOf } from '../../../src/memory/markdown.ts';
import { blockIn, type MemoryBlock, withBlock } from '../../../src/memory/memoryBlock.ts';

const file = 'AGENTS.md';
const block: MemoryBlock = {
  facts: [
    { key: 'package_manager', value: 'pnpm, never npm' },
    { key: 'empty', value: '' },
  ],
  notes: [
    { name: 'Release', body: '# Steps\n\n1. tag\n\n```\n## Notes\n```', mode: null, pinned: true },
    { name: '发布 --> x', body: 'one\n<!-- /memcode:memory -->\ntwo', mode: 'dev', pinned: false },
    { name: 'Open', body: '```sh\nnever closed', mode: null, pinned: false },
    {
      name: 'Marks',
      body: '<!-- \\memcode:facts -->\n<!-- memcode:note {} -->',
      mode: null,
      pinned: false,
    },
  ],
};

const documents: readonly (readonly [string, string | undefined])[] = [
  ['none', undefined],
  ['empty', ''],
  ['plain', '# Project\n\nUse tabs.\n'],
  ['no final newline', '# Project\n\nUse tabs.'],
  ['CRLF', '# Project\r\n\r\nUse tabs.\r\n'],
  ['a byte order mark', '\uFEFF# Project\n'],
  ['an open fence', 'Example:\n\n```\ncode\n'],
];

for (const [name, text] of documents)
  test(`the round trip leaves human text alone: ${name}`, () => {
    const written = withBlock(text, block, file);
    const { isUntouched, saysMore, ...found } = blockIn(written, file) ?? assert.fail('no block');
    assert.deepEqual(found, block);
    assert.deepEqual([isUntouched, saysMore], [true, false]);
    assert.ok(written.startsWith(text?.trimEnd() ?? ''), 'what was there comes first, as it was');
    assert.equal(withBlock(written, block, file), written, 'twice is once');
    assert.equal(/(?<!\r)\n/.test(written), !name.startsWith('CRLF'), 'the ends of lines are kept');
  });

test('text before and behind the block stays while the block changes and goes', () => {
  const start = withBlock('# Project\n', block, file);
  // Also where a note leaves a code block open.
  const around = `${start}\n## Human\n\nKeep me.\n`;
  assert.ok(layoutOf(around).headings.some(({ text }) => text === 'Human'));
  const less = { facts: [], notes: block.notes.slice(0, 1) };
  const changed = withBlock(around, less, file);
  assert.ok(changed.startsWith('# Project\n\n<!-- memcode:memory '));
  assert.ok(changed.endsWith('<!-- /memcode:memory -->\n\n## Human\n\nKeep me.\n'));
  assert.deepEqual(blockIn(changed, file)?.notes, less.notes);
  const gone = withBlock(changed, { facts: [], notes: [] }, file);
  assert.equal(gone.replace(/\n+/g, '\n'), '# Project\n## Human\nKeep me.\n');
});

test('ends of lines that differ, and a byte order mark within the text, stay as they are', () => {
  const before = '# Project\r\n\nUse\uFEFF tabs.\n';
  const after = '\r\nKeep me.\nAnd me.\r\n';
  const written = withBlock(before, block, file) + after;
  assert.ok(written.startsWith(before));
  const changed = withBlock(written, { ...block, facts: [] }, file);
  assert.ok(changed.startsWith(before) && changed.endsWith(after));
  assert.deepEqual(blockIn(changed, file)?.notes, block.notes);
  assert.equal(blockIn(changed, file)?.isUntouched, true);
});

test('what only looks like a block is none', () => {
  const fenced = '```md\n<!-- memcode:memory -->\n<!-- /memcode:memory -->\n```\n';
  const inline = 'See `<!-- memcode:memory -->` and memcode:memory.\n';
  for (const text of [fenced, inline, '']) {
    assert.equal(blockIn(text, file), undefined);
    assert.ok(withBlock(text, block, file).startsWith(text.trimEnd()));
  }
});

test('half a block and two blocks are told, by the file’s name', () => {
  const one = withBlock(undefined, block, file);
  for (const text of [
    `${one}\n${one}`,
    one.replace('<!-- /memcode:memory -->\n', ''),
    '<!-- memcode:memory -->',
  ])
    for (const use of [() => blockIn(text, file), () => withBlock(text, block, file)])
      assert.throws(use, (error) => {
        assert.ok(error instanceof UserError);
        assert.equal(error.code, 'damaged');
        assert.match(error.message, /^AGENTS\.md: /);
        return true;
      });
});

test('a block that people changed is known, and whether it says more than its facts and notes', () => {
  const written = withBlock(undefined, block, file);
  const edited = written.replace('pnpm, never npm', 'yarn');
  const found = blockIn(edited, file) ?? assert.fail();
  assert.equal(found.isUntouched, false);
  assert.deepEqual(found.facts[0], { key: 'package_manager', value: 'yarn' });
  assert.equal(found.saysMore, false);
  const prose = written.replace('## Memory\n', '## Memory\n\nRead this first.\n');
  assert.equal(blockIn(prose, file)?.saysMore, true);
});
