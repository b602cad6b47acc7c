/** The first step of every npm script. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { projectFolder } from '../../tools/paths.ts';
import { runCommand } from '../../tools/runCommand.ts';

const bootstrap = path.join(projectFolder, 'test/tools/bootstrap.mjs');

test('an unknown task is wrong usage', async () => {
  for (const args of [[], ['nothing'], ['constructor']]) {
    const { status, output } = await runCommand(process.execPath, [bootstrap, ...args]);
    assert.equal(status, 2);
    assert.match(output, /^Usage: node test\/tools\/bootstrap\.mjs test\|start\|bench/);
  }
});

test('hands over to the task on the project’s own Node, with its status', async () => {
  const { status, output } = await runCommand(process.execPath, [
    bootstrap,
    'test',
    'no-such-part',
  ]);
  assert.equal(status, 2);
  assert.match(output, /^npm test -- \[--grep WORDS\] \[PART…\]/);
});

test('imports nothing that is not built in', () => {
  const imports = [...readFileSync(bootstrap, 'utf8').matchAll(/from '([^']+)'/g)];
  assert.ok(imports.length > 0);
  for (const [, target] of imports) assert.match(target ?? '', /^node:/);
});
