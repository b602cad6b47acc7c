import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { type ConnectionPlan, knownAgents } from '../../../src/app/connector.ts';
import type { Root } from '../../../src/core/ids.ts';
import {
  type ConnectContext,
  connectFlow,
  disconnectFlow,
  statuses,
} from '../../../src/extension/connectFlow.ts';
import { plainLocalizer } from '../../helpers/plainLocalizer.ts';

/** A home with Claude Code in it and a project, and answers given in order: labels to pick, ids to answer. */
function stage(t: TestContext, answers: string[], withProject = true) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-connect-'));
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
  const home = path.join(folder, 'home');
  const root = path.join(folder, 'shop') as Root;
  fs.mkdirSync(path.join(home, '.claude'), { recursive: true });
  fs.mkdirSync(root);
  const said: string[] = [];
  const shown: ConnectionPlan[] = [];
  const context: ConnectContext = {
    l10n: plainLocalizer,
    agents: knownAgents(home),
    roots: withProject ? [{ root, folder: 'shop' }] : [],
    base: {
      home,
      launcher: path.join(home, '.memcode/timeline/bin/memcode-timeline'),
      timelineHome: path.join(home, '.memcode/timeline'),
      platform: 'linux',
    },
    pick: async (entries, { title }) => {
      const items = entries.filter((entry) => entry.kind === 'item');
      said.push(`${title}: ${items.map(({ label }) => label).join(', ')}`);
      const wanted = answers.shift();
      return items.find(({ label }) => label === wanted)?.value;
    },
    prepare: async () => {
      said.push('prepared');
    },
    confirm: async (plan, { message, label }) => {
      shown.push(plan);
      said.push(`${message.split('?')[0]}? ${label}`);
      return answers.shift() === label;
    },
  };
  const file = path.join(home, '.claude/settings.json');
  return { context, said, shown, file, root };
}

test('an agent is picked, a place is picked, the change is shown, then written', async (t) => {
  const { context, said, shown, file } = stage(t, ['Claude Code', 'User settings', 'Connect']);
  const message = await connectFlow(context);
  assert.match(message ?? '', /^Claude Code is connected: sessions that start from now on/);
  assert.equal(said[0]?.split(', ')[0], 'Connect Agent: Claude Code');
  assert.deepEqual(said.slice(1), [
    'Connect Claude Code: User settings, Project settings of shop',
    'Connect Claude Code? Connect',
    'prepared',
  ]);
  assert.equal(fs.readFileSync(file, 'utf8'), shown[0]?.after);
  assert.equal(shown[0]?.before, null);
});

test('no answer writes nothing', async (t) => {
  const { context, said, file } = stage(t, ['Claude Code', 'User settings']);
  assert.equal(await connectFlow(context), undefined);
  assert.equal(said.at(-1), 'Connect Claude Code? Connect');
  assert.equal(fs.existsSync(file), false);
  const nobody = stage(t, []);
  assert.equal(await connectFlow(nobody.context), undefined);
  assert.deepEqual(nobody.shown, []);
});

test('without a project there is one place, and a named agent is not asked for', async (t) => {
  const { context, said } = stage(t, ['Connect'], false);
  await connectFlow(context, 'claude');
  assert.deepEqual(said, ['Connect Claude Code? Connect', 'prepared']);
});

test('connecting twice changes nothing and says so', async (t) => {
  const { context, shown } = stage(t, ['Connect'], false);
  await connectFlow(context, 'claude');
  const message = await connectFlow(context, 'claude');
  assert.match(message ?? '', /was connected already/);
  assert.equal(shown.length, 1);
});

test('disconnecting offers what is connected and gives the file back', async (t) => {
  const { context, said, root } = stage(t, [
    'Claude Code',
    'Project settings of shop',
    'Connect',
    'Claude Code',
    'Disconnect',
  ]);
  await connectFlow(context);
  const connected = statuses(context).filter(({ state }) => state === 'connected');
  assert.deepEqual(
    connected.map(({ agent, scope }) => [agent, scope]),
    [['claude', 'project']],
  );
  assert.equal(
    await disconnectFlow(context),
    'Claude Code is disconnected. What was recorded stays.',
  );
  assert.equal(said.at(-1), 'Disconnect Claude Code? Disconnect');
  assert.deepEqual(fs.readdirSync(root), []);
});
