/** The host suite: each test that ran inside VS Code, reported as one of ours. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { projectFolder } from '../tools/paths.ts';
import { runHostTests } from './runHostTests.ts';

await test('in VS Code', async (t) => {
  const results = await runHostTests({
    extension: projectFolder,
    tests: import.meta.dirname,
    workspace: { 'README.md': '# Sample\n', 'src/app.js': 'export const answer = 41;\n' },
  });
  for (const { name, failure } of results)
    await t.test(name, () => {
      if (failure !== null) assert.fail(failure);
    });
});
