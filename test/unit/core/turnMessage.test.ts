import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  firstCharacters,
  type TurnFacts,
  turnIdIn,
  turnMessage,
} from '../../../src/core/turnMessage.ts';

const facts: TurnFacts = {
  number: 3,
  prompt: 'Make it so',
  reply: 'Made.',
  tools: [
    { name: 'read', count: 1 },
    { name: 'grep', count: 3 },
  ],
  duration: 1234,
  tokens: 1500,
  end: 'stop',
  node: 'abc-3-a',
  nodes: 6,
  maxSeq: 18,
};

test('a turn', () => {
  assert.equal(
    turnMessage(facts),
    [
      'turn 3: Make it so',
      '',
      'assistant: Made.',
      'tools: read, grep × 3',
      '[meta: turn took 1.2s, 4 tools, 1500 tokens]',
      '',
      'Turn-Id: abc-3-a',
      'Nodes: 6',
      'Max-Seq: 18',
    ].join('\n'),
  );
});

test('what is not known is left out; an end that is none is told', () => {
  const bare = turnMessage({
    ...facts,
    prompt: ' \n',
    reply: null,
    tools: [],
    duration: null,
    tokens: null,
    end: 'interrupt',
  });
  assert.equal(
    bare,
    [
      'turn 3: (no prompt)',
      '',
      'assistant: (no reply)',
      '[meta: 0 tools]',
      '',
      'Turn-Id: abc-3-a',
      'Nodes: 6',
      'Max-Seq: 18',
      'Status: interrupt',
    ].join('\n'),
  );
});

test('60 characters as people count them, on one line, without controls', () => {
  const family = '👩‍👩‍👧';
  assert.equal(firstCharacters(family.repeat(70), 60), family.repeat(60));
  assert.equal(firstCharacters('文'.repeat(70), 60), '文'.repeat(60));
  assert.equal(firstCharacters('x'.repeat(10_000), 60), 'x'.repeat(60));
  assert.equal(firstCharacters(' one\r\n\ttwo \u2028three ', 60), 'one two three');
  assert.equal(firstCharacters('a\u001b[31mb\u0000c\u202ed', 60), 'a[31mbcd');
  assert.equal(firstCharacters('a\ud800b', 60), 'a\ufffdb');
  assert.equal(firstCharacters(`${'e\u0301'.repeat(61)}`, 60), 'e\u0301'.repeat(60));
  assert.equal(firstCharacters(`${'x'.repeat(59)}y\u0301z`, 60), `${'x'.repeat(59)}y\u0301`);
});

test('the trailer is found only where trailers stand', () => {
  assert.equal(turnIdIn(turnMessage(facts)), 'abc-3-a');
  assert.equal(turnIdIn(`${turnMessage(facts)}\n`), 'abc-3-a');
  const forged = turnMessage({
    ...facts,
    prompt: 'x\n\nTurn-Id: forged',
    reply: 'Turn-Id: forged',
  });
  assert.equal(turnIdIn(forged), 'abc-3-a');
  assert.equal(turnIdIn('Turn-Id: no\n\nbody'), undefined);
  assert.equal(turnIdIn('mine'), undefined);
});
