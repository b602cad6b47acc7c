import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrivalText } from '../../../src/core/arrivalText.ts';
import type { SpoolBody, SpoolEvent } from '../../../src/core/spoolEvent.ts';

const of = (body: SpoolBody, agent = 'gemini'): string => {
  const event: SpoolEvent = {
    ...{ v: 1, id: 'e', at: 0, session: 's1', agent, root: '/shop' },
    ...body,
  };
  return arrivalText(event);
};

test('an event is told by agent, act, session and folder', () => {
  const prompt = { turn: 't', seq: 1, number: 3, prompt: 'Secret' };
  assert.equal(
    of({ kind: 'turn', ...prompt }),
    'Gemini CLI: prompt of turn 3 (session s1 in /shop)',
  );
  assert.equal(
    of({ kind: 'end', turn: 't', end: 'stop', reply: 'Secret' }, 'unknown'),
    'An unknown agent: end of the turn (stop) (session s1 in /shop)',
  );
  assert.match(of({ kind: 'session' }, 'claude'), /^Claude Code: session start \(/);
});

test('a tool is told with what was saved, in one line', () => {
  const tool = { kind: 'tool', turn: 't', toolClass: 'write', saved: ['a', 'b'] } as const;
  const unprotected = [{ path: 'c', reason: 'Too large.' }];
  assert.equal(
    of({ ...tool, tool: 'Edit', unprotected }),
    'Gemini CLI: before Edit, 2 saved, 1 not saved (session s1 in /shop)',
  );
  assert.doesNotMatch(of({ ...tool, tool: 'x\n2026 forged', unprotected: [] }), /\n/);
});
