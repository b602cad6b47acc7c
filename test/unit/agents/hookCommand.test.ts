/** The command in agents' files, for every shell; and the whole of what each agent gets, as golden texts. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { hookCommand, isOurCommand } from '../../../src/agents/hookCommand.ts';
import { hookConfigs } from '../../../src/agents/hookConfigs.ts';
import { connectedText } from '../../../src/agents/hookText.ts';
import { assertGolden } from '../../helpers/golden.ts';

const launcher = '/home/user/.memcode/timeline/bin/memcode-timeline';
const windowsHome = 'C:\\Users\\A B';
const windowsLauncher = `${windowsHome}\\.memcode\\timeline\\bin\\memcode-timeline.cmd`;

test('what each agent gets', () => {
  for (const config of hookConfigs) {
    const kind = path.extname(config.file);
    const posix = hookCommand(config.agent, launcher, 'linux');
    assertGolden(`hooks/${config.agent}.posix${kind}`, connectedText(config, '', posix, 'x').text);
    const windows = hookCommand(config.agent, windowsLauncher, 'win32');
    const text = connectedText(config, '', windows, 'x').text;
    assertGolden(`hooks/${config.agent}.windows${kind}`, text);
  }
});

test('shapes', () => {
  const posix = hookCommand('claude', launcher, 'linux');
  assert.equal(posix.sh, `"${launcher}" hook claude || true`);
  const windows = hookCommand('codex', windowsLauncher, 'win32');
  assert.equal(windows.powershell, `& "${windowsLauncher}" hook codex; exit 0`);
  assert.equal(windows.cmd, `"${windowsLauncher}" hook codex & exit /b 0`);
  const plain = hookCommand('codex', 'C:\\m\\memcode-timeline.cmd', 'win32');
  assert.equal(plain.cmd, 'C:\\m\\memcode-timeline.cmd hook codex & exit /b 0');
});

test('in a file that others share, nobody is named', () => {
  const rest = '/.memcode/timeline/bin/memcode-timeline';
  const check = (home: string, sh: string) =>
    assert.equal(hookCommand('gemini', launcher, 'linux', home).sh, `${sh} hook gemini || true`);
  check('/home/user', `"$HOME${rest}"`);
  check('/home/user/', `"$HOME${rest}"`);
  check('/home/us', `"${launcher}"`);
  check('/elsewhere', `"${launcher}"`);
  const windows = hookCommand('gemini', windowsLauncher, 'win32', windowsHome);
  assert.equal(
    windows.powershell,
    '& "$HOME\\.memcode\\timeline\\bin\\memcode-timeline.cmd" hook gemini; exit 0',
  );
  assert.ok(windows.cmd.startsWith('%USERPROFILE%\\.memcode\\'));
});

test('sh reads any path back as it is', () => {
  for (const folder of [
    'a b',
    "it's",
    'say "x"',
    '$HOME',
    '`id`',
    'back\\slash',
    'ünï',
    '$(id)',
    '!!',
  ]) {
    const file = `/tmp/${folder}/memcode-timeline`;
    const { sh } = hookCommand('claude', file, 'linux');
    const word = sh.slice(0, sh.lastIndexOf(' hook '));
    assert.equal(execFileSync('/bin/sh', ['-c', `printf %s ${word}`], { encoding: 'utf8' }), file);
  }
});

test('our commands are known again, others are not', () => {
  for (const platform of ['linux', 'win32'] as const) {
    for (const file of [launcher, windowsLauncher, '/q"uote/memcode-timeline']) {
      const { sh, powershell, cmd } = hookCommand('claude', file, platform, '/home/user');
      assert.deepEqual([sh, powershell, cmd].map(isOurCommand), [true, true, true]);
    }
  }
  assert.ok(isOurCommand('memcode-timeline hook claude || true'));
  for (const other of [
    'echo memcode-timeline',
    'memcode-timeline list',
    'memcode-timeliner hook x',
    '',
    null,
    7,
  ]) {
    assert.ok(!isOurCommand(other), String(other));
  }
});
