import assert from 'node:assert/strict';
import { test } from 'node:test';
import { directivesIn } from '../../../src/memory/directives.ts';

function check(name: string, text: string, paths: readonly string[]): void {
  test(`import lines: ${name}`, () => {
    const found = directivesIn(text);
    assert.deepEqual(
      found.map(({ path }) => path),
      paths,
    );
    for (const { from, to, indent, path } of found)
      assert.equal(text.slice(from, to), `${indent}@${path}`);
  });
}

check('a whole line', '@docs/a.md\n', ['docs/a.md']);
check('the last line without an end', 'x\n@docs/a.md', ['docs/a.md']);
check('spaces around it', 'x\n  @a.md  \ny', ['a.md']);
check('CRLF', 'x\r\n@a.md\r\ny\r\n', ['a.md']);
check('back slashes', '@docs\\a.md\n', ['docs\\a.md']);
check('a home folder', '@~/a.md\n', ['~/a.md']);
check('a dot is enough', '@a.b\n', ['a.b']);
check('a name is prose', '@someone\n@\n', []);
check('within a sentence', 'see @docs/a.md for more\n@docs/a.md and more\n', []);
check('an item of a list is no whole line', '- @docs/a.md\n', []);
check('in a fence', '```\n@a.md\n```\n~~~md\n@b.md\n~~~\n@c.md\n', ['c.md']);
check('in a fence that nothing closes', '```\n@a.md\n', []);
check('in a fence of an item', '- x\n\n  ```\n  @a.md\n  ```\n', []);
check('in indented code', 'x\n\n    @a.md\n\n@b.md\n', ['b.md']);
check('indented, in a paragraph', 'x\n    @a.md\n', ['a.md']);
check('in a code span over lines', 'a `b\n@a.md\nc` d\n', []);
check('backticks alone', '`@a.md`\n', []);
check('in a comment', '<!--\n@a.md\n-->\n@b.md\n', ['b.md']);

check('escaped backticks open no code', 'a \\`b\n@a.md\nc` d\n', ['a.md']);
check('runs of backticks that nothing closes', 'a ``b\n@a.md\nc` d\n', ['a.md']);
check('longer runs do not close a span', 'a `b\n@a.md\nc`` d` e\n@b.md\n', ['b.md']);
check('in a comment within a sentence', 'a <!-- b\n@a.md\n--> c\n@b.md\n', ['b.md']);
check('behind a comment that nothing closes', 'a <!-- b\n@a.md\n', ['a.md']);

test('import lines: texts made to take long come to an end', () => {
  const parts = ['_a*', '![[](', '[a](', '<http://a', '*[_`', '>', '- > ', 'a <!--\n', '[a]: <'];
  for (const part of parts) {
    const text = `\`code\`\n${part.repeat(250_000 / part.length)}\n\n@a.md\n`;
    assert.deepEqual(
      directivesIn(text).map(({ path }) => path),
      ['a.md'],
      part,
    );
  }
});

test('import lines: a line made to take long takes no time', () => {
  const text = `@${'./'.repeat(100_000)} x\n`;
  assert.deepEqual(directivesIn(text.repeat(3)), []);
});
