/** The same content is stored once, and sharing it never costs anybody a byte. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it, mock, test } from 'node:test';
import { addHoldings, sizeOf } from '../../src/base/folderSize.ts';
import { hashBytes } from '../../src/base/hash.ts';
import { postImageFolder } from '../../src/base/home.ts';
import { postImagePlace } from '../../src/checkpoint/places.ts';
import { shareContent } from '../../src/checkpoint/shareContent.ts';
import { asSessionId } from '../../src/core/ids.ts';
import { StoreDriver } from '../helpers/storeDriver.ts';

const session = asSessionId('session-1');
const size = 100_000;
const [one, two] = ['1', '2'].map((digit) => digit.repeat(size)) as [string, string];

const blob = (d: StoreDriver, seq: number, name = 'f') => d.stored(String(seq), 'files', name);
const content = (d: StoreDriver, text: string) =>
  postImagePlace(postImageFolder(d.home, d.root), hashBytes(Buffer.from(text)));
const inode = (file: string) => fs.lstatSync(file).ino;

/** Turns in which a file of 100 kB goes back and forth. */
async function backAndForth(turns: number): Promise<StoreDriver> {
  const d = new StoreDriver({ files: { f: one }, inProcess: true });
  for (let n = 1; n <= turns; n++) await d.turn((s) => s.edit('f', n % 2 === 1 ? two : one));
  return d;
}

/** On the disk, in both stores. */
function stored(d: StoreDriver): number {
  return sizeOf(
    addHoldings(addHoldings(new Map(), path.join(d.home, 'roots')), d.path('.memcode/checkpoints')),
  );
}

test('twelve turns back and forth keep two contents, for their user only, and no name in the work tree', async () => {
  using d = await backAndForth(12);
  assert.ok(stored(d) < 2.5 * size, String(stored(d)));
  const files = Array.from({ length: 12 }, (_, n) => blob(d, n + 1));
  assert.deepEqual(
    [...new Set(files.map(inode))].sort(),
    [content(d, one), content(d, two)].map(inode).sort(),
  );
  for (const file of files) assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  assert.equal(fs.statSync(d.path('f')).nlink, 1);
  assert.deepEqual(await d.problems(), []);
  const before = d.tree();
  for (const number of [12, 7, 1]) {
    await d.rewind(number);
    assert.equal(d.read('f'), number % 2 === 0 ? two : one);
    assert.equal(fs.statSync(d.path('f')).nlink, 1);
    await d.redo();
    assert.deepEqual(d.tree(), before);
  }
  await d.rewind(1);
  d.put('f', 'written over');
  assert.deepEqual(await d.problems(), []);
});

test('a turn that changed nothing leaves no content', async () => {
  using d = new StoreDriver({ files: { f: one }, inProcess: true });
  await d.turn((s) => s.before('f'));
  assert.equal(stored(d), 0);
});

describe('where files cannot have two names', () => {
  for (const code of ['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP']) {
    it(`${code}: they are copies`, async () => {
      const link = mock.method(fs, 'linkSync', () => {
        throw Object.assign(new Error(code), { code });
      });
      try {
        using d = await backAndForth(3);
        assert.ok(link.mock.callCount() > 3);
        assert.equal(new Set([1, 2, 3].map((seq) => inode(blob(d, seq)))).size, 3);
        assert.deepEqual(await d.problems(), []);
        await d.rewind(1);
        assert.equal(d.read('f'), one);
      } finally {
        link.mock.restore();
      }
    });
  }
});

describe('damage to the one file', () => {
  const damages: Readonly<Record<string, (file: string) => void>> = {
    'other bytes': (file) => fs.writeFileSync(file, 'x'.repeat(size)),
    'cut short': (file) => fs.truncateSync(file, 10),
  };
  for (const [what, damage] of Object.entries(damages)) {
    it(`${what}: noticed under every name before the first write`, async () => {
      using d = await backAndForth(3);
      damage(content(d, one));
      const before = d.tree();
      await assert.rejects(d.rewind(1), /f: Its saved bytes/);
      await assert.rejects(d.rewind(3), /f: Its saved bytes/);
      assert.deepEqual(d.tree(), before);
      const found = await d.problems();
      assert.equal(found.filter((text) => /Checkpoint [13] .*saved bytes/.test(text)).length, 2);
      assert.equal(found.length, 3);
    });
  }

  it('a damaged content is replaced by the next pre-image of that name', async () => {
    using d = await backAndForth(2);
    fs.rmSync(content(d, two));
    fs.writeFileSync(content(d, two), 'damaged');
    await d.turn((s) => s.edit('f', two));
    await d.turn((s) => s.edit('f', one));
    assert.equal(inode(content(d, two)), inode(blob(d, 4)));
    assert.equal(fs.readFileSync(blob(d, 2), 'utf8'), two);
    assert.deepEqual(await d.problems(), []);
  });

  it('pre-images that are lost are put back from the store of contents', async () => {
    using d = await backAndForth(3);
    fs.rmSync(d.stored('1', 'files'), { recursive: true });
    fs.rmSync(blob(d, 2));
    fs.writeFileSync(blob(d, 2), 'x'.repeat(size));
    await assert.rejects(d.rewind(1), /f: Its saved bytes are missing/);
    assert.equal((await d.problems()).length, 4);
    const done = await d.with((app) => app.repair(d.root));
    assert.deepEqual(
      done.map(({ text }) => text),
      ['The saved bytes of f were put back.', 'The saved bytes of f were put back.'],
    );
    assert.deepEqual(await d.problems(), []);
    await d.rewind(1);
    assert.equal(d.read('f'), one);
  });
});

