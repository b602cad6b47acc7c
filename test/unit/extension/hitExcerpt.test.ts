import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hitExcerpt } from '../../../src/extension/hitExcerpt.ts';

const shown = (excerpt: string, typed: string): string =>
  hitExcerpt(excerpt, typed)
    .map(({ text, isFound }) => (isFound ? `[${text}]` : text))
    .join('');

test('what was found is marked, and not far from the beginning of the line', () => {
  assert.equal(
    shown('…ated code: import { readFileSync } from "node:fs"; import { columns } from', 'columns'),
    '…"node:fs"; import { [columns] } from',
  );
  assert.equal(shown('The counts are aligned', 'counts aligned'), 'The [counts] are [aligned]');
  assert.equal(shown(`${'a'.repeat(40)}/token`, 'token'), `…${'a'.repeat(23)}/[token]`);
});

test('a line that shows nothing of it stays as it is', () => {
  assert.equal(shown('found by the name of its tool', 'Bash'), 'found by the name of its tool');
  assert.deepEqual(hitExcerpt('', 'a'), []);
});
