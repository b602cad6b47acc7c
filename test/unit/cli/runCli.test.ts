import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CliErrorCode, exitStatusOf } from '../../../src/cli/exitStatus.ts';
import { type ErrorCode, UserError } from '../../../src/core/errors.ts';
import type { Root } from '../../../src/core/ids.ts';
import { cliRun } from '../../helpers/cliRun.ts';
import { FakeTimelineApp } from '../../helpers/fakeTimelineApp.ts';
import { sampleTimeline } from './sampleTimeline.ts';

class Failing extends FakeTimelineApp {
  readonly #error: Error;

  constructor(error: Error) {
    super();
    this.#error = error;
  }

  override sessions(_root: Root): never {
    throw this.#error;
  }
}

describe('errors', () => {
  it('a user error: its sentence, its code and data, the status of the table', async () => {
    const codes: readonly ErrorCode[] = ['usage', 'notFound', 'damaged', 'locked', 'conflicts'];
    for (const code of codes) {
      const app = new Failing(new UserError(code, 'What happened.', { path: 'a\u001b' }));
      const { status, stdout, stderr } = await cliRun(['sessions'], { app });
      assert.deepEqual(
        { status, stdout, stderr },
        { status: exitStatusOf(code), stdout: '', stderr: 'memcode-timeline: What happened.\n' },
      );
      const json = await cliRun(['sessions', '--json'], { app });
      assert.deepEqual(JSON.parse(json.stdout), {
        error: { code, message: 'What happened.', data: { path: 'a\u001b' } },
      });
      assert.equal(json.stderr, '');
    }
  });

  it('a bug: status 1, the stack with --verbose only, the app closed', async () => {
    const app = new Failing(new TypeError('x is not a\u001b[2J function'));
    const plain = await cliRun(['sessions'], { app });
    assert.deepEqual(plain, {
      status: 1,
      stdout: '',
      stderr: 'memcode-timeline: unexpected error: x is not a\\x1b[2J function\n',
    });
    const verbose = await cliRun(['sessions', '--verbose', '--json'], { app });
    assert.equal(JSON.parse(verbose.stdout).error.code, 'bug' satisfies CliErrorCode);
    assert.match(verbose.stderr, /runCli\.test\.ts/);
    assert.equal(app.disposed, true);
  });

  it('only usage is status 2, and no error is 0 or 3', () => {
    assert.equal(exitStatusOf('usage'), 2);
    assert.equal(exitStatusOf('notFound'), 1);
    assert.equal(exitStatusOf('bug'), 1);
  });
});

describe('lookups', () => {
  const check = (line: string, status: number, text: RegExp) =>
    it(line, async () => {
      const run = await cliRun(line.split(' '), { app: sampleTimeline() });
      assert.match(run.stdout + run.stderr, text);
      assert.equal(run.status, status);
    });

  check('show turn-aaaa1', 0, /^Turn 1 of session 4f2a/);
  check('show turn-aaaa1111', 0, /^Turn 1 of session 4f2a/);
  check('show 9999', 1, /has no turn 9999/);
  check('show 9999000', 1, /has no turn 9999000/);
  check('show 99990000-', 0, /^Turn 1 of session 4f77/);
  check('show 99990000-aaaa --session 4f2a', 1, /There is no turn 99990000-aaaa/);
  check('show 1 --session 4f77', 0, /^Turn 1 of session 4f77/);
  check('show nothing', 1, /There is no turn nothing/);
  check('list --session nothing', 1, /There is no session nothing/);
  check('list --session sess', 0, /^Session sess/);

  it('no session at all', async () => {
    const app = new FakeTimelineApp();
    const list = await cliRun(['list'], { app });
    assert.match(list.stderr, /No session has been recorded in \/repo/);
    assert.equal(list.status, 1);
    const sessions = await cliRun(['sessions'], { app });
    assert.match(sessions.stdout, /No session has been recorded in \/repo/);
    assert.equal(sessions.status, 0);
    assert.deepEqual(JSON.parse((await cliRun(['sessions', '--json'], { app })).stdout), {
      root: '/repo',
      sessions: [],
    });
  });
});

describe('questions', () => {
  const rewinds = (app: FakeTimelineApp) => app.calls.map(([name]) => name);

  for (const [typed, status] of [
    ['y\n', 0],
    ['YES\n', 0],
    ['n\n', 1],
    ['\n', 1],
    ['yesterday\n', 1],
    ['', 1],
  ] as const)
    it(`answer ${JSON.stringify(typed)} gives ${status}`, async () => {
      const app = sampleTimeline();
      const run = await cliRun(['rewind', '1'], { app, typed, interactive: true });
      assert.equal(run.status, status);
      assert.deepEqual(rewinds(app), status === 0 ? ['rewind'] : []);
    });

  it('nobody to ask: shows what would be done, changes nothing, status 1', async () => {
    const app = sampleTimeline();
    const run = await cliRun(['rewind', '1'], { app, typed: 'y\n' });
    assert.match(run.stdout, /Rewinding to before turn 1/);
    assert.match(run.stderr, /--yes/);
    assert.equal(run.status, 1);
    assert.deepEqual(rewinds(app), []);
  });

  it('the options reach the app', async () => {
    const app = sampleTimeline();
    const plain = { partial: false, force: false, memory: 'keep' };
    const forced = { partial: true, force: true, memory: 'keep' };
    // Taking an operation back always takes its part in memory along.
    const memory = 'take-back';
    const lines = [
      'rewind 6 --conflicts merge --force --partial --memory take-back --yes',
      'revert 1 --yes',
      'revert 1 --conflicts keep --force --partial --yes',
      'restore 1 bin/run --yes',
      'restore 1 bin/run --after --conflicts take --yes',
      'undo op1 --yes',
      'undo op2 --conflicts merge --partial --yes',
    ];
    for (const line of lines) assert.equal((await cliRun(line.split(' '), { app })).status, 0);
    assert.deepEqual(app.calls, [
      ['rewind', 'turn-eeee6666', { ...forced, conflicts: 'merge', memory }],
      ['revertTurn', 'turn-aaaa1111', { ...plain, conflicts: 'merge' }],
      ['revertTurn', 'turn-aaaa1111', { ...forced, conflicts: 'keep' }],
      ['restoreFile', 'turn-aaaa1111', 'bin/run', 'before', { conflicts: 'keep' }],
      ['restoreFile', 'turn-aaaa1111', 'bin/run', 'after', { conflicts: 'take' }],
      ['redo', 'op1', { conflicts: 'keep', partial: false, memory }],
      ['redo', 'op2', { conflicts: 'merge', partial: true, memory }],
    ]);
  });
});

describe('hook', () => {
  it('is handed over with its arguments', async () => {
    const calls: unknown[] = [];
    const runHook = async (args: readonly string[]) => {
      calls.push(args);
    };
    await cliRun(['--verbose', 'hook'], { runHook });
    await cliRun(['--verbose', 'hook', 'copilot', 'preToolUse'], { runHook });
    assert.deepEqual(calls, [[], ['copilot', 'preToolUse']]);
  });
});
