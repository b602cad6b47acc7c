/** From an agent's hooks to a commit: real hook processes, the command line tool, one process an act. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe, it } from 'node:test';
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

it('a command that changes hundreds of files is one commit, whose bytes nobody kept beside the snapshots', async () => {
  using driver = await committing();
  const names = Array.from({ length: 310 }, (_, n) => `m/${n}`);
  await driver.turn(async (agent) => {
    await agent.shell(
      'mkdir m; for n in $(seq 0 309); do echo $n > m/$n; done; echo B > b.txt; rm a.txt',
    );
  });
  const [commit] = await settle(driver);
  assert.deepEqual([commit?.state, commit?.paths.length], ['committed', names.length + 2]);
  assert.equal(driver.git('status', '--porcelain'), '');
  assert.equal(driver.git('show', 'HEAD:m/309'), '309\n');
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

describe('edits of a subagent that come after the commit of their turn', () => {
  /** One turn that is committed, then edits that nobody asked for. */
  async function late(): Promise<StoreDriver> {
    const driver = await committing();
    await driver.turn((agent) => agent.edit('a.txt', 'A\n'), 'First');
    assert.equal((await settle(driver))[0]?.state, 'committed');
    await driver.main.edit('a.txt', 'A late\n');
    await driver.main.edit('late.txt', 'late\n');
    const [commit] = await settle(driver);
    assert.deepEqual([commit?.state, commit?.paths], ['committed', ['a.txt']]);
    assert.equal(driver.git('rev-list', '--count', 'HEAD').trim(), '2');
    return driver;
  }

  it('join the next commit of their session', async () => {
    using driver = await late();
    await driver.turn((agent) => agent.edit('b.txt', 'B\n'), 'Second');
    const [, commit] = await settle(driver);
    assert.deepEqual(
      [commit?.state, commit?.paths.toSorted(), commit?.olderTurns],
      ['committed', ['a.txt', 'b.txt', 'late.txt'], ['session-1#1']],
    );
    assert.equal(driver.git('status', '--porcelain'), '');
    await driver.turn((agent) => agent.edit('b.txt', 'BB\n'), 'Third');
    assert.deepEqual((await settle(driver))[2]?.paths, ['b.txt']);
  });

  it('join it also where the next turn goes on in the same file', async () => {
    using driver = await late();
    await driver.turn((agent) => agent.edit('a.txt', 'A later still\n'), 'Second');
    const [, commit] = await settle(driver);
    assert.deepEqual(commit?.paths.toSorted(), ['a.txt', 'late.txt']);
    assert.equal(driver.git('show', 'HEAD:a.txt'), 'A later still\n');
    assert.equal(driver.git('status', '--porcelain'), '');
  });

  it('wait for the next one where the user is in the way, and for nobody else’s', async () => {
    using driver = await late();
    const other = driver.session('session-2');
    await other.turn((agent) => agent.edit('o.txt', 'o\n'));
    await settle(driver);
    assert.equal(driver.git('show', '--format=', '--name-only', 'HEAD').trim(), 'o.txt');
    driver.put('mine.txt', 'mine\n');
    await driver.turn((agent) => agent.edit('b.txt', 'B\n'), 'Second');
    assert.equal((await settle(driver))[1]?.reason, 'userChanges');
    fs.rmSync(driver.path('mine.txt'));
    await driver.turn((agent) => agent.edit('b.txt', 'BB\n'), 'Third');
    const [, , commit] = await settle(driver);
    assert.deepEqual(commit?.paths.toSorted(), ['a.txt', 'b.txt', 'late.txt']);
    assert.equal(driver.git('status', '--porcelain'), '');
  });

  it('stay the user’s where the user changed the file too', async () => {
    using driver = await late();
    driver.put('a.txt', 'mine now\n');
    await driver.turn((agent) => agent.edit('b.txt', 'B\n'), 'Second');
    const [, commit] = await settle(driver);
    assert.deepEqual([commit?.reason, commit?.leftOut[0]?.path], ['userChanges', 'a.txt']);
    assert.equal(driver.git('show', 'HEAD:a.txt'), 'A\n');
  });
});
