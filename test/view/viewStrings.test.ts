import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { viewStrings } from '../../src/protocol/viewStrings.ts';
import { translator } from '../../webview/strings.ts';
import { projectFolder } from '../tools/paths.ts';

test('every sentence is used by the page', () => {
  const sources = globSync('webview/*.ts', { cwd: projectFolder })
    .map((file) => readFileSync(path.join(projectFolder, file), 'utf8'))
    .join('\n');
  // The kinds of change are their own ids: `t(file.change)`.
  const byValue = ['added', 'modified', 'deleted', 'mode', 'type'];
  const unused = Object.keys(viewStrings).filter(
    (id) => !byValue.includes(id) && !sources.includes(`'${id}'`),
  );
  assert.deepEqual(unused, []);
});

test('placeholders are numbered from 0 without a gap', () => {
  for (const [id, sentence] of Object.entries(viewStrings)) {
    const numbers = [...sentence.matchAll(/\{(\d+)\}/g)].map(([, number]) => Number(number));
    const expected = Array.from({ length: new Set(numbers).size }, (_, number) => number);
    assert.deepEqual([...new Set(numbers)].sort(), expected, id);
  }
});

test('translations take over, English fills the gaps, values are put in as they are', () => {
  const t = translator({ position: '{1} 中的第 {0} 轮' });
  assert.equal(t('position', 7, 12), '12 中的第 7 轮');
  assert.equal(t('turnLabel', 3, 'print {0} and $& and {1}'), 'Turn 3: print {0} and $& and {1}');
  assert.equal(t('turnLabel', 3), 'Turn 3: {1}');
});
