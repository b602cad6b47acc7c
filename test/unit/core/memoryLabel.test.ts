import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryLabel } from '../../../src/core/memoryLabel.ts';

test('files of memory are called by what they are', () => {
  const labels = {
    'notes/build-order.md': 'global note build-order',
    'projects/0a1b/notes/构建.md': 'note 构建',
    'facts/profile': 'facts (profile)',
    'projects/0a1b/facts/environment': 'facts (environment)',
    'portrait/dev.md': 'portrait/dev.md',
  };
  for (const [path, label] of Object.entries(labels)) assert.equal(memoryLabel(path), label);
});
