import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { appendDelta } from '../../../src/git/appendDelta.ts';
import { createBareRepository } from '../../../src/git/bareRepository.ts';
import { objectId } from '../../../src/git/gitObject.ts';
import { encodeIndex } from '../../../src/git/indexFile.ts';
import { ObjectStore } from '../../../src/git/objectStore.ts';
import { PackWriter } from '../../../src/git/packWriter.ts';

const bytesOf = (length: number, seed: number) =>
  Buffer.from(Array.from({ length }, (_, i) => (i * 31 + seed * 17 + (i >> 7)) & 255));

test('git and we read what a difference makes, of any size', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-delta-'));
  try {
    createBareRepository(folder);
    const pack = new PackWriter(path.join(folder, 'objects', 'pack'), { durable: false });
    const wanted = new Map<string, Buffer>();
    for (const [i, [base, added]] of (
      [
        [1, 1],
        [127, 127],
        [128, 128],
        [65_536, 300],
        [70_000, 1],
        [17_000_000, 1000],
      ] as const
    ).entries()) {
      const before = bytesOf(base, i);
      const id = pack.add('blob', before);
      const after = Buffer.concat([before, bytesOf(added, i + 50)]);
      const extra = after.subarray(base);
      wanted.set(pack.addDelta('blob', after, id, appendDelta(base, base, extra)), after);
      const inside = Buffer.concat([
        before.subarray(0, base >> 1),
        extra,
        before.subarray(base >> 1),
      ]);
      wanted.set(pack.addDelta('blob', inside, id, appendDelta(base, base >> 1, extra)), inside);
    }
    assert.throws(
      () => pack.addDelta('blob', Buffer.of(1), '1'.repeat(40), Buffer.of(1)),
      /not in this pack/,
    );
    pack.finish();
    const store = new ObjectStore(path.join(folder, 'objects'));
    for (const [id, bytes] of wanted) {
      assert.equal(id, objectId('blob', bytes));
      assert.ok(store.read(id, 'blob').equals(bytes));
    }
    store.close();
    const git = (...args: string[]) =>
      execFileSync('git', ['--git-dir', folder, ...args], { maxBuffer: 1 << 26 });
    git('fsck', '--full', '--strict');
    const [id, bytes] = [...wanted][3] ?? [];
    assert.ok(bytes && id && git('cat-file', 'blob', id).equals(bytes));
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
});

test('git reads the index that we write, also where files are left out', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-index-'));
  try {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
    git('init', '-q');
    const id = objectId('blob', Buffer.from('x'));
    const entries = ['a.json', 'messages/1.json', `messages/${'n'.repeat(90)}.json`, 'meta.json'];
    for (const isLeftOut of [false, true]) {
      fs.writeFileSync(
        path.join(folder, '.git', 'index'),
        encodeIndex(entries.map((name) => ({ path: name, mode: 0o100644, id, isLeftOut }))),
      );
      assert.deepEqual(git('ls-files').trim().split('\n'), entries);
      assert.equal(git('ls-files', '-v').startsWith(isLeftOut ? 'S' : 'H'), true);
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
