/** Texts between tags, out of prompts that are long and full of tags. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Fields } from '../../../src/agents/fields.ts';
import { tagText } from '../../../src/agents/tagText.ts';
import { sourceOf } from '../../../src/agents/transcripts.ts';

it('is what stands in the first element of that name', () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['a <task>Do it</task> b <task>c</task>', 'Do it'],
    ['<tasks>no</tasks><task mode="x">Do\nit</task>', 'Do\nit'],
    ['<task>never closed', undefined],
    ['<task', undefined],
    ['</task>', undefined],
    ['<task></task>', ''],
  ];
  for (const [text, expected] of cases) assert.equal(tagText(text, 'task')?.text, expected, text);
});

it('a million characters of opening tags are no reason to stand still', () => {
  const openings = ['<task>', '<task', '<task a', '<command-name>'];
  for (const content of openings.map((tag) => tag.repeat(200_000))) {
    const message = { role: 'user', content };
    sourceOf('cline')
      ?.reader()
      .take({ messages: [message] } as Fields, 0);
    sourceOf('claude')
      ?.reader()
      .take({ type: 'user', sessionId: 's', message } as Fields, 0);
  }
});
