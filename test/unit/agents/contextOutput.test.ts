import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contextLimits } from '../../../src/agents/contextLimits.ts';
import { contextOutput } from '../../../src/agents/contextOutput.ts';

test('each agent is told in its own form, where it listens', () => {
  const nested = (hookEventName: string) => ({
    hookSpecificOutput: { hookEventName, additionalContext: 'words' },
  });
  const told = (agent: string) =>
    (['sessionStart', 'prompt'] as const).map((event) => {
      const output = contextOutput(agent, event, 'words');
      return output === undefined ? undefined : (JSON.parse(output) as unknown);
    });
  for (const agent of ['claude', 'codex', 'vscode'])
    assert.deepEqual(told(agent), [nested('SessionStart'), nested('UserPromptSubmit')]);
  assert.deepEqual(told('gemini'), [undefined, nested('BeforeAgent')]);
  assert.deepEqual(told('copilot'), Array(2).fill({ additionalContext: 'words' }));
  assert.deepEqual(told('cursor'), [{ additional_context: 'words' }, undefined]);
  assert.deepEqual(told('opencode'), [undefined, { additionalContext: 'words' }]);
  for (const agent of ['cline', 'unknown']) assert.deepEqual(told(agent), [undefined, undefined]);
});

test('an agent that nobody knows is told little', () => {
  for (const agent of ['claude', 'codex', 'unknown'])
    assert.ok(contextLimits(agent).characters < 9_000);
  assert.ok(contextLimits('gemini').characters < 40_000);
});
