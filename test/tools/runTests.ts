/**
 * `npm test`: builds, checks types, format and lint, runs every suite, and ends with the line `N passed, N failed`.
 * `npm test -- unit store` runs some of it, `npm test -- --grep WORDS` the tests whose names match.
 */
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureChromium } from './chromium.ts';
import { projectFolder } from './paths.ts';
import { runCommand } from './runCommand.ts';
import { runSuite, type Suite, suites } from './runSuite.ts';
import { addFailure, emptyTally, summaryOf, type Tally } from './tally.ts';

interface Step {
  readonly name: string;
  /** Arguments of npm. */
  readonly npm: readonly string[];
}

const buildSteps: readonly Step[] = [
  { name: 'build of extension and CLI', npm: ['run', '--silent', 'build:host'] },
  { name: 'build of the hook', npm: ['run', '--silent', 'build:hook'] },
  { name: 'build of the timeline page', npm: ['run', '--silent', 'build:view'] },
];
const checkSteps: readonly Step[] = [
  { name: 'types of src and test', npm: ['run', '--silent', 'check:host'] },
  { name: 'types of webview', npm: ['run', '--silent', 'check:view'] },
  { name: 'format and lint', npm: ['run', '--silent', 'check:style', '--', '--colors=off'] },
];
const parts = ['build', 'check', ...suites.map(({ name }) => name)];

await main();

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { grep: { type: 'string' }, help: { type: 'boolean' } },
    allowPositionals: true,
  });
  const unknown = positionals.filter((name) => !parts.includes(name));
  if (values.help === true || unknown.length > 0) {
    console.log(`npm test -- [--grep WORDS] [PART…]   parts: ${parts.join(' ')}`);
    process.exitCode = values.help === true ? 0 : 2;
    return;
  }
  const wanted = (name: string): boolean =>
    positionals.length === 0
      ? values.grep === undefined || suiteOf(name)
      : positionals.includes(name);
  const home = await fs.mkdtemp(path.join(os.tmpdir(), 'memcode-test-home-'));
  // A test that forgets to choose a home of its own must not find the person's.
  process.env['MEMCODE_TIMELINE_HOME'] = path.join(home, 'timeline');
  if (values.grep !== undefined) process.env['MEMCODE_TEST_GREP'] = values.grep;
  const tally = emptyTally();
  try {
    const chosen = suites.filter(({ name }) => wanted(name));
    if (wanted('build') || chosen.some(({ needsBuild }) => needsBuild))
      await runSteps(buildSteps, tally);
    if (wanted('check')) await runSteps(checkSteps, tally);
    const grep = values.grep === undefined ? undefined : new RegExp(values.grep);
    for (const suite of chosen) {
      console.log(`\n== ${suite.name} ==`);
      if (await isReady(suite, tally)) await runSuite(suite, tally, grep);
    }
  } finally {
    await fs.rm(home, { recursive: true, force: true });
  }
  if (tally.passed + tally.failed === 0) addFailure(tally, 'nothing ran');
  process.exitCode = tally.failed > 0 ? 1 : 0;
  console.log(`\n${summaryOf(tally)}`);
}

function suiteOf(name: string): boolean {
  return suites.some((suite) => suite.name === name);
}

async function runSteps(steps: readonly Step[], tally: Tally): Promise<void> {
  for (const { name, npm } of steps) {
    const { status, output } = await runCommand('npm', npm, { cwd: projectFolder });
    if (status === 0) {
      tally.passed++;
      console.log(`✔ ${name}`);
    } else {
      addFailure(tally, name);
      console.log(`✖ ${name}\n${output}`);
    }
  }
}

/** Whether what the suite needs is there. In CI it has to be; elsewhere the suite is skipped aloud. */
async function isReady(suite: Suite, tally: Tally): Promise<boolean> {
  if (!suite.needsBrowser) return true;
  try {
    process.env['CHROMIUM'] = await ensureChromium();
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.log(reason);
    if (process.env['CI'] === undefined) tally.skipped.push({ name: suite.name, reason });
    else addFailure(tally, `${suite.name}: ${reason}`);
    return false;
  }
}
