/** Connecting and disconnecting agents, on real files. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  applyConnection,
  type ConnectionPlace,
  connectionStatus,
  knownAgents,
  planConnection,
  planDisconnection,
} from '../../src/app/connector.ts';
import { isUserError } from '../../src/core/errors.ts';

const agents = ['claude', 'codex', 'gemini'] as const;
const fileNames = { claude: 'settings.json', codex: 'hooks.json', gemini: 'settings.json' };

function world(t: TestContext) {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'connector-')));
  t.after(() => fs.rmSync(base, { recursive: true, force: true }));
  const home = path.join(base, 'home');
  const root = path.join(base, 'project');
  for (const folder of [home, root]) fs.mkdirSync(folder);
  const timelineHome = path.join(base, 'timeline');
  const launcher = path.join(timelineHome, 'bin/memcode-timeline');
  const place = (over: Partial<ConnectionPlace> = {}): ConnectionPlace => ({
    agent: 'claude',
    scope: 'user',
    home,
    root,
    launcher,
    timelineHome,
    platform: 'linux',
    ...over,
  });
  return { base, home, root, timelineHome, place };
}

const connect = (place: ConnectionPlace) => {
  const plan = planConnection(place);
  applyConnection(plan);
  return plan;
};
const disconnect = (place: ConnectionPlace) => {
  const plan = planDisconnection(place);
  applyConnection(plan);
  return plan;
};

for (const agent of agents) {
  for (const scope of ['user', 'project'] as const) {
    test(`${agent}, ${scope}: a file and folder that did not exist come and go`, (t) => {
      const { home, root, place } = world(t);
      const here = place({ agent, scope });
      const folder = path.join(scope === 'user' ? home : root, `.${agent}`);
      assert.equal(connectionStatus(here).state, 'notConnected');
      const plan = planConnection(here);
      assert.equal(plan.file, path.join(folder, fileNames[agent]));
      assert.equal(plan.before, null);
      assert.ok(!fs.existsSync(folder), 'a plan writes nothing');
      applyConnection(plan);
      assert.equal(fs.readFileSync(plan.file, 'utf8'), plan.after);
      assert.equal(fs.statSync(plan.file).mode & 0o777, scope === 'user' ? 0o600 : 0o644);
      assert.equal(connectionStatus(here).state, 'connected');
      assert.equal(planConnection(here).changed, false);
      assert.equal(disconnect(here).after, null);
      assert.ok(!fs.existsSync(folder));
      assert.equal(connectionStatus(here).state, 'notConnected');
    });
  }
}

test('whatever stood in the file, it stands there again byte for byte', (t) => {
  const { home, place } = world(t);
  const file = path.join(home, '.claude/settings.json');
  fs.mkdirSync(path.dirname(file));
  const texts = [
    '',
    '{}',
    '{"hooks":{}}',
    '{ "hooks": { "Stop": [] } }\n',
    '\uFEFF{\r\n\t"a": 1, // c\r\n}\r\n',
    '{\n  "hooks": {\n    "Stop": [ { "hooks": [ { "type": "command", "command": "x" } ] }, ],\n  } /* end */\n}\n\n',
  ];
  for (const text of texts) {
    fs.writeFileSync(file, text);
    connect(place());
    assert.notEqual(fs.readFileSync(file, 'utf8'), text);
    disconnect(place());
    assert.equal(fs.readFileSync(file, 'utf8'), text);
  }
  assert.deepEqual(fs.readdirSync(path.dirname(file)), ['settings.json']);
});

test('an upgrade in between is undone as well', (t) => {
  const { home, place } = world(t);
  const file = path.join(home, '.claude/settings.json');
  const old = place({ launcher: '/old/bin/memcode-timeline' });
  connect(old);
  assert.equal(connectionStatus(place()).state, 'outdated');
  connect(place());
  assert.equal(connectionStatus(place()).state, 'connected');
  assert.ok(!fs.readFileSync(file, 'utf8').includes('/old/'));
  disconnect(place());
  assert.ok(!fs.existsSync(file));
});

test('a file that its owner changed meanwhile keeps the changes and loses only our hooks', (t) => {
  const { home, place } = world(t);
  const file = path.join(home, '.gemini/settings.json');
  const here = place({ agent: 'gemini' });
  connect(here);
  const text = fs.readFileSync(file, 'utf8');
  fs.writeFileSync(file, text.replace('{', '{\n  "theme": "dark", // mine'));
  disconnect(here);
  assert.equal(fs.readFileSync(file, 'utf8'), '{\n  "theme": "dark" // mine\n}\n');
});

