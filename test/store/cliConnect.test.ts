import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { transcript } from '../helpers/cliRun.ts';
import { assertGolden } from '../helpers/golden.ts';
import { CliSession } from './cliSession.ts';

const settings = '.claude/settings.json';
const before = '{\n  // mine\n  "model": "opus",\n  "hooks": { "Stop": [] }\n}\n';

function userSettings(session: CliSession): string {
  const file = path.join(session.folder, settings);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  return file;
}

const setupOf = (session: CliSession) => ({
  userHome: session.folder,
  launcher: {
    file: path.join(session.home, 'bin', 'memcode-timeline'),
    write: () => fs.mkdirSync(path.join(session.home, 'bin'), { recursive: true }),
  },
});

describe('connect and disconnect', () => {
  it('golden texts', async () => {
    using session = new CliSession();
    fs.writeFileSync(userSettings(session), before);
    let text = '';
    for (const [line, typed] of [
      ['connect claude'],
      ['connect claude', 'n\n'],
      ['connect claude', 'y\n'],
      ['connect claude'],
      ['connect claude --scope project --yes --json'],
      ['disconnect claude --scope project', 'y\n'],
      ['disconnect claude --json'],
      ['disconnect claude --yes'],
      ['disconnect claude --yes'],
      ['connect cursor'],
    ] as const) {
      const answer = typed === undefined ? {} : { interactive: true, typed };
      const run = await session.run(line, { ...setupOf(session), ...answer });
      text += transcript(line.split(' '), run);
    }
    assertGolden('cli/connect.txt', shortened(text.replaceAll(session.folder, '<home>')));
    assert.equal(fs.readFileSync(userSettings(session), 'utf8'), before);
    assert.equal(fs.existsSync(session.path('.claude')), false);
  });

  it('a file that is not JSON is named and left as it is', async () => {
    using session = new CliSession();
    fs.writeFileSync(userSettings(session), '{ "hooks": ');
    const { status, stdout } = await session.run('connect claude --yes --json', setupOf(session));
    assert.equal(status, 1);
    const { error } = JSON.parse(stdout);
    assert.equal(error.code, 'config');
    assert.match(error.message, /settings\.json/);
    assert.equal(fs.readFileSync(userSettings(session), 'utf8'), '{ "hooks": ');
  });

  it('nothing is connected when the launcher cannot be written', async () => {
    using session = new CliSession();
    const launcher = {
      file: '/store/bin/memcode-timeline',
      write: () => {
        throw new Error('disk full');
      },
    };
    const run = await session.run('connect claude --yes', { ...setupOf(session), launcher });
    assert.deepEqual(run, {
      status: 1,
      stdout: '',
      stderr:
        'memcode-timeline: Nothing was connected: /store/bin/memcode-timeline cannot be written (disk full).\n',
    });
    assert.equal(fs.existsSync(userSettings(session)), false);
  });

  it('the hooks it writes record a turn', { skip: process.platform === 'win32' }, () => {
    using session = new CliSession();
    assert.equal(session.spawn('connect claude --yes').status, 0);
    const { hooks } = JSON.parse(fs.readFileSync(userSettings(session), 'utf8'));
    const send = (event: string, body: Readonly<Record<string, unknown>>) => {
      const payload = {
        session_id: 'connected',
        transcript_path: `${session.folder}/.claude/projects/-p/connected.jsonl`,
        cwd: session.root,
        hook_event_name: event,
        ...body,
      };
      const run = spawnSync('sh', ['-c', hooks[event][0].hooks[0].command], {
        cwd: session.root,
        env: session.environment,
        input: JSON.stringify(payload),
        encoding: 'utf8',
      });
      assert.deepEqual([run.status, run.stdout, run.stderr], [0, '', '']);
    };
    const call = { tool_name: 'Write', tool_input: { file_path: session.path('a.txt') } };
    send('UserPromptSubmit', { prompt: 'Through the launcher' });
    send('PreToolUse', call);
    session.put('a.txt', 'A1\n');
    send('PostToolUse', call);
    send('Stop', {});
    const list = session.spawn('list');
    assert.match(list.stdout, /finished +1 file \+1 +Through the launcher/);
  });
});

/** What exactly is written into the file is the business of other tests. */
function shortened(text: string): string {
  return text
    .replace(/^@@ .*\n(?:[ +-](?!-- ).*\n)+/gm, '(the change)\n')
    .replace(/"patch": "[^\n]+"/g, '"patch": "(the change)"')
    .replace(/^Note: .*\n/gm, 'Note: (a note)\n')
    .replace(/"notes": \[[^\]]+\]/g, '"notes": ["(notes)"]');
}
