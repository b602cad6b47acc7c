/** Commits that a crash cut short: told by doctor, mended by repair, for projects that nobody opens any more too. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { withLockHeld } from '../../src/base/fileLock.ts';
import { ProjectWorld } from '../helpers/projectWorld.ts';
import { helperProgram } from '../helpers/storeDriver.ts';

/** A process died at this place of a commit; nobody has opened the timeline since to look for work. */
async function died(at: string): Promise<ProjectWorld> {
  let isTrusted = false;
  const world = new ProjectWorld({ app: { mayCommit: () => isTrusted } });
  await world.turn({ 'a.txt': 'A\n' });
  isTrusted = true;
  world.app.dispose();
  const { signal } = spawnSync(process.execPath, [
    helperProgram('storeCommitting'),
    world.home,
    at,
  ]);
  assert.equal(signal, 'SIGKILL');
  world.app = world.open();
  return world;
}

const problems = async (world: ProjectWorld) =>
  (await world.app.doctor(world.root))
    .filter(({ severity }) => severity === 'problem')
    .map(({ text }) => text);
const mended = async (world: ProjectWorld) =>
  (await world.app.repair(world.root)).map(({ text }) => text);

function journalFolder(world: ProjectWorld): string {
  const commits = path.join(world.home, 'commits');
  const [name] = fs.readdirSync(commits).filter((each) => each.startsWith('.git'));
  assert.ok(name, fs.readdirSync(commits).join());
  return path.join(commits, name);
}

it('one that is under way on the branch is told, and finished', async () => {
  await using world = await died('moved');
  const lock = world.path('.git/index.lock');
  assert.equal(fs.existsSync(lock), true);
  assert.deepEqual(await problems(world), [
    `A commit on refs/heads/main in ${world.root} was cut short.`,
  ]);
  assert.equal(fs.existsSync(lock), true, 'looking changes nothing');
  assert.match((await mended(world))[0] ?? '', /was finished, given up or set aside/);
  assert.equal(fs.existsSync(lock), false);
  assert.equal(world.status(), '');
  assert.deepEqual(await problems(world), []);
});

it('one that another git stands in the way of stays, and is told so', async () => {
  await using world = await died('moved');
  fs.writeFileSync(world.path('.git/index.lock'), 'somebody');
  assert.match((await mended(world))[0] ?? '', /another git process holds the index/);
  assert.equal(fs.readFileSync(world.path('.git/index.lock'), 'utf8'), 'somebody');
  assert.equal((await problems(world)).length, 1);
});

it('one that cannot be understood is set aside, and its lock of the index goes', async () => {
  await using world = await died('locked');
  const folder = journalFolder(world);
  fs.writeFileSync(path.join(folder, 'journal.json'), '{');
  assert.match((await problems(world))[0] ?? '', /cannot be understood/);
  assert.equal((await mended(world)).length, 2);
  assert.equal(fs.existsSync(path.join(folder, 'journal.json.damaged')), true);
  assert.equal(fs.existsSync(world.path('.git/index.lock')), false);
  assert.deepEqual(await problems(world), []);
});

it('a lock of ours without a record is told and removed; one of somebody else is neither', async () => {
  await using world = await died('locked');
  fs.rmSync(path.join(journalFolder(world), 'journal.json'));
  assert.match((await problems(world))[0] ?? '', /left its lock of the index/);
  assert.match((await mended(world))[0] ?? '', /lock of the index .* was removed/);
  fs.writeFileSync(world.path('.git/index.lock'), '');
  assert.deepEqual(await problems(world), []);
  assert.deepEqual(await mended(world), []);
  assert.equal(fs.existsSync(world.path('.git/index.lock')), true);
});

it('what a process is at now is not told, nor what is of another folder', async () => {
  await using world = await died('locked');
  const elsewhere = path.join(world.folder, 'elsewhere');
  fs.mkdirSync(elsewhere);
  const { app } = world;
  const found = (await app.doctor(app.rootOf(elsewhere))).filter((f) => f.severity === 'problem');
  assert.deepEqual(found, []);
  await withLockHeld(path.join(journalFolder(world), 'lock'), { wait: 0 }, async () => {
    assert.deepEqual(await problems(world), []);
  });
  assert.equal((await problems(world)).length, 1);
});
