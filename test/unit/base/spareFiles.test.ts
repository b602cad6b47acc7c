/** Files made ahead are used as temporaries, and only those that nobody else has laid a hand on. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { openTemporary, writeFileAtomic } from '../../../src/base/atomicFile.ts';
import { dropSpares, isSpareInUse, keepSpares } from '../../../src/base/spareFiles.ts';
import { temporaryPrefix } from '../../../src/base/temporaryPrefix.ts';

class Place implements Disposable {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-spare-'));
  readonly below = path.join(this.folder, 'below');
  readonly target = path.join(this.below, 'file');
  constructor() {
    fs.mkdirSync(this.below);
  }
  [Symbol.dispose](): void {
    dropSpares();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
  spares(): readonly string[] {
    return fs
      .readdirSync(this.folder)
      .filter((name) => name.startsWith(temporaryPrefix))
      .map((name) => path.join(this.folder, name));
  }
}

const inode = (file: string) => fs.lstatSync(file).ino;

test('a file below the folder takes a spare, until there is none; then one is made as ever', () => {
  using place = new Place();
  keepSpares(place.folder, 2);
  const made = place.spares().map(inode).sort();
  writeFileAtomic(place.target, 'one');
  writeFileAtomic(`${place.target}2`, 'two');
  assert.deepEqual([inode(place.target), inode(`${place.target}2`)].sort(), made);
  writeFileAtomic(`${place.target}3`, 'three');
  const texts = ['', '2', '3'].map((end) => fs.readFileSync(place.target + end, 'utf8'));
  assert.deepEqual(texts, ['one', 'two', 'three']);
  assert.deepEqual(place.spares(), []);
});

test('as many are kept as asked for, readable by their user only; those of another folder go', () => {
  using place = new Place();
  keepSpares(place.folder, 2);
  keepSpares(place.folder, 2);
  assert.equal(place.spares().length, 2);
  if (process.platform !== 'win32')
    assert.deepEqual(
      place.spares().map((file) => fs.statSync(file).mode & 0o777),
      [0o600, 0o600],
    );
  keepSpares(place.below, 1);
  assert.deepEqual(place.spares(), []);
  assert.equal(fs.readdirSync(place.below).length, 1);
  dropSpares();
  assert.deepEqual(fs.readdirSync(place.below), []);
});

test('other rights or another folder: no spare', () => {
  using place = new Place();
  keepSpares(place.below, 1);
  writeFileAtomic(path.join(place.folder, 'beside'), '');
  writeFileAtomic(place.target, '', { mode: 0o700 });
  assert.equal(fs.readdirSync(place.below).filter((name) => name !== 'file').length, 1);
});

const tamperings: Readonly<Record<string, (spare: string, victim: string) => void>> = {
  'a link in its place': (spare, victim) => {
    fs.rmSync(spare);
    fs.symlinkSync(victim, spare);
  },
  'a second name of another file in its place': (spare, victim) => {
    fs.rmSync(spare);
    fs.linkSync(victim, spare);
  },
  'a second name of it elsewhere': (spare, victim) => {
    fs.rmSync(victim);
    fs.linkSync(spare, victim);
  },
  'text in it': (spare) => fs.writeFileSync(spare, 'somebody wrote this'),
  'a folder in its place': (spare) => {
    fs.rmSync(spare);
    fs.mkdirSync(spare);
  },
  'it is gone': (spare) => fs.rmSync(spare),
};
for (const [what, tamper] of Object.entries(tamperings)) {
  test(`not used: ${what}`, () => {
    using place = new Place();
    keepSpares(place.folder, 1);
    const [spare = ''] = place.spares();
    const victim = path.join(place.folder, 'victim');
    fs.writeFileSync(victim, '');
    tamper(spare, victim);
    const { fd, file } = openTemporary(place.target);
    fs.writeSync(fd, 'ours');
    fs.closeSync(fd);
    assert.notEqual(file, spare);
    assert.equal(fs.readFileSync(victim, 'utf8'), '');
    if (what === 'text in it') assert.equal(fs.readFileSync(spare, 'utf8'), 'somebody wrote this');
  });
}

test('a spare is in use as long as the process lives whose number it tells', () => {
  using place = new Place();
  keepSpares(place.folder, 1);
  const [spare = ''] = place.spares();
  assert.equal(isSpareInUse(path.basename(spare)), true);
  assert.equal(isSpareInUse(`${temporaryPrefix}spare-${2 ** 22 + 1}-0`), false);
  assert.equal(isSpareInUse(`${temporaryPrefix}${process.pid}-1-1`), false);
});
