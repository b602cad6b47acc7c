import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Column, tableLines } from '../../../src/cli/table.ts';
import { render, styled, type Text, widthOf } from '../../../src/cli/text.ts';

const columns: readonly Column[] = [
  { title: 'N', align: 'right' },
  { title: 'EMPTY' },
  { title: 'TEXT', flexible: true },
  { title: 'END' },
];
const bare = columns.map((column) => ({ ...column, title: '' }));

const lines = (given: readonly Column[], rows: readonly (readonly Text[])[], width: number) =>
  tableLines(given, rows, width, 1).map((line) => render(line, false));

describe('table', () => {
  it('aligns by columns of the terminal, not by characters', () => {
    assert.deepEqual(
      lines(
        columns,
        [
          ['1', '', '日本', 'x'],
          ['22', '', styled('red', 'abcde'), 'y'],
        ],
        0,
      ),
      ['  N  EMPTY  TEXT   END', '  1         日本   x', ' 22         abcde  y'],
    );
  });

  it('drops a column that is empty, ends no line with blanks', () => {
    assert.deepEqual(
      lines(
        bare,
        [
          ['1', '', 'abc', ''],
          ['2', '', 'd', 'e'],
        ],
        0,
      ),
      [' 1  abc', ' 2  d    e'],
    );
  });

  it('gives the flexible column what is left of the width', () => {
    const rows = [['1', '', 'a text that is far too long for this', 'end']];
    assert.deepEqual(lines(bare, rows, 30), [' 1  a text that is far t…  end']);
    for (let width = 20; width < 60; width++)
      for (const line of tableLines(bare, rows, width, 1))
        assert.ok(widthOf(line) <= Math.max(width, 22), `${width}`);
  });

  it('is no line at all without rows and titles', () => {
    assert.deepEqual(lines(bare, [], 80), []);
  });
});
