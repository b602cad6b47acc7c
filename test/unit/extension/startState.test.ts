import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type StartFacts, startState } from '../../../src/extension/startState.ts';

test('the welcome view knows what is missing', () => {
  const usual: StartFacts = {
    folders: 1,
    trusted: true,
    sessions: 0,
    connected: true,
    failed: false,
  };
  const cases: [Partial<StartFacts>, ReturnType<typeof startState>][] = [
    [{}, 'noSession'],
    [{ connected: false }, 'notConnected'],
    [{ trusted: false, connected: false }, 'untrusted'],
    [{ trusted: false, sessions: 2 }, 'ready'],
    [{ sessions: 1, connected: false }, 'ready'],
    [{ sessions: undefined }, 'starting'],
    [{ sessions: undefined, failed: true }, 'failed'],
    [{ folders: 0, failed: true }, 'noFolder'],
  ];
  for (const [given, expected] of cases) {
    assert.equal(startState({ ...usual, ...given }), expected, JSON.stringify(given));
  }
});