describe('a store that means harm', () => {
  const row = (name: string, text: string) => ({
    path: name,
    before: {
      kind: 'file' as const,
      mode: 0o644,
      size: text.length,
      sha256: hashBytes(Buffer.from(text)),
    },
    cause: 'edit' as const,
    folders: [],
  });

  it('nothing is linked through a folder that is a link, nor a link itself', () => {
    using d = new StoreDriver({ inProcess: true });
    const contents = postImageFolder(d.home, d.root);
    const outside = path.join(d.folder, 'outside');
    fs.mkdirSync(outside);
    fs.writeFileSync(path.join(outside, 'a'), 'A0');
    fs.mkdirSync(d.stored('1'), { recursive: true });
    fs.symlinkSync(outside, d.stored('1', 'files'));
    shareContent(d.root, contents, d.stored('1'), row('a', 'A0'), true);
    fs.mkdirSync(d.stored('2', 'files'), { recursive: true });
    fs.symlinkSync(path.join(outside, 'a'), blob(d, 2, 'a'));
    shareContent(d.root, contents, d.stored('2'), row('a', 'A0'), true);
    assert.deepEqual(fs.readdirSync(outside), ['a']);
    assert.equal(fs.statSync(path.join(outside, 'a')).nlink, 1);
    assert.equal(fs.existsSync(content(d, 'A0')), false);
  });

  it('an entry that is a link or a folder is not followed', () => {
    for (const plant of [
      (entry: string, outside: string) => fs.symlinkSync(outside, entry),
      (entry: string) => fs.mkdirSync(entry),
    ]) {
      using d = new StoreDriver({ inProcess: true });
      const outside = path.join(d.folder, 'outside');
      fs.writeFileSync(outside, 'A0');
      fs.mkdirSync(path.dirname(content(d, 'A0')), { recursive: true });
      plant(content(d, 'A0'), outside);
      fs.mkdirSync(d.stored('1', 'files'), { recursive: true });
      fs.writeFileSync(blob(d, 1, 'a'), 'A0');
      shareContent(d.root, postImageFolder(d.home, d.root), d.stored('1'), row('a', 'A0'), true);
      assert.ok(fs.lstatSync(blob(d, 1, 'a')).isFile());
      assert.equal(fs.statSync(outside).nlink, 1);
      assert.equal(fs.readFileSync(outside, 'utf8'), 'A0');
      assert.deepEqual(fs.readdirSync(d.stored('1', 'files')), ['a']);
    }
  });
});

describe('what goes', () => {
  it('erasing a project leaves nothing; its files stay', async () => {
    using d = await backAndForth(4);
    await d.with((app) => app.erase(d.root));
    assert.deepEqual([stored(d), d.read('f')], [0, one]);
  });

  it('within the budget while contents are shared; the oldest turns go when they are not', async () => {
    using d = new StoreDriver({ files: { f: one }, inProcess: true });
    const retention = () => ({ maxBytes: 5 * size, maxAgeDays: 0 });
    for (let n = 1; n <= 20; n++) await d.turn((s) => s.edit('f', n % 2 === 1 ? two : one));
    await d.with(() => undefined, { retention });
    const shared = await d.turns();
    assert.ok(shared.every((turn) => turn.prunedAt === null));
    for (let n = 1; n <= 12; n++) await d.turn((s) => s.edit('f', `${n} `.padEnd(size, 'x')));
    const later = () => Date.now() + 2 * 3_600_000;
    await d.with(
      (app) => {
        // Whoever records next: the limits are enforced when something was written.
        const recorder = app.recorder(d.root, session, 'test');
        recorder.begin('one more');
        recorder.snapshot('f');
        d.put('f', 'last');
        recorder.end();
      },
      { retention, now: later },
    );
    const turns = await d.turns();
    assert.ok(turns.slice(0, 20).every((turn) => turn.prunedAt !== null));
    assert.ok(turns.slice(-10).every((turn) => turn.prunedAt === null));
    assert.equal(fs.existsSync(content(d, two)), false);
    assert.ok(stored(d) < 12.5 * size, String(stored(d)));
    await d.rewind(turns.at(-10)!.number);
    assert.deepEqual(await d.problems(), []);
  });
});
