/** Cline's hooks tell no prompt: its transcript does, afterwards. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parsePayload } from '../../src/agents/parsePayload.ts';
import { spoolFolder } from '../../src/base/home.ts';
import { addToSpool, spoolName } from '../../src/base/spool.ts';
import { HistoryWorld, id } from '../helpers/historyWorld.ts';
import { fixtures } from '../helpers/importing.ts';

const session = '1796057207587_vd4b0';

test('a turn gets its prompt, and the session its name, from the transcript', () => {
  using world = new HistoryWorld();
  const messages = JSON.parse(fs.readFileSync(path.join(fixtures, 'cline.messages.json'), 'utf8'));
  const folder = path.join(world.userHome, '.cline/data/sessions', session);
  fs.mkdirSync(folder, { recursive: true });
  const text = JSON.stringify(messages).replaceAll('/repo', world.root);
  fs.writeFileSync(path.join(folder, `${session}.messages.json`), text);
  fs.copyFileSync(path.join(fixtures, 'cline.session.json'), path.join(folder, `${session}.json`));
  world.now = Date.parse('2026-11-30T16:46:47.700Z');
  const tell = (body: object): void => {
    const name = spoolName(world.now);
    const base = { v: 1, id: name, at: world.now, session, agent: 'cline', root: world.root };
    addToSpool(spoolFolder(world.home), name, JSON.stringify({ ...base, ...body }));
  };
  tell({ kind: 'turn', turn: `${session}#1`, seq: 1, number: 1, prompt: '' });
  world.now += 3000;
  tell({ kind: 'end', turn: `${session}#1`, end: 'stop', reply: 'All three changes are done.' });
  world.app.ingest();
  world.now += 60_000;
  while (world.app.history.complete()) world.now += 60_000;
  const [turn, ...others] = world.app.history.turns(id(session));
  assert.deepEqual(others, []);
  assert.equal(turn?.prompt, 'Make the greeting friendlier');
  assert.ok((turn?.tools.length ?? 0) > 0);
  assert.equal(world.app.sessions(world.root)[0]?.title, 'Make the greeting friendlier');
  const [prompt] = world.app.history.nodes(turn?.id as never);
  assert.equal(prompt?.content, 'Make the greeting friendlier');
});

test('what a subagent does belongs to the session of the one that started it', () => {
  const base = {
    clineVersion: '',
    taskId: 'conv_2',
    sessionContext: { rootSessionId: 'root_1' },
    workspaceRoots: ['/repo'],
    agent_id: 'agent_2',
    parent_agent_id: 'agent_1',
  };
  const parsed = parsePayload(
    {
      ...base,
      hookName: 'tool_call',
      tool_call: { id: 'c', name: 'editor', input: { path: '/repo/a' } },
    },
    {},
  );
  assert.ok('event' in parsed && parsed.event.kind === 'beforeTool');
  assert.deepEqual([parsed.event.session, parsed.event.subagent], ['root_1', 'agent_2']);
  assert.ok('ignored' in parsePayload({ ...base, hookName: 'agent_start' }, {}));
  assert.ok('ignored' in parsePayload({ ...base, hookName: 'agent_end' }, {}));
});
