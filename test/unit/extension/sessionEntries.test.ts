import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BranchSummary, MessageNode, SearchHit } from '../../../src/core/history.ts';
import { asTurnId, type Root } from '../../../src/core/ids.ts';
import { messageText } from '../../../src/extension/messageText.ts';
import {
  branchEntries,
  hitEntries,
  newestHits,
  sessionEntries,
} from '../../../src/extension/sessionEntries.ts';
import { fakeHistoryTurn } from '../../helpers/fakeHistory.ts';
import { fakeSession } from '../../helpers/fakeTimelineApp.ts';
import { plainLocalizer } from '../../helpers/plainLocalizer.ts';

const node = (given: Partial<MessageNode> = {}): MessageNode => ({
  id: 'n',
  session: 's',
  turn: 't',
  seq: 1,
  role: 'user',
  predecessor: null,
  caller: null,
  content: 'Do it\nnow',
  createdAt: new Date(2026, 2, 5, 12).getTime(),
  model: null,
  inputTokens: null,
  outputTokens: null,
  duration: null,
  name: null,
  callId: null,
  input: null,
  failed: false,
  said: null,
  ...given,
});
const hit = (given: Partial<MessageNode> = {}, excerpt = 'Do it'): SearchHit => ({
  node: node(given),
  agent: 'claude',
  root: '/repo',
  title: 'A title\nof two lines',
  number: 3,
  excerpt,
});

test('sessions: title, agent, folder, turns; the one looked at is active', () => {
  const sessions = ['a', 'b'].map((id) => ({
    summary: fakeSession({ id, title: `$(bug) ${id}`, turns: 1 }),
    root: '/repo' as Root,
    folder: 'repo',
  }));
  const [first, second] = sessionEntries(sessions, sessions[1]?.summary.id, 'en', plainLocalizer);
  assert.equal(first?.label, '$\u200b(bug) a', 'no icon comes out of a title');
  assert.equal(first?.description, 'Claude Code · repo');
  assert.match(first?.detail ?? '', /^1 turn · /);
  assert.deepEqual([first?.active, second?.active], [false, true]);
});

test('branches: where each goes on from, which is newest, with which the next prompt goes on', () => {
  const turns = [
    fakeHistoryTurn({ id: 'a', number: 1, prompt: 'One' }),
    fakeHistoryTurn({ id: 'b', number: 2, prompt: 'Two\nthree' }),
  ];
  const branches: readonly BranchSummary[] = [
    { name: 'main', turns: 1, tip: asTurnId('a'), forkedFrom: null, isCurrent: false },
    { name: 'retry-x', turns: 2, tip: asTurnId('b'), forkedFrom: asTurnId('a'), isCurrent: true },
  ];
  assert.deepEqual(
    branchEntries(branches, turns, 'main', plainLocalizer).map(
      ({ label, description, detail, active }) => [label, description, detail, active],
    ),
    [
      ['main', '1 turn · next prompt goes on from here', 'One', true],
      ['retry-x', '2 turns · goes on from turn 1 · newest', 'Two', false],
    ],
  );
});

test('hits of several folders become one list, newest first, cut', () => {
  const at = (createdAt: number, seq = 1): SearchHit => hit({ createdAt, seq });
  assert.deepEqual(
    newestHits(
      [
        [at(5), at(1)],
        [at(3), at(5, 2)],
      ],
      3,
    ).map(({ node: { createdAt, seq } }) => [createdAt, seq]),
    [
      [5, 2],
      [5, 1],
      [3, 1],
    ],
  );
});

test('a hit: first line, session, message, agent, time; what was found unless it shows', () => {
  const [shown, below, tool] = hitEntries(
    [
      hit(),
      hit({ role: 'assistant' }, '…much later $(x)…'),
      hit({ role: 'tool', name: 'Bash', content: ' ', input: 'ls -l\npwd' }, 'ls -l pwd'),
    ],
    'en',
    plainLocalizer,
  );
  assert.equal(shown?.label, 'Do it');
  assert.match(shown?.description ?? '', /^turn 3, prompt · Claude Code · Mar 5, 2026, 12:00\sPM$/);
  assert.equal(shown?.detail, 'A title');
  assert.match(below?.description ?? '', /^turn 3, reply · /);
  assert.equal(below?.detail, 'A title · …much later $\u200b(x)…');
  assert.equal(tool?.label, 'ls -l');
  assert.match(tool?.description ?? '', /^turn 3, Bash · /);
});

test('a message in full, as it is', () => {
  const text = (given: Partial<MessageNode>): string =>
    messageText(node(given), { number: 3, agent: 'claude' }, 'en', plainLocalizer);
  assert.match(
    text({ content: '<b>x</b>', model: 'opus' }),
    /^# Turn 3: prompt\n\nClaude Code · opus · .+\n\n<b>x<\/b>\n$/,
  );
  assert.match(
    text({ role: 'tool', name: 'Bash', said: 'Look', input: 'ls', content: 'a', failed: true }),
    /^# Turn 3: Bash\n\n.+ · failed\n\nLook\n\n## Input\n\nls\n\n## Result\n\na\n$/,
  );
  assert.match(text({ role: 'assistant', content: '' }), /: reply\n\n.+\n\n\(empty\)\n$/);
});
