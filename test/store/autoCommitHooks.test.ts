/** From an agent's hooks to a commit: real hook processes, the command line tool, one process an act. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { asSessionId } from '../../src/core/ids.ts';
import { StoreDriver } from '../helpers/storeDriver.ts';

/** A project that commits, in a repository with two files. */
async function committing(): Promise<StoreDriver> {
  const driver = new StoreDriver({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' }, git: true });
  await driver.with((app) => {
    const { id } = app.projects.create({ workdir: driver.root });
    app.projects.change(id, { autoCommit: 'whenClean' });
  });
  return driver;
}

/** Opens the timeline, lets what is due be committed, and closes it. */
const settle = (driver: StoreDriver) =>
  driver.with(async (app) => {
    await app.idle();
    return app.turns(asSessionId('session-1')).map(({ autoCommit }) => autoCommit);
  });

it('edits, shell commands, and turns that nobody looked at in between', async () => {
  using driver = await committing();
  await driver.turn(async (agent) => {
    await agent.edit('a.txt', 'A\n');
    await agent.edit('made/n.txt', 'n\n');
  }, 'First');
  await driver.turn(async (agent) => {
    await agent.edit('a.txt', 'AA\n');
    await agent.shell('rm b.txt && echo s > s.txt');
  }, 'Second');
  const commits = await settle(driver);
  assert.deepEqual(
    commits.map((commit) => [commit?.state, commit?.paths.toSorted()]),
    [
      ['committed', ['a.txt', 'made/n.txt']],
      ['committed', ['a.txt', 'b.txt', 's.txt']],
    ],
  );
  assert.deepEqual(driver.git('log', '--format=%s').trim().split('\n'), [
    '[agent session-1] turn 2: Second',
    '[agent session-1] turn 1: First',
    'start',
  ]);
  assert.equal(driver.git('show', 'HEAD~1:a.txt'), 'A\n');
  assert.equal(driver.git('status', '--porcelain'), '');
});

it('a person who edits the agent’s file after the turn keeps it for themselves', async () => {
  using driver = await committing();
  await driver.turn((agent) => agent.edit('a.txt', 'A\n'));
  driver.put('a.txt', 'A and mine\n');
  const [commit] = await settle(driver);
  assert.equal(commit?.reason, 'changedByOthers');
  assert.equal(driver.git('log', '--format=%s').trim(), 'start');
  assert.equal(driver.read('a.txt'), 'A and mine\n');
});

it('a turn whose branch was switched by a shell command is not committed', async () => {
  using driver = await committing();
  await driver.turn(async (agent) => {
    await agent.edit('a.txt', 'A\n');
    await agent.shell('git checkout -q -b other');
  });
  const [commit] = await settle(driver);
  assert.equal(commit?.reason, 'branchMoved');
});

it('an agent that commits its work itself: nothing twice', async () => {
  using driver = await committing();
  await driver.turn(async (agent) => {
    await agent.edit('a.txt', 'A\n');
    await agent.shell('git -c user.name=A -c user.email=a@example.org commit -qam agent');
    await agent.edit('b.txt', 'B\n');
  });
  const [commit] = await settle(driver);
  assert.deepEqual([commit?.state, commit?.paths], ['committed', ['b.txt']]);
  assert.equal(driver.git('rev-list', '--count', 'HEAD').trim(), '3');
});
