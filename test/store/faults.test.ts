/** Whatever fails, or is killed, wherever: the tree is as before or as after, and the records say the same. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, it, test } from 'node:test';
import { operationsFolder } from '../../src/base/home.ts';
import { asSessionId, type OperationId } from '../../src/core/ids.ts';
import { helperProgram, StoreDriver, turnNumbered } from '../helpers/storeDriver.ts';
import { type Tree, treeOf } from '../helpers/storeTree.ts';

const session = asSessionId('session-1');

/** Two turns that need every kind of change to take back. */
async function scene(): Promise<StoreDriver> {
  const d = new StoreDriver({
    files: {
      written: 'W0',
      'gone/deep/file': 'G0',
      thing: 'file',
      'folder/a': 'F0',
      mode: 'M0',
      untouched: 'U0',
    },
    inProcess: true,
  });
  fs.symlinkSync('written', d.path('link'));
  await d.turn(async (s) => {
    await s.edit('written', 'W1');
    await s.edit('new/deep/file', 'N1');
    await s.edit('gone/deep/file', () => fs.rmSync(d.path('gone'), { recursive: true }));
    await s.edit('mode', (file) => fs.chmodSync(file, 0o755));
  });
  await d.turn(async (s) => {
    await s.edit('written', 'W2');
    await s.edit('thing', fs.unlinkSync);
    await s.edit('thing/inside', 'T');
    for (const name of ['folder', 'folder/a']) await s.before(name);
    s.apply('folder', (folder) => fs.rmSync(folder, { recursive: true }));
    await s.edit('folder', 'now a file');
    await s.edit('link', (file) => {
      fs.unlinkSync(file);
      fs.symlinkSync('elsewhere', file);
    });
  });
  await d.with(() => undefined);
  return d;
}

/** The folder as it was at this moment, for one try after another. */
class Restorer {
  readonly #d: StoreDriver;
  readonly #copy: string;

