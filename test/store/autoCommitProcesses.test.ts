/** Several processes commit in one repository at once. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { it } from 'node:test';
import { ProjectWorld } from '../helpers/projectWorld.ts';
import { helperProgram } from '../helpers/storeDriver.ts';

it('eight sessions at once: eight commits in a row, each of its own file', async () => {
  await using world = new ProjectWorld();
  world.put('mine.txt', 'mine\n');
  world.git('add', 'mine.txt');
  world.app.projects.change(world.project, { autoCommit: 'agentPathsOnly' });
  world.app.dispose();
  const program = helperProgram('storeCommitting');
  const sessions = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `session-${n}`);
  const codes = await Promise.all(
    sessions.map(
      (session) =>
        new Promise((resolve) => {
          const args = [program, world.home, '', session, world.root, `${session}.txt`];
          spawn(process.execPath, args).on('close', resolve);
        }),
    ),
  );
  assert.deepEqual(
    codes,
    sessions.map(() => 0),
  );
  world.app = world.open();
  world.app.ingest();
  await world.app.idle();
  const log = world.git('log', '--format=%s %p', '-8').trim().split('\n');
  assert.deepEqual(
    log.map((line) => / turn 1: Work of (\S+) [0-9a-f]+$/.exec(line)?.[1]).toSorted(),
    sessions,
  );
  for (const n of [0, 1, 2, 3, 4, 5, 6, 7]) {
    const subject = world.git('log', '-1', '--format=%s', `HEAD~${n}`);
    const session = /^\[agent (\S+)\]/.exec(subject)?.[1];
    assert.deepEqual(world.changed(`HEAD~${n}`), [`A ${session}.txt`]);
  }
  assert.equal(world.git('rev-list', '--count', 'HEAD').trim(), '9');
  assert.match(world.status(), /^1 A\. .* mine\.txt\n$/);
  world.git('fsck', '--strict');
});
