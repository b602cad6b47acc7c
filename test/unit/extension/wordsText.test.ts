import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordsText } from '../../../src/extension/wordsText.ts';
import { fakeTurn } from '../../helpers/fakeTimelineApp.ts';
import { plainLocalizer } from '../../helpers/plainLocalizer.ts';

test('prompt and reply stand there whole, as they are', () => {
  const reply = `${'long '.repeat(500)}<b>[x](command:y)</b>`;
  const turn = fakeTurn({ id: 't', session: 's', number: 3, prompt: 'Do\n\nit', reply });
  const text = wordsText({ ...turn, agent: 'gemini', model: 'pro' }, 'en', plainLocalizer);
  assert.match(text, /^# Turn 3\n\nGemini CLI · pro · .+\n\n## Prompt\n\nDo\n\nit\n\n## Reply\n\n/);
  assert.ok(text.endsWith(`${reply}\n`));
});

test('what is not there is said', () => {
  const turn = fakeTurn({ id: 't', session: 's', number: 1, prompt: ' ', reply: null });
  const text = (end: 'stop' | 'running') => wordsText({ ...turn, end }, 'en', plainLocalizer);
  assert.match(text('stop'), /## Prompt\n\n\(empty\)\n\n## Reply\n\n\(none recorded\)\n$/);
  assert.match(text('running'), /\(not yet\)\n$/);
});
