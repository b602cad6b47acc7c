/** Old versions of memory go within the limits of saved states; what can be taken back, waits or is there now stays. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { RetentionLimits } from '../../src/core/retention.ts';
import { agent, MemoryWorld } from '../helpers/memoryWorld.ts';

const day = 24 * 3_600_000;
const name = 'Build';

function kept(world: MemoryWorld): number {
  using database = new DatabaseSync(path.join(world.home, 'timeline.db'), { readOnly: true });
  return Number(database.prepare('SELECT count(*) AS n FROM memory_contents').get()?.['n']);
}

/** New events come in, which is when limits are looked at. */
async function later(world: MemoryWorld, milliseconds: number): Promise<void> {
  world.time += milliseconds;
  const recorder = world.recorder('other');
  recorder.begin('something else');
  recorder.end('done');
  await world.app.idle();
}

async function make(limits: RetentionLimits): Promise<MemoryWorld> {
  return MemoryWorld.make({ retention: () => limits });
}

test('versions beyond the age go, their changes stay and say so; the present one stays', async () => {
  await using world = await make({ maxBytes: 1024 ** 3, maxAgeDays: 90 });
  for (let n = 0; n < 60; n++) await world.save(name, `version ${n} of how it is built`);
  assert.ok(kept(world) >= 60);
  await later(world, 89 * day);
  assert.ok(kept(world) >= 60);
  const past = world.time;
  await later(world, 2 * day);
  assert.equal(kept(world), 1);
  const versions = await world.memory.history(world.root, name);
  assert.equal(versions.length, 60);
  assert.match(versions[0]?.after ?? '', /version 59/);
  assert.equal(versions[1]?.after, undefined);
  await assert.rejects(world.memory.restore(versions[9]!.touch.id, 'after'), /not kept/);
  assert.match((await world.memory.show(world.root, name)).body, /version 59/);

  const now = await world.memory.asOf(world.root, past);
  assert.deepEqual([now.notes.length, now.gone], [1, []]);
  const then = await world.memory.asOf(world.root, versions[30]!.touch.at);
  assert.deepEqual([then.notes, then.gone], [[], [versions[0]!.touch.path]]);
});

test('over the budget the oldest go; age 0 keeps them whatever their age', async () => {
  const size = 4_000;
  await using world = await make({ maxBytes: 20 * size, maxAgeDays: 0 });
  for (let n = 0; n < 60; n++) await world.save(name, `${n} `.padEnd(size, 'x'));
  await later(world, 400 * day);
  const left = kept(world);
  assert.ok(left > 10 && left <= 20, `${left}`);
  const versions = await world.memory.history(world.root, name);
  assert.ok(versions.slice(0, left).every(({ after }) => after !== undefined));
  assert.ok(versions.slice(left).every(({ after }) => after === undefined));
});

test('what a turn or its undo needs stays, and is taken back long after', async () => {
  await using world = await make({ maxBytes: 1024 ** 3, maxAgeDays: 90 });
  world.memory.setAgentWrites('auto');
  await world.save(name, 'as a person wrote it');
  const turn = await world.turn('improve it', () =>
    world.save(name, 'as an agent has it', 'project', agent),
  );
  await later(world, 200 * day);
  const { operation } = await world.app.rewind(turn, { memory: 'take-back' });
  assert.equal((await world.memory.show(world.root, name)).body, 'as a person wrote it');
  await later(world, 200 * day);
  await world.app.redo(operation ?? assert.fail());
  assert.equal((await world.memory.show(world.root, name)).body, 'as an agent has it');
});

test('a write that waits can be approved long after, and what it replaces is known', async () => {
  await using world = await make({ maxBytes: 0, maxAgeDays: 1 });
  await world.save(name, 'first');
  await world.save(name, 'second');
  world.memory.setAgentWrites('ask');
  await world.turn('write', () => world.save(name, 'third', 'project', agent));
  await later(world, 50 * day);
  const [waiting] = await world.memory.pending(world.root);
  assert.match(waiting?.before ?? '', /second/);
  await world.memory.approve(waiting!.id);
  assert.equal((await world.memory.show(world.root, name)).body, 'third');
});
