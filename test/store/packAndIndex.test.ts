/** What git itself wrote, looked up by us: ids in a pack's index, paths in the user's index. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { PackFile } from '../../src/git/packFile.ts';
import { readIndex, TrackedPaths } from '../../src/git/trackedPaths.ts';
import { SnapshotWorld } from '../helpers/snapshotWorld.ts';

describe('a pack', () => {
  it('has the same objects whether few or very many are asked for', async () => {
    const names = Array.from({ length: 1500 }, (_, i) => `f${i}`);
    await using w = new SnapshotWorld(Object.fromEntries(names.map((name) => [name, name])));
    w.git('init', '-q');
    w.git('add', '-A');
    w.git('-c', 'user.name=n', '-c', 'user.email=e', 'commit', '-q', '-m', 'all');
    w.git('repack', '-a', '-d', '-q');
    const folder = path.join(w.root, '.git', 'objects', 'pack');
    const [index] = fs.readdirSync(folder).filter((name) => name.endsWith('.idx'));
    const pack = new PackFile(path.join(folder, path.basename(index ?? '', '.idx')));
    const ids = w
      .git('ls-files', '-s')
      .trim()
      .split('\n')
      .map((line) => Buffer.from(line.split(' ')[1] ?? '', 'hex'));
    assert.equal(ids.length, names.length);
    const strangers = ids.map((id) => Buffer.from(id).fill(id[19] ?? 0, 8));
    for (let round = 0; round < 2; round++) {
      assert.ok(ids.every((id) => pack.has(id)));
      assert.ok(!strangers.some((id) => pack.has(id)));
    }
    const [first] = ids;
    const found = first && pack.read(first, () => assert.fail('no delta leads out of it'));
    assert.equal(found?.bytes.toString(), 'f0');
    pack.close();
  });
});

describe("paths of the user's index", () => {
  it('are found together only where each is the name it should be, in the folder it should be in', async () => {
    await using w = new SnapshotWorld({
      'd/a': '1',
      'd/bd': '1',
      'd/c': '1',
      'd/é': '1',
      'e/x': '1',
    });
    w.git('init', '-q');
    w.git('add', '-A');
    const tracked = new TrackedPaths(readIndex(path.join(w.root, '.git', 'index')));
    assert.ok(tracked.areAt(0, 'd/', ['a', 'bd', 'c']));
    assert.ok(tracked.areAt(4, 'e/', ['x']));
    assert.ok(!tracked.areAt(0, 'd/', ['a', 'c']));
    assert.ok(!tracked.areAt(0, 'd/', ['ad/b', 'd', 'c']), 'the same letters, cut elsewhere');
    assert.ok(!tracked.areAt(1, 'd/', ['a']));
    assert.ok(!tracked.areAt(4, 'd/', ['x']));
    assert.ok(!tracked.areAt(4, 'e/', ['x', 'y']), 'beyond the end');
    assert.ok(!tracked.areAt(3, 'd/', ['Ã©']), 'bytes of one name read as another');
    assert.equal(tracked.find('d/é'), 3);
  });
});
