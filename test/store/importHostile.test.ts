/** Transcripts that nobody could have meant so: what can be read of them is, and nothing else is lost. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import type { ImportReport } from '../../src/app/sessionHistory.ts';
import { HistoryWorld, id } from '../helpers/historyWorld.ts';

type Record = Readonly<globalThis.Record<string, unknown>>;

function said(
  role: 'user' | 'assistant',
  uuid: string,
  parentUuid: string | null,
  content: unknown,
  more: Record = {},
): Record {
  const timestamp = '2026-03-05T09:30:00.000Z';
  const isReply = role === 'assistant' && typeof content === 'string';
  const message = { role, content: isReply ? [{ type: 'text', text: content }] : content };
  return {
    type: role,
    uuid,
    parentUuid,
    sessionId: 's',
    timestamp,
    message,
    ...more,
  };
}

/** Puts it where Claude Code would, and imports it. */
function imported(world: HistoryWorld, lines: readonly (Record | string)[]): Promise<ImportReport> {
  const file = path.join(world.userHome, '.claude', 'projects', '-p', 's.jsonl');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const text = (line: Record | string) =>
    typeof line === 'string' ? line : JSON.stringify({ cwd: world.root, ...line });
  fs.writeFileSync(file, lines.map((line) => `${text(line)}\n`).join(''));
  return world.app.history.importSessions({});
}

const turns = (world: HistoryWorld) =>
  world.app.history.turns(id('s')).map(({ number, prompt, reply }) => [number, prompt, reply]);

it('records that go on from one another in a circle', async () => {
  using world = new HistoryWorld();
  await imported(world, [
    said('user', '1', '4', 'one'),
    said('assistant', '2', '1', 'first'),
    said('user', '3', '3', 'two'),
    said('assistant', '4', '3', 'second'),
    said('user', '1', '4', 'one'),
  ]);
  assert.deepEqual(turns(world), [
    [1, 'one', 'first'],
    [2, 'two', 'second'],
  ]);
  const parents = world.app.history.turns(id('s')).map(({ parent }) => parent);
  assert.ok(parents.includes(null), String(parents));
  await world.app.idle();
  assert.equal(world.app.history.step(id('s'), 'prev').index, 1);
});

it('times that no clock shows', async () => {
  using world = new HistoryWorld();
  const times = [1e300, -1e15, 'nonsense', null, {}, '-000001-01-01T00:00:00Z', [5]];
  const report = await imported(
    world,
    times.flatMap((timestamp, n) => [
      said('user', `p${n}`, n === 0 ? null : `r${n - 1}`, `prompt ${n}`, { timestamp }),
      said('assistant', `r${n}`, `p${n}`, 'ok', { timestamp }),
    ]),
  );
  assert.deepEqual(
    report.files.map(({ added, problem }) => [added, problem]),
    [[times.length, null]],
  );
});

it('values in values, ten thousand deep', async () => {
  using world = new HistoryWorld();
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
  const line = (record: Record) =>
    JSON.stringify({ cwd: world.root, ...record }).replace('"deep"', deep);
  const call = { type: 'tool_use', id: 't', name: 'Bash', input: 'deep' };
  const result = { type: 'tool_result', tool_use_id: 't', content: 'deep' };
  await imported(world, [
    said('user', '1', null, 'one'),
    line(said('assistant', '2', '1', [call])),
    line(said('user', '3', '2', [result])),
    line({ type: 'of the future', sessionId: 's', uuid: '4', parentUuid: '3', more: 'deep' }),
    said('assistant', '5', '3', 'done'),
  ]);
  assert.deepEqual(turns(world), [[1, 'one', 'done']]);
});
