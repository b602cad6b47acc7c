import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImportedFile } from '../../../src/app/sessionHistory.ts';
import {
  hasProblems,
  importPercent,
  importReportText,
  importSummary,
} from '../../../src/extension/importTexts.ts';
import { plainLocalizer } from '../../helpers/plainLocalizer.ts';

const file = (given: Partial<ImportedFile>): ImportedFile => ({
  file: '/home/me/a.jsonl',
  agent: 'claude',
  session: 's',
  added: 0,
  updated: 0,
  isUnchanged: false,
  unreadable: 0,
  kept: 0,
  problem: null,
  ...given,
});
const summary = (files: readonly ImportedFile[], wasCancelled = false): string =>
  importSummary({ files, wasCancelled }, plainLocalizer);

test('one message says what came of an import', () => {
  assert.equal(summary([]), 'No transcripts of agents were found.');
  assert.equal(summary([file({ isUnchanged: true })]), 'No new turns in 1 transcript.');
  assert.equal(
    summary([
      file({ added: 2 }),
      file({ added: 1, session: 't', updated: 1 }),
      file({ session: null, problem: 'It is gone.' }),
    ]),
    '3 turns of 2 sessions imported from 3 transcripts. 1 turn made more complete. 1 transcript could not be read, or not whole.',
  );
});

test('a cancelled import says that what was read is kept', () => {
  const cancelled = 'The import was cancelled; what was read until then is kept.';
  assert.equal(summary([], true), cancelled);
  assert.equal(
    summary([file({ added: 1 })], true),
    `${cancelled} 1 turn of 1 session imported from 1 transcript.`,
  );
});

test('the report names every transcript, those with a problem first, names as data', () => {
  const files = [
    file({ added: 2, kept: 3 }),
    file({ file: '/b.jsonl', isUnchanged: true }),
    file({ file: '/x\n# <b>c.jsonl', session: null, problem: 'It is gone.' }),
    file({ file: '/d.jsonl', updated: 1, problem: '2 of its lines could not be read.' }),
  ];
  const [, ...parts] = importReportText({ files, wasCancelled: false }, plainLocalizer).split(
    '## ',
  );
  assert.deepEqual(parts, [
    'Could not be read, or not whole\n\nClaude Code: /x # <b>c.jsonl\nIt is gone.\n\nClaude Code: /d.jsonl\n2 of its lines could not be read. Turns: 0 new, 1 made more complete.\n\n',
    'Read\n\nClaude Code: /home/me/a.jsonl\nTurns: 2 new, 0 made more complete, 3 records kept as they are.\n\nClaude Code: /b.jsonl\nAs it was when it was read last.\n',
  ]);
  assert.ok(hasProblems({ files, wasCancelled: false }));
  assert.ok(!hasProblems({ files: [file({})], wasCancelled: false }));
});

test('progress goes by bytes, and never above all of them', () => {
  const at = (bytes: number, ofBytes: number): number =>
    importPercent({ files: 0, of: 1, bytes, ofBytes, file: '' });
  assert.deepEqual([at(0, 300), at(100, 300), at(400, 300), at(0, 0)], [0, 33, 100, 100]);
});
