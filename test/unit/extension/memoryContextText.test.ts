import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShownMemory } from '../../../src/app/memoryContextUse.ts';
import { memoryContextText } from '../../../src/extension/memoryContextText.ts';
import { plainLocalizer } from '../../helpers/plainLocalizer.ts';

const shown: ShownMemory = {
  agent: 'gemini',
  composed: {
    text: '<memcode-memory>\nwords\n</memcode-memory>',
    characters: 40,
    tokens: 10,
    budget: 39_000,
    sources: [
      { kind: 'fact', label: 'profile', file: '/m/profile', given: 5, size: 5 },
      { kind: 'document', label: 'AGENTS.md', file: '/p/AGENTS.md', given: 3, size: 9 },
    ],
  },
  ownDocuments: [],
  documents: {
    documents: [],
    skipped: [{ label: 'CLAUDE.md', file: '/p/CLAUDE.md', reason: 'it is a pipe' }],
    importProblems: [
      { label: 'AGENTS.md', line: '@x.md', kind: 'missing', reason: 'there is no such file' },
    ],
    isTrusted: true,
  },
  problems: [],
  isGiven: true,
};

test('what an agent sees: sizes, sources and what is missing first, then the exact words', () => {
  assert.equal(
    memoryContextText(shown, 'Gemini CLI', plainLocalizer),
    [
      'What Gemini CLI is given when a session starts here',
      '40 characters, about 10 tokens, of 39000 bytes at most. In other scripts than Latin it may be twice as many tokens.',
      '- fact profile: 5 bytes',
      '- document AGENTS.md: 3 of 9 bytes, the rest is left out',
      '- CLAUDE.md: left out, it is a pipe',
      '- AGENTS.md, @x.md: left out, there is no such file',
      '',
      '<memcode-memory>',
      'words',
      '</memcode-memory>',
      '',
    ].join('\n'),
  );
});

test('what agents see: nothing, and why', () => {
  const nothing: ShownMemory = {
    ...shown,
    composed: { text: '', characters: 0, tokens: 0, budget: 9, sources: [] },
    documents: { documents: [], skipped: [], importProblems: [], isTrusted: false },
    isGiven: false,
  };
  assert.equal(
    memoryContextText(nothing, undefined, plainLocalizer),
    [
      'What agents are given when a session starts here',
      'Agents are given nothing here.',
      '- Giving memory to agents is switched off: nothing of this is given.',
      '- This folder is not trusted: none of its documents is read.',
      '',
    ].join('\n'),
  );
});
