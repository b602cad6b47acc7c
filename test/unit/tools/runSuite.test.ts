/** The runner counts what ran, and never takes silence for success. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { projectFolder } from '../../tools/paths.ts';
import { runCommand } from '../../tools/runCommand.ts';
import { summaryOf } from '../../tools/tally.ts';

const head = "import { describe, it, test } from 'node:test';\n";

test('passes, failures, skips and todos of a suite are counted once each', async (t) => {
  const { summary, printed } = await runFiles(t, {
    'a.test.ts': `${head}
      test('passes', () => undefined);
      test('fails', () => { throw new Error('the reason'); });
      test('skipped', { skip: 'not here' }, () => undefined);
      test('parent', async (t) => {
        await t.test('child passes', () => undefined);
        await t.test('child fails', () => { throw new Error('another'); });
      });
      describe('group', () => {
        it('inside passes', () => undefined);
        it.todo('inside later');
      });`,
  });
  assert.deepEqual(summary, [
    'skipped: skipped (not here)',
    'skipped: inside later (true)',
    'failed: sample: a.test.ts: fails',
    'failed: sample: a.test.ts: child fails',
    '3 passed, 2 failed',
  ]);
  assert.match(printed, /the reason/, 'failures are shown with their detail');
});

test('a file that cannot be loaded, one without tests and a suite without files are failures', async (t) => {
  const broken = await runFiles(t, { 'b.test.ts': 'throw new Error("at load");' });
  assert.deepEqual(broken.summary.at(-1), '0 passed, 1 failed');
  const empty = await runFiles(t, { 'c.test.ts': 'export {};' });
  assert.deepEqual(empty.summary, ['failed: sample: c.test.ts has no test', '0 passed, 1 failed']);
  const none = await runFiles(t, {});
  assert.deepEqual(none.summary.at(-1), '0 passed, 1 failed');
  assert.match(none.summary[0] ?? '', /no test ran/);
});

test('a pattern chooses tests, and a suite without any is then no failure', async (t) => {
  const files = {
    'd.test.ts': `${head}test('one', () => undefined);\ntest('two', () => undefined);`,
    'e.test.ts': `${head}test('three', () => undefined);`,
  };
  assert.deepEqual((await runFiles(t, files, { grep: 'tw' })).summary, ['1 passed, 0 failed']);
  assert.deepEqual((await runFiles(t, files, { grep: 'none' })).summary, ['0 passed, 0 failed']);
});

test('few failures of a browser suite get a second attempt, and the summary says which passed there', async (t) => {
  const late = `${head}
    import fs from 'node:fs';
    const mark = new URL('mark', import.meta.url);
    test('at once', () => undefined);
    test('later', () => {
      if (fs.existsSync(mark)) return;
      fs.writeFileSync(mark, '');
      throw new Error('too slow');
    });
    test('never', () => { throw new Error('broken'); });`;
  const browser = await runFiles(t, { 'f.test.ts': late }, { needsBrowser: true });
  assert.deepEqual(browser.summary, [
    'passed at the second attempt: sample: f.test.ts: later',
    'failed: sample: f.test.ts: never',
    '2 passed, 1 failed',
  ]);
  assert.match(browser.printed, /too slow/, 'the first failure is shown all the same');
  const other = await runFiles(t, { 'f.test.ts': late });
  assert.equal(other.summary.at(-1), '1 passed, 2 failed');
  const many = `${head}
    import fs from 'node:fs';
    for (const name of ['a', 'b', 'c'])
      test(name, () => {
        const mark = new URL(name, import.meta.url);
        if (fs.existsSync(mark)) return;
        fs.writeFileSync(mark, '');
        throw new Error('too slow');
      });`;
  const broken = await runFiles(t, { 'g.test.ts': many }, { needsBrowser: true });
  assert.equal(broken.summary.at(-1), '0 passed, 3 failed', 'too many for an accident');
});

test('the summary ends with the counts', () => {
  const failures = ['unit: a.test.ts: fails'];
  const unsteady = ['e2e: b.test.ts: late'];
  assert.equal(
    summaryOf({ passed: 2, failed: 1, skipped: [], failures, unsteady }),
    'passed at the second attempt: e2e: b.test.ts: late\nfailed: unit: a.test.ts: fails\n2 passed, 1 failed',
  );
});

/** Runs the files as a suite in a process of its own, where no test runner is above it. */
async function runFiles(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  { grep, needsBrowser = false }: { readonly grep?: string; readonly needsBrowser?: boolean } = {},
): Promise<{ readonly summary: readonly string[]; readonly printed: string }> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-suite-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
  const tools = (name: string): string =>
    JSON.stringify(pathToFileURL(path.join(projectFolder, 'test/tools', name)).href);
  const glob = path.join(path.relative(projectFolder, folder), '*.test.ts');
  const suite = { name: 'sample', glob, concurrency: 1, needsBuild: false, needsBrowser };
  const program = `
    import { runSuite } from ${tools('runSuite.ts')};
    import { emptyTally, summaryOf } from ${tools('tally.ts')};
    const tally = emptyTally();
    await runSuite(${JSON.stringify(suite)}, tally, ${grep === undefined ? 'undefined' : `/${grep}/`});
    console.log('== summary\\n' + summaryOf(tally));`;
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const file = path.join(folder, 'program.mjs');
  fs.writeFileSync(file, program);
  const { output } = await runCommand(process.execPath, [file], { env });
  const [printed = '', summary = ''] = output.split('== summary\n');
  const near = `${path.relative(projectFolder, folder)}${path.sep}`;
  return { printed, summary: summary.trimEnd().replaceAll(near, '').split('\n') };
}
