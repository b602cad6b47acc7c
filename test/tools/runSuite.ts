/** Runs the test files of one suite with node's runner, shows them readably and counts. */
import { globSync } from 'node:fs';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { run, type TestsStream } from 'node:test';
import { spec } from 'node:test/reporters';
import { projectFolder } from './paths.ts';
import { addFailure, type Tally } from './tally.ts';

export interface Suite {
  readonly name: string;
  /** Below the project. */
  readonly glob: string;
  /** Test files at a time. */
  readonly concurrency: number;
  /** Works on what the build wrote. */
  readonly needsBuild: boolean;
  readonly needsBrowser: boolean;
}

export const suites: readonly Suite[] = [
  suite('unit', { concurrency: 2 }),
  suite('store', { concurrency: 2 }),
  suite('view', { needsBuild: true, needsBrowser: true }),
  suite('agents', { needsBuild: true }),
  suite('host', { needsBuild: true, needsBrowser: true, glob: 'test/host/run.ts' }),
  suite('e2e', { needsBuild: true, needsBrowser: true }),
];

/** A suite of which nothing is heard for so long is given up; milliseconds. */
const patience = 10 * 60_000;

/**
 * A real browser beside a real VS Code is at times slower than a test waits. So few failures there get a second attempt,
 * said in the summary; more of them are no accident.
 */
const accidents = 2;

/** Tests are named by suite, file and name. */
interface Results {
  readonly passed: readonly string[];
  readonly failed: readonly FailedTest[];
  readonly skipped: Tally['skipped'];
}

interface FailedTest {
  readonly test: string;
  /** Undefined where node names none. */
  readonly file: string | undefined;
}

/** @param grep runs only tests whose name matches; a suite without one is then no failure. */
export async function runSuite(one: Suite, tally: Tally, grep?: RegExp): Promise<void> {
  const files = globSync(one.glob, { cwd: projectFolder })
    .map((file) => path.join(projectFolder, file))
    .sort();
  const { passed, failed, skipped } = await runFiles(one, files, grep);
  tally.passed += passed.length;
  tally.skipped.push(...skipped);
  const lasting =
    one.needsBrowser && failed.length <= accidents
      ? await failedAgain(one, failed, tally, grep)
      : failed;
  for (const { test } of lasting) addFailure(tally, test);
  if (passed.length + failed.length + skipped.length === 0 && grep === undefined)
    addFailure(tally, `${one.name}: no test ran (${one.glob})`);
}

/** Runs the files of the tests once more; a test that passes now has passed. @returns those that do not */
async function failedAgain(
  one: Suite,
  failed: readonly FailedTest[],
  tally: Tally,
  grep: RegExp | undefined,
): Promise<readonly FailedTest[]> {
  const files = new Set(failed.flatMap(({ file }) => file ?? []));
  if (files.size === 0) return failed;
  console.log(`\n== ${one.name}, second attempt ==`);
  const second = await runFiles(one, [...files], grep);
  const isSteady = ({ test }: FailedTest): boolean =>
    second.passed.includes(test) && second.failed.every((other) => other.test !== test);
  const unsteady = failed.filter(isSteady).map(({ test }) => test);
  tally.passed += unsteady.length;
  tally.unsteady.push(...unsteady);
  return failed.filter((test) => !isSteady(test));
}

async function runFiles(
  one: Suite,
  files: readonly string[],
  grep: RegExp | undefined,
): Promise<Results> {
  const passed: string[] = [];
  const failed: FailedTest[] = [];
  const skipped: Tally['skipped'] = [];
  const end = new AbortController();
  const events = run({
    files: [...files],
    cwd: projectFolder,
    concurrency: one.concurrency,
    signal: end.signal,
    // The tests inside VS Code are filtered there.
    ...(grep === undefined || one.name === 'host' ? {} : { testNamePatterns: grep }),
  });
  events.on('test:pass', ({ name, file, skip, todo, details }) => {
    if (details.type === 'suite') return;
    if (skip !== undefined || todo !== undefined)
      skipped.push({ name, reason: String(skip ?? todo) });
    else if (isWholeFile(name, file) && grep === undefined)
      failed.push({ test: `${one.name}: ${relative(file)} has no test`, file });
    else if (!isWholeFile(name, file)) passed.push(`${one.name}: ${relative(file)}: ${name}`);
  });
  events.on('test:fail', ({ name, file, details, skip, todo }) => {
    const failureType = 'failureType' in details.error ? details.error.failureType : undefined;
    if (failureType === 'subtestsFailed') return;
    if (skip !== undefined || todo !== undefined)
      skipped.push({ name, reason: `fails: ${String(skip ?? todo)}` });
    else failed.push({ test: `${one.name}: ${relative(file)}: ${name}`, file });
  });
  const release = endWhenStalled(events, end);
  const report = events.compose(spec);
  report.pipe(process.stdout, { end: false });
  await finished(report);
  release();
  return { passed, failed, skipped };
}

function suite(name: string, more: Partial<Suite>): Suite {
  return {
    name,
    glob: `test/${name}/**/*.test.ts`,
    concurrency: 1,
    needsBuild: false,
    needsBrowser: false,
    ...more,
  };
}

/** Node leaves a test that never returns to the event loop running for ever; this ends its process. */
function endWhenStalled(events: TestsStream, end: AbortController): () => void {
  const giveUp = (): void => end.abort(new Error(`nothing heard for ${patience / 60_000} minutes`));
  let timer = setTimeout(giveUp, patience);
  const restart = (): void => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, patience);
  };
  const interrupted = (): void => end.abort(new Error('interrupted'));
  events.on('data', restart);
  process.once('SIGTERM', interrupted);
  return () => {
    clearTimeout(timer);
    process.off('SIGTERM', interrupted);
  };
}

/** Node reports a file in which nothing called `test` as one test with the file's name. */
function isWholeFile(name: string, file: string | undefined): boolean {
  return file !== undefined && (name === file || path.resolve(projectFolder, name) === file);
}

function relative(file: string | undefined): string {
  return file === undefined ? 'unknown file' : path.relative(projectFolder, file);
}
