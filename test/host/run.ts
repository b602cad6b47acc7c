/** The host suite: each test that ran inside VS Code, reported as one of ours. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDesktopVscode } from '../tools/desktopVscode.ts';
import { projectFolder } from '../tools/paths.ts';
import { runHostTests } from './runHostTests.ts';

const versions =
  findDesktopVscode() === undefined ? (['newest', 'lowest'] as const) : (['newest'] as const);

for (const version of versions)
  await test(`in the ${version} VS Code`, async (t) => {
    const results = await runHostTests({
      version,
      extension: projectFolder,
      tests: import.meta.dirname,
      workspace: { 'README.md': '# Sample\n', 'src/app.js': 'export const answer = 41;\n' },
    });
    for (const { name, failure } of results)
      await t.test(name, () => {
        if (failure !== null) assert.fail(failure);
      });
  });
