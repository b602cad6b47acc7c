import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  cut,
  firstLine,
  neutralise,
  neutraliseJson,
  neutraliseLine,
  render,
  styled,
  widthOf,
} from '../../../src/cli/text.ts';

describe('neutralise', () => {
  const check = (text: string, expected: string) =>
    it(JSON.stringify(text), () => assert.equal(neutralise(text), expected));

  check('plain Ünïcode 日本 🙂', 'plain Ünïcode 日本 🙂');
  check('\u001b[31mred', '\\x1b[31mred');
  check('\u009b31mred', '\\x9b31mred');
  check('a\nb\tc\rd', 'a\\nb\\tc\\rd');
  check('del\u007f nul\u0000', 'del\\x7f nul\\x00');
  check('txt\u202egnp.exe\u2066', 'txt\\u202egnp.exe\\u2066');
  check('👩‍👩‍👧', '👩‍👩‍👧');

  it('leaves no control character of any kind', () => {
    const every = String.fromCharCode(...Array.from({ length: 0x300 }, (_, code) => code));
    assert.doesNotMatch(neutralise(every), /\p{Cc}/u);
    assert.doesNotMatch(neutraliseLine(every).replaceAll('\t', ''), /\p{Cc}/u);
    assert.doesNotMatch(neutraliseJson(JSON.stringify(every)), /\p{Cc}/u);
    assert.equal(JSON.parse(neutraliseJson(JSON.stringify(every))), every);
  });
});

describe('render', () => {
  it('adds colours only when asked, and never from the text', () => {
    const text = ['a ', styled('red', 'b\u001b[0m'), [styled('dim', '')]];
    assert.equal(render(text, false), 'a b\\x1b[0m');
    assert.equal(render(text, true), 'a \u001b[31mb\\x1b[0m\u001b[39m');
  });
});

describe('width', () => {
  const check = (text: string, columns: number) =>
    it(JSON.stringify(text), () => assert.equal(widthOf(text), columns));

  check('', 0);
  check('abc', 3);
  check('é', 1);
  check('e\u0301', 1);
  check('日本', 4);
  check('🙂', 2);
  check('👩‍👩‍👧', 2);
  check('한글', 4);
  check('\u0007', 4);
});

describe('cut', () => {
  const check = (text: string, width: number, expected: string) =>
    it(`${JSON.stringify(text)} to ${width}`, () => {
      const shown = cut(text, width);
      assert.equal(render(shown, false), expected);
      assert.ok(widthOf(shown) <= width);
    });

  check('abc', 3, 'abc');
  check('abcd', 3, 'ab…');
  check('日本語', 5, '日本…');
  check('日本語', 4, '日…');
  check('a\u001b[2J', 4, 'a\\x…');
  check('', 1, '');

  it('keeps the style of what remains', () => {
    assert.deepEqual(cut(['ab', styled('red', 'cdef')], 4), ['ab', styled('red', 'c…')]);
  });
});

describe('firstLine', () => {
  const check = (text: string, expected: string) =>
    it(JSON.stringify(text), () => assert.equal(firstLine(text), expected));

  check('one', 'one');
  check('  one  \n two', 'one …');
  check('\r\n\r\none\r\ntwo', 'one …');
  check('', '');
});
