/** A rewind over committed turns, and what comes of commits after it. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { asSessionId } from '../../src/core/ids.ts';
import { ProjectWorld } from '../helpers/projectWorld.ts';

it('leaves HEAD, the index and the reflog alone, and says before which commits will differ', async () => {
  await using world = new ProjectWorld();
  await world.turn({ 'a.txt': 'A\n' });
  await world.turn({ 'a.txt': 'AA\n', 'n.txt': 'n\n' });
  world.git('commit', '-q', '--allow-empty', '-m', 'by hand');
  const git = world.belongings(['a.txt', 'n.txt']);
  const [first, second] = world.app.turns(asSessionId('s1'));
  assert.ok(first && second);
  const commits = [first, second].map(({ autoCommit }) => autoCommit?.commit ?? '');
  assert.deepEqual(
    commits,
    ['HEAD~2', 'HEAD~1'].map((name) => world.git('rev-parse', name).trim()),
  );
  const [one = '', two = ''] = commits.map((commit) => commit.slice(0, 8));
  assert.deepEqual((await world.app.preview(first.id)).warnings, [
    `What is taken back was committed: ${one} (turn 1), ${two} (turn 2). The commits stay; the files will differ from them.`,
    '1 more commit was made since. Commits stay; the files will differ from them.',
  ]);
  assert.deepEqual((await world.app.preview(second.id)).warnings, [
    `What is taken back was committed: ${two} (turn 2). The commit stays; the files will differ from it.`,
    '1 more commit was made since. Commits stay; the files will differ from them.',
  ]);
  await world.app.rewind(first.id);
  assert.equal(world.read('a.txt'), 'a\n');
  assert.deepEqual(world.belongings(['a.txt', 'n.txt']), git);
  world.app.ingest();
  await world.app.idle();
  assert.deepEqual(world.belongings(['a.txt', 'n.txt']), git);
  const next = await world.turn({ 'b.txt': 'B\n' });
  assert.equal(next?.reason, 'userChanges');
  assert.deepEqual(
    next?.leftOut.map(({ path }) => path),
    ['a.txt', 'n.txt'],
  );
});

it('a commit that is not checked out any more is not named', async () => {
  await using world = new ProjectWorld();
  await world.turn({ 'a.txt': 'A\n' });
  world.git('reset', '-q', '--soft', 'HEAD~1');
  const [turn] = world.app.turns(asSessionId('s1'));
  assert.ok(turn);
  assert.deepEqual((await world.app.preview(turn.id)).warnings, []);
});
