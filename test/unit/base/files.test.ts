/** Atomic files, the spool, roots, renames: each operation failing in turn leaves the old or the new, never half. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, it, mock, test } from 'node:test';
import {
  isMissing,
  listIfExists,
  makeFolder,
  readIfExists,
  writeFileAtomic,
} from '../../../src/base/atomicFile.ts';
import { hashBytes, hashFile } from '../../../src/base/hash.ts';
import { appendToLog } from '../../../src/base/hookLog.ts';
import { lstatIfExists } from '../../../src/base/lstatIfExists.ts';
import { foldName, isInside } from '../../../src/base/platform.ts';
import { renameOver } from '../../../src/base/renameOver.ts';
import { rootId, rootOf } from '../../../src/base/root.ts';
import { addToSpool, listSpool, spoolName } from '../../../src/base/spool.ts';
import type { Root } from '../../../src/core/ids.ts';

class Folder implements Disposable {
  readonly path = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-base-')));
  file(...names: readonly string[]): string {
    return path.join(this.path, ...names);
  }
  [Symbol.dispose](): void {
    fs.rmSync(this.path, { recursive: true, force: true });
  }
}

test('a file is replaced whole, readable by its user only, and leaves nothing beside it', () => {
  using folder = new Folder();
  const file = folder.file('f');
  const mask = process.umask(0);
  try {
    for (const data of ['old', 'new and longer', new Uint8Array([0, 255])])
      for (const durable of [true, false]) {
        writeFileAtomic(file, data, { durable });
        assert.deepEqual(fs.readFileSync(file), Buffer.from(data as string));
      }
    assert.equal(fs.statSync(file).mode & 0o777, 0o600);
    writeFileAtomic(file, 'x', { mode: 0o640 });
    assert.equal(fs.statSync(file).mode & 0o777, 0o640);
  } finally {
    process.umask(mask);
  }
  assert.deepEqual(fs.readdirSync(folder.path), ['f']);
});

describe('a write whose n-th step fails', () => {
  for (const name of ['openSync', 'writeFileSync', 'fsyncSync', 'renameSync'] as const) {
    it(`${name}: the old file is there, and nothing beside it`, () => {
      using folder = new Folder();
      const file = folder.file('f');
      writeFileAtomic(file, 'old');
      const failing = mock.method(fs, name, () => {
        throw Object.assign(new Error('EIO'), { code: 'EIO' });
      });
      assert.throws(() => writeFileAtomic(file, 'new'), /EIO/);
      failing.mock.restore();
      assert.deepEqual(
        [fs.readFileSync(file, 'utf8'), fs.readdirSync(folder.path)],
        ['old', ['f']],
      );
    });
  }
});

test('what is not there is undefined or empty, also where a folder on the way is a file', () => {
  using folder = new Folder();
  fs.writeFileSync(folder.file('plain'), 'x');
  for (const name of ['missing', 'missing/x', 'plain/x', 'plain/x/y']) {
    const file = folder.file(name);
    assert.equal(readIfExists(file), undefined, name);
    assert.deepEqual(listIfExists(file), [], name);
    assert.equal(lstatIfExists(file), undefined, name);
  }
  assert.throws(() => readIfExists(folder.path), /EISDIR/);
  assert.throws(() => lstatIfExists(folder.file('n'.repeat(300))), /ENAMETOOLONG/);
  assert.equal(isMissing(new Error('x')), false);
  fs.symlinkSync('nowhere', folder.file('dangling'));
  assert.equal(lstatIfExists(folder.file('dangling'))?.isSymbolicLink(), true);
});

test('a hash does not follow a link and is the same in pieces', () => {
  using folder = new Folder();
  const bytes = Buffer.alloc(3 * 1024 * 1024 + 7, 'abc');
  fs.writeFileSync(folder.file('big'), bytes);
  assert.deepEqual(hashFile(folder.file('big')), { sha256: hashBytes(bytes), size: bytes.length });
  fs.writeFileSync(folder.file('empty'), '');
  assert.equal(hashFile(folder.file('empty')).size, 0);
  fs.symlinkSync('big', folder.file('link'));
  assert.throws(() => hashFile(folder.file('link')), /ELOOP/);
});

test('the spool is in the order of time, whole entries only', () => {
  using folder = new Folder();
  const spool = folder.file('spool');
  assert.deepEqual(listSpool(spool), []);
  const names = [5, 5, 5, 12, 1_700_000_000_000, 1_700_000_000_000].map((at) => spoolName(at));
  for (const name of names.toReversed()) addToSpool(spool, name, name);
  fs.writeFileSync(path.join(spool, '.memcode-tmp-x.json'), 'half');
  fs.writeFileSync(path.join(spool, 'note.txt'), 'no entry');
  fs.mkdirSync(path.join(spool, 'folder.json'));
  assert.deepEqual(
    listSpool(spool).map((file) => path.basename(file, '.json')),
    names,
  );
  assert.throws(() => addToSpool('/dev/null/x', 'y', 'z'));
  assert.equal(new Set(Array.from({ length: 1000 }, () => spoolName(1))).size, 1000);
  const many = Array.from({ length: 50 }, () => spoolName(1));
  assert.deepEqual(many, many.toSorted());
});

test('a log line is one line; the log starts anew when it is large, and never throws', () => {
  using folder = new Folder();
  const log = folder.file('a', 'hook.log');
  appendToLog(log, 0, 'one\ntwo\u001b[31m');
  assert.equal(fs.readFileSync(log, 'utf8'), '1970-01-01T00:00:00.000Z one two [31m\n');
  fs.writeFileSync(log, 'x'.repeat(600_000));
  appendToLog(log, 0, 'next');
  assert.deepEqual(fs.readdirSync(folder.file('a')).sort(), ['hook.log', 'hook.log.old']);
  assert.ok(fs.statSync(log).size < 100);
  appendToLog('/dev/null/nowhere/log', 0, 'lost');
});

describe('rootOf', () => {
  const at = (folder: Folder, name: string, home = '/nowhere') =>
    path.relative(folder.path, rootOf(folder.file(name), home)) || '.';

  it('the top of the work tree, else the nearest store, else the folder', () => {
    using folder = new Folder();
    for (const name of [
      'git/.git',
      'git/sub/deep',
      'git/sub/.memcode/checkpoints',
      'store/.memcode/checkpoints',
      'store/sub',
      'plain/sub',
      'linked',
    ])
      fs.mkdirSync(folder.file(name), { recursive: true });
    fs.writeFileSync(folder.file('linked', '.git'), 'gitdir: elsewhere');
    fs.symlinkSync('git/sub', folder.file('alias'));
    assert.equal(at(folder, 'git/sub/deep'), 'git');
    assert.equal(at(folder, 'alias/deep'), 'git');
    assert.equal(at(folder, 'store/sub'), 'store');
    assert.equal(at(folder, 'plain/sub'), 'plain/sub');
    assert.equal(at(folder, 'linked'), 'linked');
    assert.throws(() => at(folder, 'missing'), /no folder/);
    assert.throws(() => at(folder, 'linked/.git'), /not a folder/);
  });

  it('the user’s home is nobody’s root by accident, also when it is named by a link', () => {
    using folder = new Folder();
    fs.mkdirSync(folder.file('home', '.git'), { recursive: true });
    fs.mkdirSync(folder.file('home', 'work'));
    fs.symlinkSync('home', folder.file('alias'));
    for (const home of ['home', 'alias'])
      assert.equal(at(folder, 'home/work', folder.file(home)), 'home/work');
    assert.equal(at(folder, 'home', folder.file('home')), 'home');
  });
});

test('a root’s id is a plain name, and differs for roots of the same name', () => {
  const ids = ['/a/x', '/b/x', '/a/x y/ü', '/', `/${'n'.repeat(300)}`].map((root) =>
    rootId(root as Root),
  );
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^[A-Za-z0-9._-]{1,80}$/);
});

describe('isInside', () => {
  const check = (outer: string, inner: string, platform: NodeJS.Platform, expected: boolean) =>
    it(`${inner} in ${outer} on ${platform}: ${expected}`, () =>
      assert.equal(isInside(outer, inner, platform), expected));

  check('/r', '/r', 'linux', true);
  check('/r', '/r/a', 'linux', true);
  check('/r', '/r/..cfg', 'linux', true);
  check('/r', '/rx', 'linux', false);
  check('/r', '/', 'linux', false);
  check('/r', '/R/a', 'linux', false);
  check('/r', '/R/a', 'darwin', true);
  check('/caf\u00e9', '/cafe\u0301/a', 'darwin', true);
  check('C:\\r', 'c:\\R\\a', 'win32', true);
  check('C:\\r', 'D:\\r\\a', 'win32', false);
  check('C:\\r', 'C:\\rx', 'win32', false);
  check('C:\\r', 'C:\\r\\..cfg', 'win32', true);
});

test('names fold as a folding disk does', () => {
  assert.equal(foldName('ÉCOLE'), foldName('e\u0301cole'));
  assert.notEqual(foldName('a'), foldName('b'));
});

describe('renameOver', () => {
  const failing = (times: number, code: string) => {
    let calls = 0;
    const rename = () => {
      if (++calls <= times) throw Object.assign(new Error(code), { code });
    };
    return { rename, calls: () => calls };
  };

  it('tries again on Windows while somebody has the target open', () => {
    for (const code of ['EPERM', 'EACCES', 'EBUSY']) {
      const { rename, calls } = failing(2, code);
      renameOver('/nowhere/a', '/nowhere/b', 'win32', rename);
      assert.equal(calls(), 3);
    }
  });

  it('gives up for good on other errors, and elsewhere at once', () => {
    assert.throws(() => renameOver('/a', '/b', 'win32', failing(1, 'ENOSPC').rename), /ENOSPC/);
    assert.throws(() => renameOver('/a', '/b', 'linux', failing(1, 'EPERM').rename), /EPERM/);
  });
});

test('folders of ours are for their user only', () => {
  using folder = new Folder();
  const mask = process.umask(0);
  try {
    makeFolder(folder.file('a', 'b'));
  } finally {
    process.umask(mask);
  }
  assert.deepEqual(
    ['a', 'a/b'].map((name) => fs.statSync(folder.file(name)).mode & 0o777),
    [0o700, 0o700],
  );
});
