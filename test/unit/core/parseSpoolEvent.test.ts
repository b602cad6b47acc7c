/** Spool entries: what is written is read back; anything else is a problem in words that quote nothing. */
import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { parseSpoolEvent } from '../../../src/core/parseSpoolEvent.ts';

const base = { v: 1, id: 'i', at: 5, session: 's#1', agent: 'claude', root: '/r' };
const turn = 's#1#12';
const good: readonly Record<string, unknown>[] = [
  { ...base, kind: 'session' },
  { ...base, kind: 'session', transcript: '/t' },
  { ...base, kind: 'sessionEnd' },
  { ...base, kind: 'turn', turn, seq: 12, number: 3, prompt: '' },
  {
    ...base,
    kind: 'turn',
    turn,
    seq: 12,
    number: 3,
    prompt: 'x',
    promptId: 'p',
    model: 'm',
    head: { commit: 'c', branch: null },
  },
  {
    ...base,
    kind: 'tool',
    turn,
    tool: 'Edit',
    toolClass: 'write',
    saved: ['a'],
    unprotected: [{ path: '', reason: 'r' }],
  },
  {
    ...base,
    kind: 'tool',
    turn,
    tool: 'Bash',
    toolClass: 'shell',
    saved: [],
    unprotected: [],
    callId: 'c',
    summary: '',
  },
  { ...base, kind: 'after', turn },
  { ...base, kind: 'end', turn, end: 'stop', reply: 'r', later: 1 },
];

for (const event of good)
  test(`${event['kind']} with ${Object.keys(event).length} members`, () => {
    assert.deepEqual(parseSpoolEvent(JSON.stringify(event)), event);
  });

test('cut anywhere it is a problem', () => {
  for (const event of good) {
    const text = JSON.stringify(event);
    for (let end = 0; end < text.length; end++)
      assert.ok('problem' in parseSpoolEvent(text.slice(0, end)), text.slice(0, end));
  }
});

describe('a member of another type', () => {
  for (const event of good) {
    for (const name of Object.keys(event).filter((key) => key !== 'later')) {
      it(`${event['kind']}: ${name}`, () => {
        for (const value of [{ secret: 'hidden' }, 1.5, true]) {
          const result = parseSpoolEvent(JSON.stringify({ ...event, [name]: value }));
          if (name === 'at' && value === 1.5) assert.ok('problem' in result);
          assert.ok('problem' in result, JSON.stringify({ name, value }));
          assert.doesNotMatch(result.problem, /hidden/);
        }
      });
    }
  }
});

test('a turn belongs to its session and has its number', () => {
  for (const wrong of [
    's#1',
    's#1#',
    's#1#0',
    's#1#012',
    's#1#x',
    's#2#12',
    'x',
    `s#1#${'9'.repeat(20)}`,
  ])
    assert.ok(
      'problem' in parseSpoolEvent(JSON.stringify({ ...base, kind: 'after', turn: wrong })),
      wrong,
    );
  assert.ok(
    'problem' in
      parseSpoolEvent(
        JSON.stringify({ ...base, kind: 'turn', turn, seq: 2, number: 1, prompt: '' }),
      ),
  );
});
