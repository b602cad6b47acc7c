import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutText, firstFew, firstLine, plainMessage } from '../../../src/extension/shortText.ts';

test('a text is cut with an ellipsis and never inside a character', () => {
  const cases: [string, number, string][] = [
    ['short', 10, 'short'],
    ['  around  ', 10, 'around'],
    ['exactly ten', 11, 'exactly ten'],
    ['one too many', 11, 'one too ma…'],
    ['words and space', 7, 'words…'],
    ['abc😀def', 5, 'abc…'],
    ['', 5, ''],
  ];
  for (const [text, max, expected] of cases) assert.equal(cutText(text, max), expected, text);
});

test('the first line is the first one that says something', () => {
  assert.equal(firstLine('\n\n  Add a test\r\nand more', 80), 'Add a test');
  assert.equal(firstLine('   ', 80), '');
});

test('a long list says how many more there are', () => {
  assert.deepEqual(firstFew([1, 2, 3], 3), { few: [1, 2, 3], more: 0 });
  assert.deepEqual(firstFew([1, 2, 3], 2), { few: [1, 2], more: 1 });
});

test('no name makes a link of a message', () => {
  assert.equal(plainMessage('Restored [x](command:y)'), 'Restored [x]\u200b(command:y)');
  assert.equal(plainMessage('a[1] (b)'), 'a[1] (b)');
});
