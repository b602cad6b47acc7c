import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BranchSummary, HistoryTurn } from '../../../src/core/history.ts';
import { asTurnId } from '../../../src/core/ids.ts';
import { branchGraph } from '../../../src/extension/branchGraph.ts';
import { conversationText } from '../../../src/extension/conversationText.ts';
import { fakeHistoryTurn } from '../../helpers/fakeHistory.ts';
import { fakeSession } from '../../helpers/fakeTimelineApp.ts';
import { plainLocalizer } from '../../helpers/plainLocalizer.ts';

const summary = fakeSession({ id: 's', title: 'Make\nit', agent: 'gemini' });
const branch = (name: string, tip: string, forkedFrom: string | null): BranchSummary => ({
  name,
  turns: 1,
  tip: asTurnId(tip),
  forkedFrom: forkedFrom === null ? null : asTurnId(forkedFrom),
  isCurrent: false,
});
const textOf = (turns: readonly HistoryTurn[], branches: readonly BranchSummary[]): string =>
  conversationText(
    {
      summary,
      turns,
      branches,
      position: {
        session: summary.id,
        branch: 'main',
        turn: asTurnId('b'),
        index: 2,
        count: 2,
        isLatest: true,
      },
    },
    'en',
    plainLocalizer,
  );

test('branches stand in columns, from the turn they go on from; a column is used again', () => {
  /** One word a turn: its branch, and for the first of a branch the line of the turn it goes on from. */
  const graph = (words: string): readonly string[] =>
    branchGraph(
      words.split(' ').map((word, line) => ({
        id: asTurnId(String(line)),
        parent: word.length > 1 ? asTurnId(word.slice(1)) : null,
        branch: word.slice(0, 1),
      })),
    );
  assert.deepEqual(graph('a a a'), ['*', '*', '*']);
  assert.deepEqual(graph('a a b0 a b'), ['*', '* |', '| *', '* |', '  *']);
  assert.deepEqual(graph('a b0 b a c0 a'), ['*', '| * |', '| * |', '*   |', '|   *', '*']);
  assert.deepEqual(graph('a a b0 c2'), ['*', '* |', '  *', '*']);
  assert.deepEqual(graph('a a b0 c1'), ['*', '* |', '  * |', '    *']);
  assert.deepEqual(branchGraph([]), []);
});

test('an outline with branches, then every prompt and reply as they are', () => {
  const text = textOf(
    [
      fakeHistoryTurn({ id: 'a', number: 1, prompt: 'Do\nit', reply: '<b>[x](command:y)</b>' }),
      fakeHistoryTurn({ id: 'b', number: 2, parent: asTurnId('a'), prompt: 'More', reply: null }),
      fakeHistoryTurn({
        ...{ id: 'c', number: 2, parent: asTurnId('a'), branch: 'retry-1', prompt: 'Else' },
        ...{ reply: 'Well', tools: [{ name: 'Edit', count: 2 }], imported: true },
      }),
    ],
    [branch('main', 'b', null), branch('retry-1', 'c', 'a')],
  );
  assert.match(text, /^# Make\n\nGemini CLI · \/repo · .+ · 3 turns · 2 branches\n\n/);
  assert.ok(
    text.includes(
      '\n    * 1 (main) Do\n    * | 2 More ← next prompt goes on from here\n      * 2 (retry-1, goes on from turn 1) Else\n',
    ),
    text,
  );
  assert.match(
    text,
    /\n## Turn 1 · main · [^\n]+\n\n### Prompt\n\nDo\nit\n\n### Reply\n\n<b>\[x\]/,
  );
  assert.match(text, /\n### Reply\n\n\(none recorded\)\n/);
  assert.match(text, /\n## Turn 2 · retry-1 · [^\n]+ · Edit ×2 · imported\n/);
  assert.ok(text.endsWith('### Reply\n\nWell\n'));
});

test('without a fork no branch is named', () => {
  const text = textOf([fakeHistoryTurn({ id: 'a', number: 1 })], [branch('main', 'a', null)]);
  assert.doesNotMatch(text, /main|branches/);
});
