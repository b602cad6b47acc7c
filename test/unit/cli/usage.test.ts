import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cliRun } from '../../helpers/cliRun.ts';
import { sampleTimeline } from './sampleTimeline.ts';

/** Wrong usage: status 2, one sentence on stderr that says what and how to go on; with `--json`, an error on stdout. */
const wrong = (line: string, message: RegExp) =>
  it(line === '' ? '(nothing)' : line, async () => {
    const args = line.split(' ').filter((word) => word !== '');
    const setup = { app: sampleTimeline(), cwd: import.meta.dirname };
    const plain = await cliRun(args, setup);
    assert.match(plain.stderr, message);
    assert.deepEqual([plain.status, plain.stdout], [2, '']);
    assert.match(plain.stderr, /^memcode-timeline: [^\n]+\n$/);

    const json = await cliRun(['--json', ...args], { ...setup, app: sampleTimeline() });
    const { error } = JSON.parse(json.stdout);
    assert.match(error.message, message);
    assert.deepEqual([json.status, json.stderr, error.code], [2, '', 'usage']);
  });

describe('wrong usage', () => {
  wrong('', /Which verb\?/);
  wrong('lst', /Unknown command 'lst'\. \(Did you mean list\?\)/);
  wrong('list now', /Too many arguments for 'list'/);
  wrong('list --frob', /Unknown option '--frob'.*Try: memcode-timeline list --help/);
  wrong('show', /Missing required argument 'turn'/);
  wrong('diff', /Missing required argument 'turn'/);
  wrong('preview', /Missing required argument 'turn'/);
  wrong('rewind', /Missing required argument 'turn'/);
  wrong('rewind 1 --conflicts', /argument missing/);
  wrong('rewind 1 --conflicts mine', /Allowed choices are keep, take, merge, fail/);
  wrong('redo 1', /Too many arguments for 'redo'/);
  wrong('redo --force', /Unknown option '--force'/);
  wrong('revert', /Missing required argument 'turn'/);
  wrong('revert 1 2', /Too many arguments for 'revert'/);
  wrong('revert 1 --conflicts both', /Allowed choices are keep, take, merge, fail/);
  wrong('restore 1', /Missing required argument 'path'/);
  wrong('restore 1 a b', /Too many arguments for 'restore'/);
  wrong('restore 1 src/reader.ts --partial', /Unknown option '--partial'/);
  wrong('restore 1 src/reader.ts --before', /Unknown option '--before'/);
  wrong('operations 1', /Too many arguments for 'operations'/);
  wrong('undo 1 2', /Too many arguments for 'undo'/);
  wrong('undo --force', /Unknown option '--force'/);
  wrong('doctor --finish --roll-back', /either --finish or --roll-back/);
  wrong('projects all', /Too many arguments for 'projects'/);
  wrong('project', /Missing required argument 'action'/);
  wrong('project frob', /Allowed choices are show, create/);
  wrong('project rename', /Which name\?/);
  wrong('project auto-commit', /Which mode: off, whenClean, agentPathsOnly, separateHunks\?/);
  wrong('project move', /Which project\?/);
  wrong('project remove a b c', /Too many arguments for 'project'/);
  wrong('hook a b c', /Too many arguments for 'hook'/);
  wrong('help nothing', /Allowed choices are sessions/);
  wrong('list --root', /argument missing/);
  wrong('list --root no/such/folder', /no\/such\/folder is not a folder/);
  wrong('list --root usage.test.ts', /usage\.test\.ts is not a folder/);
  wrong('list --session 4f', /Several sessions fit 4f: 4f2a9c10-.*, 4f77aa00-/);
  wrong('show turn-a', /Several turns fit turn-a: turn-aaaa1111 .*, turn-aaaa2222 /);
});

describe('options', () => {
  const same = (...lines: readonly string[]) =>
    it(lines.join(' = '), async () => {
      const runs = await Promise.all(
        lines.map((line) => cliRun(line.split(' '), { app: sampleTimeline() })),
      );
      for (const run of runs) assert.deepEqual(run, { ...runs[0], status: 0 });
    });

  same('--json list', 'list --json');
  same(
    '--session 4f77 list --verbose',
    'list --session 4f77 --verbose',
    'list --session=4f77 --verbose',
  );
  same('--root . show 1', 'show --root . 1', 'show 1 --root=.');
  same('--help', '-h', 'help', '--json --help');
  same('help show', 'show --help', 'show 1 -h');
  same('--version', '-V', 'list --version');

  it('--version --json', async () => {
    const { stdout } = await cliRun(['--version', '--json']);
    assert.deepEqual(JSON.parse(stdout), { version: '1.2.3' });
  });
});
