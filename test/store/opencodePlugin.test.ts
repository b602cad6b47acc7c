/** The plugin that opencode gets: put there, taken away, and run as opencode runs it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { parsePayload } from '../../src/agents/parsePayload.ts';
import {
  applyConnection,
  type ConnectionPlace,
  connectionStatus,
  planConnection,
  planDisconnection,
} from '../../src/app/connector.ts';

const posix = { skip: process.platform === 'win32' && 'the hook of this test is for sh' };

function world(t: TestContext) {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-opencode-')));
  t.after(() => fs.rmSync(base, { recursive: true, force: true }));
  const place: ConnectionPlace = {
    agent: 'opencode',
    scope: 'user',
    home: path.join(base, 'home'),
    root: path.join(base, 'project'),
    launcher: path.join(base, 'bin', 'memcode-timeline'),
    timelineHome: path.join(base, 'timeline'),
    platform: process.platform,
  };
  for (const folder of [place.home, place.root]) fs.mkdirSync(folder);
  const file = path.join(place.home, '.config/opencode/plugins/memcode-timeline.js');
  return { base, place, file };
}

test('a file of its own comes and goes', (t) => {
  const { place, file } = world(t);
  const project = { ...place, scope: 'project' } as const;
  assert.equal(
    planConnection(project).file,
    path.join(place.root, '.opencode/plugins/memcode-timeline.js'),
  );
  const plan = planConnection(place);
  assert.deepEqual([plan.file, plan.before, plan.changed], [file, null, true]);
  applyConnection(plan);
  assert.equal(connectionStatus(place).state, 'connected');
  assert.equal(planConnection(place).changed, false);
  assert.equal(
    connectionStatus({ ...place, launcher: '/moved/memcode-timeline' }).state,
    'outdated',
  );
  applyConnection(planDisconnection(place));
  assert.equal(fs.existsSync(path.join(place.home, '.config')), false);
  assert.equal(connectionStatus(place).state, 'notConnected');
});

test('without a record of it, it goes all the same', (t) => {
  const { place, file } = world(t);
  applyConnection(planConnection(place));
  fs.rmSync(place.timelineHome, { recursive: true });
  applyConnection(planDisconnection(place));
  assert.equal(fs.existsSync(file), false);
});

test('a plugin of somebody else of that name is left alone', (t) => {
  const { place, file } = world(t);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, 'export const Theirs = async () => ({});\n');
  assert.throws(() => planConnection(place), { code: 'config' });
  assert.equal(connectionStatus(place).state, 'notConnected');
  assert.equal(planDisconnection(place).changed, false);
});

type Hooks = Readonly<Record<string, (input: unknown, output?: unknown) => Promise<void>>>;

async function load(file: string, directory: string): Promise<Hooks> {
  const plugin: { MemcodeTimeline: (given: { directory: string }) => Promise<Hooks> } =
    await import(pathToFileURL(file).href);
  return plugin.MemcodeTimeline({ directory });
}

test('each hook is told, one after the other, in a shape that is understood', posix, async (t) => {
  const { base, place, file } = world(t);
  const told = path.join(base, 'told');
  fs.mkdirSync(path.dirname(place.launcher));
  fs.writeFileSync(place.launcher, `#!/bin/sh\ncat >> '${told}'; echo >> '${told}'\n`, {
    mode: 0o755,
  });
  applyConnection(planConnection(place));
  const hooks = await load(file, place.root);
  const input = { sessionID: 'ses_1', tool: 'edit', callID: 'c' };
  const args = { filePath: `${place.root}/a.js` };
  await hooks['event']?.({ event: { type: 'message.updated', properties: {} } });
  await hooks['chat.message']?.(
    { sessionID: 'ses_1' },
    { message: { id: 'msg_1' }, parts: [{ type: 'text', text: 'Do it' }] },
  );
  await hooks['tool.execute.before']?.(input, { args });
  await hooks['tool.execute.after']?.({ ...input, args }, { output: 'ok' });
  await hooks['event']?.({ event: { type: 'session.idle', properties: { sessionID: 'ses_1' } } });
  const events = fs
    .readFileSync(told, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => parsePayload(JSON.parse(line), { agent: 'opencode' }))
    .map((parsed) => ('event' in parsed ? parsed.event : parsed.ignored));
  const base1 = { agent: 'opencode', session: 'ses_1', cwd: place.root };
  const call = { tool: 'edit', toolClass: 'write', paths: [args.filePath], callId: 'c' };
  assert.deepEqual(events, [
    { ...base1, kind: 'prompt', prompt: 'Do it', promptId: 'msg_1' },
    { ...base1, kind: 'beforeTool', ...call },
    { ...base1, kind: 'afterTool', ...call },
    { ...base1, kind: 'turnEnd', how: 'stop' },
  ]);
});

test('what the hook says goes behind the prompt, and is not the person’s', posix, async (t) => {
  const { place, file } = world(t);
  fs.mkdirSync(path.dirname(place.launcher));
  const answer = JSON.stringify({ additionalContext: 'words' });
  fs.writeFileSync(place.launcher, `#!/bin/sh\ncat > /dev/null; echo '${answer}'\n`, {
    mode: 0o755,
  });
  applyConnection(planConnection(place));
  const hooks = await load(file, place.root);
  const prompt = { id: 'prt_1', sessionID: 's', messageID: 'm', type: 'text', text: 'Do it' };
  const parts = [prompt];
  await hooks['chat.message']?.({ sessionID: 's' }, { message: { id: 'm' }, parts });
  assert.deepEqual(parts, [prompt, { ...prompt, id: 'prt_1m', text: 'words', synthetic: true }]);
  fs.writeFileSync(place.launcher, '#!/bin/sh\necho no JSON\n', { mode: 0o755 });
  await hooks['chat.message']?.({ sessionID: 's' }, { message: { id: 'm' }, parts });
  assert.equal(parts.length, 2);
});

test('nothing of us can stop a tool', posix, async (t) => {
  const { place, file } = world(t);
  applyConnection(planConnection(place));
  const gone = await load(file, path.join(place.root, 'no such folder'));
  await gone['tool.execute.before']?.({ tool: 'edit' }, { args: {} });
  const hooks = await load(file, place.root);
  await hooks['tool.execute.before']?.({ tool: 'edit' }, { args: {} });
  const circle: Record<string, unknown> = {};
  circle['itself'] = circle;
  await hooks['tool.execute.after']?.({ args: circle });
});

test('a hook that does not end is waited for no longer than ten seconds', posix, async (t) => {
  const { base, place, file } = world(t);
  const started = path.join(base, 'started');
  fs.mkdirSync(path.dirname(place.launcher));
  execFileSync('mkfifo', [started]);
  // The program it starts holds on to its output.
  const script = `#!/bin/sh\ncat > /dev/null; sleep 60 & echo $! > '${started}'; wait\n`;
  fs.writeFileSync(place.launcher, script, { mode: 0o755 });
  applyConnection(planConnection(place));
  const hooks = await load(file, place.root);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const told = hooks['tool.execute.before']?.({ tool: 'edit' }, { args: {} });
  const sleeper = Number(await fs.promises.readFile(started, 'utf8'));
  t.after(() => process.kill(sleeper));
  t.mock.timers.tick(10_000);
  await told;
});

test('nothing is started for what cannot be told', posix, async (t) => {
  const { base, place, file } = world(t);
  const started = path.join(base, 'started');
  fs.mkdirSync(path.dirname(place.launcher));
  fs.writeFileSync(place.launcher, `#!/bin/sh\necho >> '${started}'; cat > /dev/null\n`, {
    mode: 0o755,
  });
  applyConnection(planConnection(place));
  const hooks = await load(file, place.root);
  const circle: Record<string, unknown> = {};
  circle['itself'] = circle;
  await hooks['tool.execute.after']?.({ args: circle });
  await hooks['tool.execute.after']?.({ args: {} });
  assert.equal(fs.readFileSync(started, 'utf8'), '\n');
});
