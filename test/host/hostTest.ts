/**
 * `test` for files that run inside VS Code's extension host, where no test runner can be started: collects the tests of
 * the bundle, runs them one after another and writes one line of JSON for each to the file the harness named.
 */
import { appendFileSync } from 'node:fs';

export interface HostTestContext {
  readonly name: string;
  /** Runs when the test has ended, in reverse order, whether it passed or not. */
  after(clean: () => unknown): void;
}

export interface HostTestResult {
  readonly name: string;
  readonly milliseconds: number;
  /** The stack of what was thrown; null when the test passed. */
  readonly failure: string | null;
}

type Body = (t: HostTestContext) => unknown;

/** How long one test may take; milliseconds. */
const patience = 60_000;
const collected: { readonly name: string; readonly body: Body }[] = [];

export function test(name: string, body: Body): void {
  collected.push({ name, body });
}

/** What VS Code calls. Throws when a test failed, so that VS Code ends with a failure too. */
export async function run(): Promise<void> {
  const report = process.env['MEMCODE_HOST_RESULTS'];
  if (report === undefined) throw new Error('MEMCODE_HOST_RESULTS does not name a file.');
  const pattern = new RegExp(process.env['MEMCODE_TEST_GREP'] ?? '');
  let failed = 0;
  for (const { name, body } of collected.filter((one) => pattern.test(one.name))) {
    const result = await runOne(name, body);
    if (result.failure !== null) failed++;
    appendFileSync(report, `${JSON.stringify(result)}\n`);
  }
  if (failed > 0) throw new Error(`${failed} of the tests in VS Code failed.`);
}

async function runOne(name: string, body: Body): Promise<HostTestResult> {
  const started = performance.now();
  const cleaners: (() => unknown)[] = [];
  let failure: string | null = null;
  try {
    await inTime(() => body({ name, after: (clean) => cleaners.push(clean) }));
  } catch (error) {
    failure = stackOf(error);
  }
  for (const clean of cleaners.reverse()) {
    try {
      await inTime(clean);
    } catch (error) {
      failure ??= stackOf(error);
    }
  }
  return { name, milliseconds: Math.round(performance.now() - started), failure };
}

async function inTime(work: () => unknown): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${patience / 1000} s`)), patience);
  });
  try {
    await Promise.race([late, Promise.resolve().then(work)]);
  } finally {
    clearTimeout(timer);
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