test('nothing of the file is remembered but what our edits replaced', (t) => {
  const { home, timelineHome, place } = world(t);
  const file = path.join(home, '.claude/settings.json');
  fs.mkdirSync(path.dirname(file));
  fs.writeFileSync(file, '{\n  "env": { "KEY": "secret-value" }\n}\n');
  connect(place());
  const folder = path.join(timelineHome, 'connections');
  const [record] = fs.readdirSync(folder);
  assert.ok(record !== undefined);
  assert.ok(!fs.readFileSync(path.join(folder, record), 'utf8').includes('secret-value'));
  assert.equal(fs.statSync(path.join(folder, record)).mode & 0o777, 0o600);
  fs.writeFileSync(path.join(folder, record), '{"file":1');
  disconnect(place());
  assert.equal(fs.readFileSync(file, 'utf8'), '{\n  "env": { "KEY": "secret-value" }\n}\n');
  assert.deepEqual(fs.readdirSync(folder), []);
});

test('a link stays a link, its target keeps its mode', (t) => {
  const { base, home, place } = world(t);
  const target = path.join(base, 'dotfiles/claude.json');
  fs.mkdirSync(path.dirname(target));
  fs.writeFileSync(target, '{}', { mode: 0o640 });
  fs.chmodSync(target, 0o666);
  fs.mkdirSync(path.join(home, '.claude'));
  const link = path.join(home, '.claude/settings.json');
  fs.symlinkSync('../../dotfiles/claude.json', link);
  assert.equal(connect(place()).file, target);
  assert.ok(fs.lstatSync(link).isSymbolicLink());
  assert.equal(fs.statSync(target).mode & 0o777, 0o666);
  assert.equal(connectionStatus(place()).state, 'connected');
  disconnect(place());
  assert.equal(fs.readFileSync(target, 'utf8'), '{}');

  fs.rmSync(target);
  connect(place());
  assert.ok(fs.lstatSync(link).isSymbolicLink());
  assert.ok(fs.existsSync(target));
  disconnect(place());
  assert.ok(!fs.existsSync(target));
});

test('a file that changed since the plan is not written', (t) => {
  const { home, timelineHome, place } = world(t);
  const plan = planConnection(place());
  const file = path.join(home, '.claude/settings.json');
  fs.mkdirSync(path.dirname(file));
  fs.writeFileSync(file, '{"a":1}');
  assert.throws(
    () => applyConnection(plan),
    (error) => isUserError(error, 'config') && error.message.includes(file),
  );
  assert.equal(fs.readFileSync(file, 'utf8'), '{"a":1}');
  assert.ok(!fs.existsSync(timelineHome));
});

test('files that cannot be understood are named and left alone', (t) => {
  const { home, place } = world(t);
  const file = path.join(home, '.codex/hooks.json');
  fs.mkdirSync(path.dirname(file));
  for (const bytes of ['{"a":', Buffer.from([0x7b, 0xff, 0x7d])]) {
    fs.writeFileSync(file, bytes);
    const here = place({ agent: 'codex' });
    for (const plan of [planConnection, planDisconnection]) {
      assert.throws(
        () => plan(here),
        (error) => isUserError(error, 'config') && error.message.includes(file),
      );
    }
    const status = connectionStatus(here);
    assert.equal(status.state, 'notConnected');
    assert.match(status.problem ?? '', /hooks\.json/);
    assert.deepEqual(fs.readFileSync(file), Buffer.from(bytes));
  }
  fs.rmSync(file);
  fs.mkdirSync(file);
  assert.throws(
    () => planConnection(place({ agent: 'codex' })),
    (error) => isUserError(error, 'fileSystem'),
  );
});

test('agents that are known, where they are, and what is said about them', (t) => {
  const { base, home, place } = world(t);
  fs.mkdirSync(path.join(home, '.gemini'));
  assert.deepEqual(
    knownAgents(home).map(({ id, installed }) => [id, installed]),
    [
      ['claude', false],
      ['codex', false],
      ['gemini', true],
      ['opencode', false],
    ],
  );
  assert.throws(
    () => planConnection(place({ agent: 'nobody' })),
    (error) => isUserError(error, 'usage'),
  );
  const moved = place({ agent: 'codex', env: { CODEX_HOME: path.join(base, 'elsewhere') } });
  assert.equal(planConnection(moved).file, path.join(base, 'elsewhere/hooks.json'));
  assert.ok(planConnection(moved).notes.some((note) => note.includes('/hooks')));

  connect(place());
  const notes = planConnection(place({ scope: 'project' })).notes;
  assert.ok(notes.some((note) => note.includes('user settings as well')));
  fs.mkdirSync(path.join(home, '.claude'), { recursive: true });
  fs.writeFileSync(path.join(home, '.claude/settings.json'), '{"disableAllHooks":true}');
  assert.ok(planConnection(place()).notes.some((note) => note.includes('disableAllHooks')));
});