  constructor(d: StoreDriver) {
    this.#d = d;
    this.#copy = path.join(d.folder, 'copy');
    fs.mkdirSync(this.#copy);
    execFileSync('cp', ['-a', d.root, d.home, this.#copy]);
  }

  restore(): void {
    for (const folder of [this.#d.root, this.#d.home])
      fs.rmSync(folder, { recursive: true, force: true });
    execFileSync('cp', ['-a', `${this.#copy}/.`, this.#d.folder]);
  }
}

/** What the records say, and where the checkpoints are. Journals and live state apart. */
async function recordsOf(d: StoreDriver): Promise<unknown> {
  return d.with((app) => ({
    turns: app.turns(session).map((t) => [t.number, t.rewoundBy, t.files.map((f) => f.path)]),
    operations: app.operations(d.root).map((o) => [o.id, o.kind, o.undone, o.paths]),
    store: treeOf(d.path('.memcode')),
  }));
}

type Act = (d: StoreDriver, probe: (at: string) => void) => Promise<unknown>;
const acts: Readonly<Record<string, Act>> = {
  rewind: (d, probe) => d.rewind(1, { probe }),
  redo: (d, probe) => d.redo({ probe }),
};

async function placesOf(d: StoreDriver, act: Act): Promise<readonly string[]> {
  const places: string[] = [];
  await act(d, (at) => places.push(at));
  return places;
}

for (const [verb, act] of Object.entries(acts)) {
  test(`${verb}: a failure at any place changes nothing`, async () => {
    using d = await scene();
    if (verb === 'redo') await d.rewind(1);
    const [before, records] = [d.tree(), await recordsOf(d)];
    const restorer = new Restorer(d);
    const places = await placesOf(d, act);
    const after = d.tree();
    for (const kind of [
      'save',
      'journal',
      'change',
      'verify',
      'applied',
      'move',
      'record',
      'close',
    ])
      assert.ok(
        places.some((at) => at.startsWith(kind)),
        kind,
      );
    for (let n = 1; n <= places.length; n++) {
      const at = `${n} of ${places.length}: ${places[n - 1]}`;
      restorer.restore();
      let count = 0;
      const fail = () => {
        if (++count === n) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      };
      await assert.rejects(act(d, fail), /no space left/, at);
      assert.deepEqual(d.tree(), before, at);
      assert.deepEqual(await recordsOf(d), records, at);
      assert.deepEqual(await d.problems(), [], at);
      assert.deepEqual(await d.with((app) => app.pending(d.root)), [], at);
      await act(d, () => undefined);
      assert.deepEqual(d.tree(), after, at);
    }
  });

  for (const how of ['finish', 'rollBack'] as const) {
    test(`${verb}: killed at any place, then ${how}`, async () => {
      using d = await scene();
      if (verb === 'redo') await d.rewind(1);
      const [before, records] = [d.tree(), await recordsOf(d)];
      const restorer = new Restorer(d);
      const places = await placesOf(d, act);
      const after = d.tree();
      for (let n = 1; n <= places.length; n++) {
        const at = `${n} of ${places.length}: ${places[n - 1]}`;
        restorer.restore();
        killed(d, verb, n);
        await recovered(d, how, at, { before, after });
        const isAfter = JSON.stringify(d.tree()) === JSON.stringify(after);
        if (!isAfter) assert.deepEqual(await recordsOf(d), records, at);
        await agreed(d, verb === 'redo' ? !isAfter : isAfter, at);
        // And on from there.
        if (!isAfter) await act(d, () => undefined);
        assert.deepEqual(d.tree(), after, at);
        if (verb === 'rewind') await d.redo();
        else await d.rewind(1);
        assert.deepEqual(d.tree(), before, at);
      }
    });
  }
}

function killed(d: StoreDriver, verb: string, n: number, what = '1'): void {
  const file = helperProgram('storeKilled');
  const { signal, stderr } = spawnSync(
    process.execPath,
    [file, d.home, d.root, verb, what, String(n)],
    { env: d.environment, encoding: 'utf8' },
  );
  assert.equal(signal, 'SIGKILL', stderr);
}

/** Offers what the crash left, refuses anything else until then, and does it. */
async function recovered(
  d: StoreDriver,
  how: 'finish' | 'rollBack',
  at: string,
  { before, after }: { before: Tree; after: Tree },
): Promise<void> {
  const pending = await d.with((app) => app.pending(d.root));
  if (pending.length === 0) {
    const tree = d.tree();
    assert.ok(
      [before, after].some((t) => JSON.stringify(t) === JSON.stringify(tree)),
      at,
    );
  } else {
    assert.equal(pending.length, 1, at);
    await d.with(async (app) => {
      await assert.rejects(
        app.rewind(turnNumbered(app, 'session-1', 2).id),
        /cut short|taken back/,
        at,
      );
      await app.recover(pending[0]!.operation, how);
    });
    assert.deepEqual(d.tree(), how === 'finish' ? after : before, at);
  }
  assert.deepEqual(await d.with((app) => app.pending(d.root)), [], at);
  assert.deepEqual(await d.problems(), [], at);
}

/** Database and disk tell the same. */
async function agreed(d: StoreDriver, isTakenBack: boolean, at: string): Promise<void> {
  const turns = await d.turns();
  assert.deepEqual(
    turns.map((t) => t.rewoundBy !== null),
    [isTakenBack, isTakenBack],
    at,
  );
  const here = [1, 2].map((seq) => fs.existsSync(d.stored(String(seq), 'manifest.json')));
  assert.deepEqual(here, [!isTakenBack, !isTakenBack], at);
  if (!isTakenBack) return;
  const owner = turns[0]?.rewoundBy as OperationId;
  const aside = fs.readdirSync(d.stored('.rewound', owner)).sort();
  assert.deepEqual(aside, ['1', '2'], at);
}

test('killed while recovering, it can be recovered again, either way', async () => {
  using d = await scene();
  const before = d.tree();
  const start = new Restorer(d);
  const places = await placesOf(d, acts['rewind']!);
  const after = d.tree();
  const middles = ['change', 'close'].map(
    (kind) => places.findLastIndex((at) => at.startsWith(kind)) + 1,
  );
  for (const n of middles) {
    for (const first of ['finish', 'rollBack'] as const) {
      for (const second of ['finish', 'rollBack'] as const) {
        for (let m = 1; ; m += 6) {
          start.restore();
          killed(d, 'rewind', n);
          const file = helperProgram('storeKilled');
          const { signal } = spawnSync(
            process.execPath,
            [file, d.home, d.root, first, '', String(m)],
            { env: d.environment },
          );
          if (signal === null) break;
          await recovered(d, second, `${n} ${first} ${m} ${second}`, { before, after });
        }
      }
    }
  }
});

describe('what changes while a rewind runs: nothing is lost, all else is as before', () => {
  const check = (
    what: string,
    place: string,
    mine: readonly string[],
    act: (d: StoreDriver) => void,
  ) =>
    it(what, async () => {
      using d = await scene();
      let expected: Tree | undefined;
      const probe = (at: string) => {
        if (at !== place || expected) return;
        // Nothing of the tree is changed up to this place.
        act(d);
        expected = d.tree();
      };
      await assert.rejects(d.rewind(1, { probe }), (error: Error & { code?: string }) => {
        assert.equal(error.code, 'fileSystem', error.message);
        return mine.some((name) => error.message.includes(name));
      });
      assert.ok(expected);
      assert.deepEqual(d.tree(), expected);
      assert.deepEqual(await d.with((app) => app.pending(d.root)), []);
      assert.deepEqual(await d.problems(), []);
    });

  check('a file, before it is saved', 'save written', ['written'], (d) => d.put('written', 'mine'));
  check('a file, before it is changed', 'journal', ['written'], (d) => d.put('written', 'mine'));
  check('a mode', 'save written', ['written'], (d) => fs.chmodSync(d.path('written'), 0o600));
  check('a link', 'save link', ['link'], (d) => {
    fs.rmSync(d.path('link'));
    fs.symlinkSync('mine', d.path('link'));
  });
  check('a path that was free', 'journal', ['gone/deep/file'], (d) =>
    d.put('gone/deep/file', 'mine'),
  );
  check('a file that is to go', 'journal', ['new/deep/file'], (d) =>
    d.put('new/deep/file', 'mine'),
  );
});

test('what somebody writes over a file that was just put back stays, and the bytes before it are kept', async () => {
  using d = await scene();
  const probe = (at: string) => {
    if (at === 'verify') d.put('written', 'mine');
  };
  await assert.rejects(d.rewind(1, { probe }), /written/);
  assert.equal(d.read('written'), 'mine');
  const kept = execFileSync('grep', ['-rl', 'W2', path.join(d.home, 'roots')], {
    encoding: 'utf8',
  });
  assert.match(kept, /saved/);
  assert.deepEqual(await d.with((app) => app.pending(d.root)), []);
});

test('two rewinds at once: one is done, the other is refused or finds nothing to do', async () => {
  using d = await scene();
  const app = d.open();
  const other = d.open();
  const turn = turnNumbered(app, 'session-1', 1).id;
  let second: Promise<unknown> | undefined;
  const probing = d.open({
    probe: (at) => {
      if (at === 'verify') second = other.rewind(turn);
    },
  });
  await probing.rewind(turn);
  await assert.rejects(second!, /taken back already/);
  await assert.rejects(other.rewind(turn), /taken back already/);
  for (const one of [app, other, probing]) one.dispose();
  assert.deepEqual((await d.with((a) => a.operations(d.root))).length, 1);
});

test('while another process is at an operation nothing is begun', async () => {
  using d = await scene();
  const before = d.tree();
  const other = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
  try {
    const text = JSON.stringify({ pid: other.pid, host: os.hostname(), nonce: 'other' });
    const lock = path.join(operationsFolder(d.home, d.root), 'lock');
    fs.mkdirSync(path.dirname(lock), { recursive: true });
    fs.symlinkSync(text, lock);
    await assert.rejects(d.rewind(1), /Another rewind is going on/);
    assert.deepEqual(d.tree(), before);
    other.kill();
    await once(other, 'exit');
    await d.rewind(1);
  } finally {
    other.kill();
  }
});

test('a folder that may not be written: everything stays, and the path is named', async () => {
  using d = new StoreDriver({ files: { a: 'A0', b: 'B0', 'k/k': 'K0' }, inProcess: true });
  await d.turn(async (s) => {
    for (const name of ['a', 'b', 'k/k']) await s.edit(name, 'new');
  });
  const before = d.tree();
  const file = path.join(import.meta.dirname, '..', 'helpers', 'storeUnprivileged.ts');
  const nobody = 65534;
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', `${nobody}:${nobody}`, d.folder]);
  fs.chmodSync(d.path('k'), 0o555);
  const run = () =>
    spawnSync(process.execPath, [file, d.home, d.root, String(nobody)], {
      env: d.environment,
      encoding: 'utf8',
      cwd: d.root,
    });
  const refused = run();
  assert.match(refused.stdout, /fileSystem k\/k could not be changed/, refused.stderr);
  assert.deepEqual(d.tree(), { ...before, k: 'folder 555' });
  fs.chmodSync(d.path('k'), 0o755);
  assert.match(run().stdout, /^done/);
  assert.deepEqual([d.read('a'), d.read('b'), d.read('k/k')], ['A0', 'B0', 'K0']);
});
