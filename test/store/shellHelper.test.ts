/** Shell commands with a helper process, one that dies, one that is not ready in time, and none. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it, test } from 'node:test';
import { readRecord } from '../../src/app/helper/helperRecord.ts';
import { openSnapshots, type Snapshots, type SnapshotsOptions } from '../../src/app/snapshots.ts';
import { rootFolder } from '../../src/base/home.ts';
import { UserError } from '../../src/core/errors.ts';
import { isAlive, kill, until, version } from '../helpers/helperWorld.ts';
import { agentShapes } from '../helpers/storeAgents.ts';
import { StoreDriver } from '../helpers/storeDriver.ts';

const files = { 'a.txt': 'A0', 'b.txt': 'B0' };
const bundle = path.resolve(import.meta.dirname, '../../src/cli/helperMain.ts');

function byHelper(options: SnapshotsOptions): Snapshots {
  const program = { runtime: process.execPath, isElectron: false, bundle };
  return openSnapshots({ ...options, helper: { version, program, startWithin: 20_000 } });
}

/** A project whose hooks use a helper process, which ends with it. */
class Helped extends StoreDriver {
  constructor() {
    super({ files, git: true, inProcess: true, snapshots: byHelper });
  }

  get pid(): number | undefined {
    return readRecord(this.home, this.root)?.pid;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.pid !== undefined) await kill(this.pid);
    this[Symbol.dispose]();
  }
}

describe('with a helper', () => {
  it('commands are captured, by one and the same', async () => {
    await using d = new Helped();
    const before = d.tree();
    await d.turn((s) => s.shell('printf A1 > a.txt'));
    const { pid } = d;
    assert.ok(pid !== undefined && pid !== process.pid);
    await d.turn((s) => s.shell('printf B1 > b.txt; rm a.txt'));
    assert.equal(d.pid, pid);
    assert.equal((await d.rewind(1)).complete, true);
    assert.deepEqual(d.tree(), before);
  });

  it('that dies during a command nothing is lost', async () => {
    await using d = new Helped();
    await d.main.prompt();
    await d.main.send(agentShapes.claude.shell('before', 'make'));
    await kill(d.pid ?? 0);
    d.put('a.txt', 'A1');
    await d.main.send(agentShapes.claude.shell('after', 'make'));
    await d.main.stop();
    const [turn] = await d.turns();
    assert.deepEqual([turn?.files.length, turn?.uncapturedShell], [1, false]);
    await d.rewind(1);
    assert.equal(d.read('a.txt'), 'A0');
  });

  it('erasing the project ends it, and it does not come back', async () => {
    await using d = new Helped();
    await d.turn((s) => s.shell('printf A1 > a.txt'));
    const { pid } = d;
    assert.ok(pid);
    await d.with((app) => app.erase(d.root));
    await until(() => !isAlive(pid));
    assert.equal(fs.existsSync(rootFolder(d.home, d.root)), false);
  });
});

test('a first snapshot that is not ready in time leaves the command uncaptured, and says so; the next one is', async () => {
  let isReady = false;
  const slow = (options: SnapshotsOptions): Snapshots => {
    const snapshots = openSnapshots(options);
    return {
      ...snapshots,
      create: async (meta, when) => {
        if (isReady) return snapshots.create(meta, when);
        assert.ok(when?.within !== undefined && when.within <= 5_000);
        throw new UserError('late', 'It took longer.', { within: when.within });
      },
    };
  };
  using d = new StoreDriver({ files, inProcess: true, snapshots: slow });
  await d.turn(async (s) => {
    await s.edit('a.txt', 'A1');
    await s.shell('printf A2 > a.txt; printf B1 > b.txt');
  });
  isReady = true;
  await d.turn((s) => s.shell('printf B2 > b.txt'));
  const [first, second] = await d.turns();
  assert.match(first?.uncapturedWhy ?? '', /not ready in time/);
  assert.deepEqual(
    [first, second].map((turn) => [turn?.uncapturedShell, turn?.files.map((f) => f.path)]),
    [
      [true, ['a.txt']],
      [false, ['b.txt']],
    ],
  );
  await d.rewind(1);
  assert.deepEqual([d.read('a.txt'), d.read('b.txt')], ['A0', 'B1']);
});
