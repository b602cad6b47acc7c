import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noteLine, withNote } from '../../../src/memory/quickAdd.ts';

function check(name: string, before: string | undefined, after: string): void {
  test(`a note to a document: ${name}`, () => {
    assert.equal(withNote(before, 'new'), after);
  });
}

const fresh = '# Project memory\n\n## Notes\n\n- new\n';
check('none there', undefined, fresh);
check('a blank one', ' \n', fresh);
check('without the heading', '# A\n\ntext\n', '# A\n\ntext\n\n## Notes\n\n- new\n');
check('without a final newline', '# A', '# A\n\n## Notes\n\n- new\n');
check('to a list', '## Notes\n\n- one\n', '## Notes\n\n- one\n- new\n');
check('to a list with a long item', '## Notes\n* a\n  b\n', '## Notes\n* a\n  b\n- new\n');
check('after text', '## Notes\n\ntext\n', '## Notes\n\ntext\n\n- new\n');
check('to an empty section', '## Notes\n', '## Notes\n\n- new\n');
check('under an underlined heading', 'Notes\n---\n- a\n', 'Notes\n---\n- a\n- new\n');
check('under a closed heading', '## Notes ##\n- a\n', '## Notes ##\n- a\n- new\n');
check(
  'in the middle',
  '# A\n\n## Notes\n\n- a\n\n### More\n\nx\n\n## B\n\ny\n',
  '# A\n\n## Notes\n\n- a\n\n### More\n\nx\n\n- new\n\n## B\n\ny\n',
);
check('a title ends the section', '## Notes\n- a\n# B\n', '## Notes\n- a\n- new\n\n# B\n');
check('a deeper heading', '### Notes\nx\n', '### Notes\nx\n\n## Notes\n\n- new\n');
check('a longer heading', '## Notes on x\n', '## Notes on x\n\n## Notes\n\n- new\n');
check(
  'headings in a fence',
  '## Notes\n```\n# no\n## Notes\n```\n',
  '## Notes\n```\n# no\n## Notes\n```\n\n- new\n',
);
check(
  'the heading in a fence only',
  '```\n## Notes\n```\n',
  '```\n## Notes\n```\n\n## Notes\n\n- new\n',
);
check('a fence left open', '## Notes\n\n~~~\nx', '## Notes\n\n~~~\nx\n~~~\n\n- new\n');
check('in a quote', '> ## Notes\n', '> ## Notes\n\n## Notes\n\n- new\n');
check('CRLF', '# A\r\n## Notes\r\n- a\r\n', '# A\r\n## Notes\r\n- a\r\n- new\r\n');
check('CRLF without the heading', 'a\r\n', 'a\r\n\r\n## Notes\r\n\r\n- new\r\n');
check('a byte order mark that begins nothing', 'A\uFEFFb\n', 'A\uFEFFb\n\n## Notes\n\n- new\n');
check('a byte order mark', '\uFEFF# A\n', '\uFEFF# A\n\n## Notes\n\n- new\n');
check('import lines stay', '@a.md\n\n## Notes\n- a\n', '@a.md\n\n## Notes\n- a\n- new\n');

test('a note is one line of words', () => {
  assert.equal(noteLine(' a\n\tb\u00a0c\u2028d\u0007e '), 'a b c d e');
  assert.equal(noteLine('\n \u2029\t'), '');
  assert.equal(withNote('# A\n', ' \n '), '# A\n');
  assert.equal(withNote(undefined, ' \n '), '');
  assert.match(withNote(undefined, '# big'), /\n- \\# big\n$/);
  assert.match(withNote(undefined, '``` x'), /\n- \\``` x\n$/);
});
