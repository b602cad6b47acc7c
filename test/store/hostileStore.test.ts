/** What a repository, an agent or an accident can put into the store or in its way: named, never followed, never waited for. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { resultsOf, StoreDriver } from '../helpers/storeDriver.ts';

const files = { 'a.txt': 'A0', 'b.txt': 'B0' };

async function twoTurns(): Promise<StoreDriver> {
  const d = new StoreDriver({ files, inProcess: true });
  await d.turn((s) => s.edit('a.txt', 'A1'));
  await d.turn((s) => s.edit('b.txt', 'B1'));
  await d.with(() => undefined);
  return d;
}

describe('in the place of a manifest', () => {
  const cases: Readonly<Record<string, (file: string, d: StoreDriver) => void>> = {
    'a FIFO': (file) => execFileSync('mkfifo', [file]),
    'a folder': (file) => fs.mkdirSync(file),
    'a link to an endless file': (file) => fs.symlinkSync('/dev/zero', file),
    'a link to a manifest elsewhere': (file, d) =>
      fs.symlinkSync(d.stored('1/manifest.json'), file),
    '3 GB of nothing': (file) => {
      fs.writeFileSync(file, '');
      fs.truncateSync(file, 3 * 1024 ** 3);
    },
  };
  for (const [what, put] of Object.entries(cases)) {
    it(`${what}: named, its turn refused; recording goes on`, async () => {
      using d = await twoTurns();
      const file = d.stored('2', 'manifest.json');
      fs.rmSync(file);
      put(file, d);
      const before = d.tree();
      assert.match((await d.problems()).join('\n'), /Checkpoint 2 .*manifest\.json/);
      for (const number of [1, 2]) await assert.rejects(d.rewind(number), /Checkpoint 2 .*damaged/);
      assert.deepEqual(d.tree(), before);
      // A late edit of that turn, in a process of its own: what a hook waits for, the agent waits for.
      const late = d.main.payload({
        hook_event_name: 'PreToolUse',
        tool_name: 'Write',
        tool_input: { file_path: d.path('a.txt') },
      });
      assert.equal(d.hook(late).status, 0);
      await d.turn((s) => s.edit('a.txt', 'A3'));
      await d.rewind(3);
      assert.deepEqual(d.tree(), before);
    });
  }

  it('a FIFO for .gitignore holds nothing up', async () => {
    using d = new StoreDriver({ files, inProcess: true });
    fs.mkdirSync(d.path('.memcode'));
    execFileSync('mkfifo', [d.path('.memcode/.gitignore')]);
    await d.turn((s) => s.edit('a.txt', 'A1'));
    await d.rewind(1);
    assert.equal(d.read('a.txt'), 'A0');
    await d.with((app) => app.erase(d.root));
    assert.deepEqual(fs.readdirSync(d.path('.memcode')), ['.gitignore']);
  });

  it('a FIFO in the place of saved bytes', async () => {
    using d = await twoTurns();
    const blob = d.stored('1', 'files', 'a.txt');
    fs.rmSync(blob);
    execFileSync('mkfifo', [blob]);
    await assert.rejects(d.rewind(1), /a\.txt: Its saved bytes are not a file/);
    const report = await d.rewind(1, { partial: true });
    assert.deepEqual(resultsOf(report), { 'a.txt': 'notRestorable', 'b.txt': 'restored' });
  });
});

describe('names that are no text', () => {
  const bad = Buffer.from([0x62, 0xff, 0x64]);
  const at = (d: StoreDriver, name: Buffer = bad) =>
    Buffer.concat([Buffer.from(`${d.root}${path.sep}`), name]);

  it('a file with such a name beside the turn’s own stays', async () => {
    using d = new StoreDriver({ inProcess: true });
    await d.turn((s) => s.edit('new/f', 'F1'));
    fs.writeFileSync(at(d, Buffer.concat([Buffer.from('new/'), bad])), 'mine');
    await d.rewind(1);
    assert.deepEqual(
      fs.readdirSync(Buffer.from(d.path('new')), { encoding: 'buffer' }).map((name) => [...name]),
      [[...bad]],
    );
  });

  it('a link to such a name is not made into another: said, and left', async () => {
    using d = new StoreDriver({ files, inProcess: true });
    fs.symlinkSync(bad, d.path('link'));
    await d.turn(async (s) => {
      await s.edit('a.txt', 'A1');
      await s.edit('link', (file) => {
        fs.rmSync(file);
        fs.writeFileSync(file, 'L1');
      });
    });
    const [turn] = await d.turns();
    assert.deepEqual(
      turn?.unprotected.map((one) => one.path),
      ['link'],
    );
    await d.rewind(1);
    assert.deepEqual([d.read('a.txt'), d.read('link')], ['A0', 'L1']);
  });

  it('a link that became one to such a name is not gone over', async () => {
    using d = new StoreDriver({ files, inProcess: true });
    fs.symlinkSync('a.txt', d.path('link'));
    await d.turn(async (s) => {
      await s.edit('b.txt', 'B1');
      await s.edit('link', (file) => {
        fs.rmSync(file);
        fs.symlinkSync(bad, file);
      });
    });
    await assert.rejects(d.rewind(1, { conflicts: 'take' }), /link: /);
    assert.deepEqual(fs.readlinkSync(d.path('link'), 'buffer'), bad);
    await d.rewind(1, { partial: true });
    assert.equal(d.read('b.txt'), 'B0');
  });

  it('a folder with such a name, reached through a link: said, never taken for another', async () => {
    using d = new StoreDriver({ files, inProcess: true });
    fs.mkdirSync(at(d));
    fs.writeFileSync(at(d, Buffer.concat([bad, Buffer.from('/f')])), 'F0');
    fs.symlinkSync(bad, d.path('way'));
    await d.turn((s) => s.edit('way/f', 'F1'));
    const [turn] = await d.turns();
    // Removing the test's folder wants names that are text.
    fs.renameSync(at(d), d.path('text'));
    assert.match(turn?.unprotected[0]?.reason ?? '', /not valid Unicode/);
    assert.deepEqual(turn?.files, []);
  });

  it('half a character: the disk would take it for a name that another file has', async () => {
    using d = new StoreDriver({ files: { 'x\ufffd': 'X0' }, inProcess: true });
    await d.main.prompt();
    await d.main.edit('x\ufffd', 'X1');
    await d.main.edit('x\ud800', 'X2');
    await d.main.stop();
    const [turn] = await d.turns();
    assert.deepEqual(
      [turn?.files.map((file) => file.path), turn?.unprotected.length],
      [['x\ufffd'], 1],
    );
    const report = await d.rewind(1, { conflicts: 'take' });
    assert.equal(resultsOf(report)['x\ufffd'], 'restored');
    assert.equal(d.read('x\ufffd'), 'X0');
  });

  it('a manifest that names half a character is damaged', async () => {
    using d = await twoTurns();
    const file = d.stored('2', 'manifest.json');
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replaceAll('b.txt', 'b\\ud800'));
    await assert.rejects(d.rewind(1), /not valid Unicode/);
  });
});

describe('twins', () => {
  for (const [one, other] of [
    ['README', 'readme'],
    ['caf\u00e9', 'cafe\u0301'],
  ] as const)
    it(`${JSON.stringify(one)} and ${JSON.stringify(other)} are two files where the disk says so`, async () => {
      using d = new StoreDriver({ files: { [one]: '1', [other]: '2' }, inProcess: true });
      if (fs.readdirSync(d.root).length < 2) return;
      const before = d.tree();
      await d.turn(async (s) => {
        await s.edit(one, '1 new');
        await s.edit(other, fs.unlinkSync);
      });
      const after = d.tree();
      await d.rewind(1);
      assert.deepEqual(d.tree(), before);
      await d.redo();
      assert.deepEqual(d.tree(), after);
    });

  it('a rename that changes only the case', async () => {
    using d = new StoreDriver({ files: { 'Readme.md': 'R0' }, inProcess: true });
    const before = d.tree();
    await d.main.prompt();
    for (const name of ['Readme.md', 'README.md']) await d.main.before(name);
    fs.renameSync(d.path('Readme.md'), d.path('README.md'));
    for (const name of ['Readme.md', 'README.md']) await d.main.after(name);
    await d.main.stop();
    const after = d.tree();
    await d.rewind(1);
    assert.deepEqual(d.tree(), before);
    await d.redo();
    assert.deepEqual(d.tree(), after);
  });
});
