/** What hosts ask of projects beside their commits: who is told what, what is imported, what takes room. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { isUserError } from '../../src/core/errors.ts';
import { asSessionId, asTurnId } from '../../src/core/ids.ts';
import { ProjectWorld } from '../helpers/projectWorld.ts';

describe('a turn that was skipped', () => {
  it('is told of once, and again only after something was committed in between', async () => {
    await using world = new ProjectWorld();
    const { projects } = world.app;
    const told = () => projects.notices(world.project).map(({ turn, reason }) => [turn, reason]);
    world.put('b.txt', 'mine\n');
    await world.turn({ 'a.txt': 'A\n' });
    assert.deepEqual(told(), [['s1#1', 'userChanges']]);
    projects.told(world.project, ['userChanges']);
    await world.turn({ 'a.txt': 'AA\n' });
    assert.deepEqual(told(), []);
    world.git('commit', '-qm', 'mine', 'b.txt');
    assert.equal((await world.turn({ 'c.txt': 'c\n' }))?.state, 'committed');
    assert.deepEqual(told(), []);
    world.put('b.txt', 'mine again\n');
    await world.turn({ 'a.txt': 'AAA\n' });
    assert.deepEqual(told(), [['s1#4', 'userChanges']]);
    projects.mute(world.project, 'userChanges');
    assert.deepEqual(told(), []);
  });

  it('is committed without the user’s files when a person says so, with what was left before', async () => {
    await using world = new ProjectWorld();
    const { projects } = world.app;
    world.put('b.txt', 'mine\n');
    await world.turn({ 'a.txt': 'A\n' });
    const second = await world.turn({ 'a.txt': 'AA\n', 'n.txt': 'n\n' });
    assert.equal(second?.reason, 'userChanges');
    const made = await projects.commitAgentPaths(asTurnId('s1#2'));
    assert.deepEqual(
      [made.state, made.commit, made.olderTurns],
      ['committed', world.head, ['s1#1']],
    );
    assert.deepEqual(world.changed(), ['M a.txt', 'A n.txt']);
    assert.match(world.status(), /^1 \.M.* b\.txt\n$/);
    assert.equal(projects.get(world.project).autoCommit, 'agentPathsOnly');
    assert.deepEqual(await projects.commitAgentPaths(asTurnId('s1#2')), made);
    await assert.rejects(projects.commitAgentPaths(asTurnId('s1#9')), (e) =>
      isUserError(e, 'notFound'),
    );
  });

  it('stays skipped where nothing of it is the agent’s alone, and nobody is told twice', async () => {
    await using world = new ProjectWorld();
    const { projects } = world.app;
    world.put('a.txt', 'mine\n');
    await world.turn({ 'a.txt': 'A\n' });
    const still = await projects.commitAgentPaths(asTurnId('s1#1'));
    assert.deepEqual([still.state, still.reason], ['skipped', 'changedBefore']);
    assert.deepEqual(projects.notices(world.project), []);
  });
});

it('folders to import: those with sessions, and repositories that are named or in what is named', async () => {
  await using world = new ProjectWorld();
  const { projects } = world.app;
  const folder = (name: string) => {
    const made = path.join(world.folder, 'src', name);
    fs.mkdirSync(path.join(made, name === 'plain' ? 'x' : '.git'), { recursive: true });
    return made;
  };
  const [one, two] = [folder('one'), folder('two')];
  folder('plain');
  const none = { sessions: 0, isRepository: true };
  assert.deepEqual(
    projects
      .importable([path.dirname(one), world.root, path.join(world.folder, 'gone')])
      .toSorted((a, b) => (a.workdir < b.workdir ? -1 : 1)),
    [
      { workdir: one, ...none },
      { workdir: two, ...none },
    ],
  );
  assert.deepEqual(projects.importable([two]), [{ workdir: two, ...none }]);
  assert.deepEqual(projects.importable(), []);
});

it('a project tells its sessions, newest first, what they take, and whether there is a repository', async () => {
  await using world = new ProjectWorld({ mode: 'off' });
  const { projects } = world.app;
  assert.equal((await projects.diskUse(world.project)) > 0, true, 'its mark');
  const before = await projects.diskUse(world.project);
  await world.turn({ 'a.txt': 'A'.repeat(100_000) });
  await world.turn({ 'b.txt': 'B\n' }, { session: 's2' });
  assert.deepEqual(
    projects.sessions(world.project).map(({ id, turns }) => [id, turns]),
    [
      ['s2', 1],
      ['s1', 1],
    ],
  );
  assert.ok((await projects.diskUse(world.project)) > before + 100_000);
  assert.equal(projects.hasRepository(world.root), true);
  assert.equal(projects.hasRepository(world.folder), false);
  projects.detach(asSessionId('s2'));
  assert.deepEqual(
    projects.sessions(world.project).map(({ id }) => id),
    ['s1'],
  );
});
