/** Where an agent works: below the root, in another project, in a repository that cannot be read. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { StoreDriver } from '../helpers/storeDriver.ts';

const files = { 'a.txt': 'A0', 'b.txt': 'B0', 'c.txt': 'C0' };

async function shown(d: StoreDriver, session = 'session-1'): Promise<unknown> {
  return (await d.turns(session)).map((t) => [t.number, t.end, t.files.map((f) => f.path)]);
}

describe('where an agent works', () => {
  it('names start from its own folder, and one store serves the whole project (W1)', async () => {
    using d = new StoreDriver({ files: { ...files, 'sub/a.txt': 'S0' }, git: true });
    const s = d.session('S', 'codex', d.path('sub'));
    await s.turn(async (t) => {
      await t.edit('a.txt', 'S1');
      await t.edit('../b.txt', 'B1');
    });
    d.put('a.txt', 'mine');
    assert.equal(fs.existsSync(d.path('sub/.memcode')), false);
    await d.rewind(1, { session: 'S' });
    assert.deepEqual([d.read('a.txt'), d.read('sub/a.txt'), d.read('b.txt')], ['mine', 'S0', 'B0']);
  });

  it('walking about below the root stays one project', async () => {
    using d = new StoreDriver({ files: { ...files, 'sub/x': 'X0' } });
    const s = d.session('S', 'codex');
    await s.turn((t) => t.edit('a.txt', 'A1'));
    s.cwd = d.path('sub');
    await s.turn((t) => t.edit('x', 'X1'));
    assert.deepEqual(await shown(d, 'S'), [
      [1, 'stop', ['a.txt']],
      [2, 'stop', ['sub/x']],
    ]);
    await d.rewind(1, { session: 'S' });
    assert.deepEqual([d.read('a.txt'), d.read('sub/x')], ['A0', 'X0']);
  });

  it('a prompt in another project is that project’s, and a rewind of one leaves the other alone', async () => {
    using d = new StoreDriver({ files });
    const other = path.join(d.folder, 'other');
    fs.mkdirSync(path.join(other, '.git'), { recursive: true });
    fs.writeFileSync(path.join(other, 'o.txt'), 'O0');
    const s = d.session('S', 'codex');
    await s.turn((t) => t.edit('a.txt', 'A1'));
    s.cwd = other;
    await s.turn((t) => t.edit('o.txt', 'O1'));
    s.cwd = d.root;
    await s.turn((t) => t.edit('b.txt', 'B1'));
    assert.deepEqual(fs.readdirSync(path.join(other, '.memcode/checkpoints/S')), ['2']);
    await d.with((app) => {
      for (const root of [d.root, app.rootOf(other)])
        assert.deepEqual(
          app.sessions(root).map((one) => one.id),
          ['S'],
        );
    });
    const report = await d.rewind(1, { session: 'S' });
    assert.deepEqual([d.read('a.txt'), d.read('b.txt')], ['A0', 'B0']);
    assert.equal(fs.readFileSync(path.join(other, 'o.txt'), 'utf8'), 'O1');
    assert.deepEqual(report.turns, ['S#1', 'S#3']);
    const turns = await d.turns('S');
    assert.deepEqual(
      turns.map((t) => t.rewoundBy !== null),
      [true, false, true],
    );
  });

  it('a folder whose git head cannot be read is recorded all the same', async () => {
    using d = new StoreDriver({ files });
    fs.mkdirSync(d.path('.git/HEAD'), { recursive: true });
    await d.main.edit('a.txt', 'A1');
    await d.main.stop();
    assert.deepEqual(await shown(d), [[1, 'stop', ['a.txt']]]);
    await d.rewind(1);
    assert.equal(d.read('a.txt'), 'A0');
  });
});
