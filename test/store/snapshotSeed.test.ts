/** The first snapshot of a git project takes over what the user's git has, and never trusts it too far. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { SnapshotWorld, shell, workerSource } from '../helpers/snapshotWorld.ts';

/** Files as git saw them some time ago: the index is no longer fresh. */
async function commitAndAge(w: SnapshotWorld): Promise<void> {
  w.git('add', '-A');
  w.git('commit', '-qm', 'start');
  const index = w.path('.git/index');
  const { ctimeMs } = fs.statSync(w.path('a'));
  // The clock of the file system must have moved on, so that nothing is racy any more.
  do fs.writeFileSync(index, fs.readFileSync(index));
  while (fs.statSync(index).mtimeMs <= ctimeMs + 50);
}

function world(): SnapshotWorld {
  const w = new SnapshotWorld({ a: 'A', 'd/b': 'B', 'd.x': 'x', 'd/e/f': 'f' });
  fs.symlinkSync('a', w.path('link'));
  w.git('init', '-q');
  return w;
}

describe('seeding', () => {
  for (const [what, prepare] of [
    ['loose objects', () => undefined],
    ['packs', (w: SnapshotWorld) => w.git('gc', '-q')],
    ['index version 4', (w: SnapshotWorld) => w.git('update-index', '--index-version', '4')],
  ] as const)
    it(`reads nothing that git has in ${what}, and survives the user's garbage collection`, async () => {
      await using w = world();
      await commitAndAge(w);
      prepare(w);
      await commitAndAgeIndex(w);
      w.put('untracked', 'u');
      const { snapshot, read } = await w.open({ worker: workerSource }).create(shell);
      assert.equal(read, 1);
      fs.rmSync(w.path('.git'), { recursive: true });
      w.checkStore();
      w.git('init', '-q');
      w.git('add', '-A');
      assert.equal(snapshot.tree, w.git('write-tree').trim());
    });

  it('reads what was changed, flagged, or fresh', async () => {
    await using w = world();
    await commitAndAge(w);
    w.git('update-index', '--assume-unchanged', 'd/b');
    w.git('update-index', '--skip-worktree', 'd.x');
    await commitAndAgeIndex(w);
    const { mtime, atime } = fs.statSync(w.path('a'));
    w.put('a', 'Z');
    fs.utimesSync(w.path('a'), atime, mtime);
    w.put('d/b', 'hidden from git');
    const { snapshot, read } = await w.open().create(shell);
    assert.equal(read, 3);
    assert.equal(w.storeGit('cat-file', 'blob', `${snapshot.id}:a`), 'Z');
    assert.equal(w.storeGit('cat-file', 'blob', `${snapshot.id}:d/b`), 'hidden from git');
    w.checkStore();
  });

  it('reads what git converts', async () => {
    await using w = world();
    w.put('.gitattributes', '*.txt text eol=crlf\n');
    w.put('d/.gitattributes', 'e/* filter=lfs\n*.png -text\n');
    w.put('x.txt', 'one\r\ntwo\r\n');
    w.put('d/p.png', 'p');
    w.git('config', 'filter.lfs.clean', 'echo pointer');
    await commitAndAge(w);
    await commitAndAgeIndex(w);
    const { snapshot, read } = await w.open().create(shell);
    assert.equal(read, 2);
    assert.equal(w.storeGit('cat-file', 'blob', `${snapshot.id}:x.txt`), 'one\r\ntwo\r\n');
    assert.equal(w.storeGit('cat-file', 'blob', `${snapshot.id}:d/e/f`), 'f');
  });

  it('takes objects of alternates and of linked work trees', async () => {
    await using w = world();
    await commitAndAge(w);
    const linked = path.join(w.folder, 'linked');
    w.git('worktree', 'add', '-q', linked);
    fs.writeFileSync(path.join(linked, 'later'), '');
    const index = w.path('.git/worktrees/linked/index');
    const { ctimeMs } = fs.statSync(path.join(linked, 'a'));
    do fs.writeFileSync(index, fs.readFileSync(index));
    while (fs.statSync(index).mtimeMs <= ctimeMs + 50);
    const { read, files } = await w.open({ root: linked }).create(shell);
    assert.deepEqual([read, files], [1, 6]);
    w.checkStore();
  });
});

async function commitAndAgeIndex(w: SnapshotWorld): Promise<void> {
  const index = w.path('.git/index');
  fs.writeFileSync(index, fs.readFileSync(index));
}
