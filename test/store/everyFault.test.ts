/**
 * For every n: the n-th file operation fails (EIO, ENOSPC, EACCES), or the process is killed before its n-th change of
 * the disk; in capture, apply, redo and retention. Then the tree is fully before or fully after, and doctor finds nothing.
 */

// First, before anything keeps a reference to what it replaces.
import '../helpers/faultyFs.ts';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { protectedTurns } from '../../src/core/retention.ts';
import { operationsOf, withFault } from '../helpers/faultyFs.ts';
import { agentShapes } from '../helpers/storeAgents.ts';
import { helperProgram, StoreDriver, turnNumbered } from '../helpers/storeDriver.ts';
import type { Tree } from '../helpers/storeTree.ts';

const codes = ['EIO', 'ENOSPC', 'EACCES'] as const;
/** Every place with every code takes the better part of an hour: a nightly run's business. Else the codes take turns. */
const isThorough = process.env['MEMCODE_TEST_THOROUGH'] !== undefined;
const places = 50;

function faultsIn(count: number): readonly { readonly at: number; readonly code: string }[] {
  const all = Array.from({ length: count }, (_, index) => index + 1);
  if (isThorough) return all.flatMap((at) => codes.map((code) => ({ at, code })));
  const stride = Math.max(1, Math.floor(count / places));
  return all
    .filter((at) => at % stride === 0)
    .map((at, index) => ({ at, code: codes[index % codes.length] ?? 'EIO' }));
}

/** A file changed, one made with its folder, one deleted, one made a link; in two turns. */
async function scene(): Promise<StoreDriver> {
  const d = new StoreDriver({
    files: { changed: 'C0', gone: 'G0', linked: 'L0', big: 'b'.repeat(70_000) },
    inProcess: true,
  });
  await d.turn(async (s) => {
    await s.edit('changed', 'C1');
    await s.edit('made/new', 'N1');
    await s.edit('big', 'B'.repeat(70_000));
  });
  await d.turn(async (s) => {
    await s.edit('changed', 'C2');
    await s.edit('gone', fs.unlinkSync);
    await s.edit('linked', (file) => {
      fs.unlinkSync(file);
      fs.symlinkSync('changed', file);
    });
  });
  await d.with(() => undefined);
  return d;
}

/** The folder as it was at this moment, for one try after another. */
function restorer(d: StoreDriver): () => void {
  const copy = path.join(d.folder, 'copy');
  fs.mkdirSync(copy);
  execFileSync('cp', ['-a', d.root, d.home, copy]);
  return () => {
    execFileSync('rm', ['-rf', d.root, d.home]);
    execFileSync('cp', ['-a', `${copy}/.`, d.folder]);
  };
}

const isSame = (a: Tree, b: Tree) => JSON.stringify(a) === JSON.stringify(b);

/** A folder of the agent's that is left empty is not worth a failure: it stays where it cannot be removed. */
function withoutMade({ made: _, ...tree }: Tree): Tree {
  return tree;
}

/** Nothing but what a crash leaves to be swept. */
async function assertSound(d: StoreDriver, at: string): Promise<void> {
  assert.deepEqual(await d.problems(), [], at);
  assert.deepEqual(await d.with((app) => app.pending(d.root)), [], at);
}

describe('an operation of a rewind fails', () => {
  for (const verb of ['rewind', 'redo', 'revert'] as const) {
    it(`${verb}: all as before, or all done`, async () => {
      using d = await scene();
      if (verb === 'redo') await d.rewind(1);
      const before = d.tree();
      const restore = restorer(d);
      /** The app is open already, as in the editor: what fails is the act. */
      const act = async (fault = { at: 0, code: '' }) => {
        const app = d.open();
        try {
          app.ingest();
          const turn = turnNumbered(app, 'session-1', 1).id;
          const work = () => {
            if (verb === 'rewind') return app.rewind(turn);
            if (verb === 'revert') return app.revertTurn(turn, { conflicts: 'take' });
            return app.redo(app.redoable(d.root)!.id);
          };
          return await withFault(fault, work);
        } finally {
          app.dispose();
        }
      };
      const { count } = await act();
      const after = d.tree();
      assert.ok(count > 100, String(count));
      let failures = 0;
      const faults = faultsIn(count);
      for (const { at: n, code } of faults) {
        restore();
        const { failed, error } = await act({ at: n, code });
        const at = `${verb} ${n} of ${count}, ${code} in ${failed}: ${String(error)}`;
        const tree = d.tree();
        if (error === undefined) assert.deepEqual(withoutMade(tree), withoutMade(after), at);
        else {
          failures++;
          assert.deepEqual(tree, before, at);
        }
        await assertSound(d, at);
        if (error === undefined || n % 3 > 0) continue;
        assert.equal((await act()).error, undefined, at);
        assert.deepEqual(d.tree(), after, at);
      }
      assert.ok(failures > faults.length / 3, String(failures));
    });
  }
});

describe('killed before any change of the disk', () => {
  for (const verb of ['rewind', 'redo'] as const) {
    it(`${verb}, then finished or rolled back`, async () => {
      using d = await scene();
      if (verb === 'redo') await d.rewind(1);
      const before = d.tree();
      const restore = restorer(d);
      const total = countedIn(d, verb);
      const after = d.tree();
      assert.ok(total > 30, String(total));
      for (let n = 1; n <= total; n++) {
        const at = `${verb} ${n} of ${total}`;
        restore();
        assert.equal(run(d, verb, { FAULT_AT: String(n) }), 'SIGKILL', at);
        const pending = await d.with((app) => app.pending(d.root));
        const how = n % 2 === 0 ? 'finish' : 'rollBack';
        for (const { operation } of pending) await d.with((app) => app.recover(operation, how));
        const tree = d.tree();
        if (pending.length > 0) assert.deepEqual(tree, how === 'finish' ? after : before, at);
        else assert.ok(isSame(tree, before) || isSame(tree, after), at);
        await assertSound(d, at);
        // And on from there.
        const isAfter = isSame(tree, after);
        const goesBack = (verb === 'rewind') === isAfter;
        if (goesBack) await d.redo();
        else await d.rewind(1);
        assert.deepEqual(d.tree(), isAfter ? before : after, at);
      }
    });
  }
});

describe('saving', () => {
  const { claude } = agentShapes;
  const events = {
    'before an edit': (d: StoreDriver) => claude.write('before', d.path('a')),
    'after it': (d: StoreDriver) => claude.write('after', d.path('a')),
    'at the stop': () => claude.stop,
  };
  for (const [what, body] of Object.entries(events)) {
    it(`an operation ${what} fails: never a wrong pre-image, and what is not saved is said`, async () => {
      using d = new StoreDriver({ files: { a: 'A0', b: 'B0' }, inProcess: true });
      await d.main.prompt();
      await d.main.edit('b', 'B1');
      if (what !== 'before an edit') {
        await d.main.before('a');
        d.put('a', 'A1');
      }
      if (what === 'at the stop') await d.main.after('a');
      const restore = restorer(d);
      const act = () => d.main.send(body(d));
      const count = await operationsOf(act);
      assert.ok(count > 10, String(count));
      for (const { at: n, code } of faultsIn(count)) {
        restore();
        const { failed, error } = await withFault({ at: n, code }, act);
        const at = `${what} ${n} of ${count}, ${code} in ${failed}: ${String(error)}`;
        // The agent goes on, whatever became of the hook.
        d.put('a', 'A1');
        await d.main.after('a');
        await d.main.stop();
        await d.with(() => undefined);
        const [turn] = await d.turns();
        const after = d.tree();
        const report = await d.rewind(1, { conflicts: 'take', force: true });
        assert.equal(report.complete, true, at);
        assert.equal(d.read('b'), 'B0', at);
        const isSaved = d.read('a') === 'A0';
        assert.ok(isSaved || d.read('a') === 'A1', at);
        const isSaid = error !== undefined || turn?.unprotected.some((one) => one.path === 'a');
        assert.ok(isSaved || isSaid || d.log.length > 0, at);
        if (what !== 'before an edit') assert.ok(isSaved, at);
        await assertSound(d, at);
        await d.redo();
        assert.deepEqual(d.tree(), after, at);
      }
    });
  }
});

describe('keeping within the limits', () => {
  const turns = protectedTurns + 3;
  const full = async (): Promise<StoreDriver> => {
    const d = new StoreDriver({ files: { a: 'A0' }, inProcess: true });
    for (let n = 1; n <= turns - 1; n++) await d.turn((s) => s.edit('a', `A${n}`.padEnd(500)));
    await d.with(async (app) => {
      await app.rewind(turnNumbered(app, 'session-1', turns - 1).id);
    });
    await d.turn((s) => s.edit('a', 'last'));
    return d;
  };
  const retention = () => ({ maxBytes: 1, maxAgeDays: 0 });

  /** What is marked is gone or goes; what is not can be rewound to. */
  const assertHonest = async (d: StoreDriver, tree: Tree, at: string, isRewound = true) => {
    assert.deepEqual(d.tree(), tree, at);
    const all = await d.turns();
    assert.equal(all.length, turns, at);
    for (const turn of all.slice(-protectedTurns)) assert.equal(turn.prunedAt, null, at);
    for (const turn of all.filter((one) => one.prunedAt === null))
      assert.equal(turn.damaged, null, `${at}, turn ${turn.number}`);
    await assertSound(d, at);
    if (!isRewound) return;
    const gone = all.findLastIndex((turn) => turn.prunedAt !== null);
    await d.rewind(all[gone + 1]!.number);
    await d.redo();
    assert.deepEqual(d.tree(), tree, at);
  };

  it('an operation fails: whoever looks is not disturbed, nothing is lost unmarked', async () => {
    using d = await full();
    const tree = d.tree();
    const restore = restorer(d);
    const act = () => d.with(() => undefined, { retention });
    const count = await operationsOf(act);
    assert.ok((await d.turns()).some((turn) => turn.prunedAt !== null));
    for (const { at: n, code } of faultsIn(count)) {
      restore();
      const { failed, error } = await withFault({ at: n, code }, act);
      const at = `${n} of ${count}, ${code} in ${failed}: ${String(error)}`;
      await assertHonest(d, tree, at, n % 10 === 0);
    }
  });

  it('killed before any change of the disk', async () => {
    using d = await full();
    const tree = d.tree();
    const restore = restorer(d);
    const total = countedIn(d, 'retain');
    for (let n = 1; n <= total; n++) {
      restore();
      assert.equal(run(d, 'retain', { FAULT_AT: String(n) }), 'SIGKILL', `${n} of ${total}`);
      await assertHonest(d, tree, `${n} of ${total}`);
    }
  });
});

/** @returns the signal that ended it. */
function run(d: StoreDriver, verb: string, env: NodeJS.ProcessEnv): string | null {
  const { signal, status, stderr } = spawnSync(
    process.execPath,
    ['--require', helperProgram('faultyFs'), helperProgram('storeVerb'), d.home, d.root, verb],
    { env: { ...d.environment, ...env }, encoding: 'utf8' },
  );
  if (signal === null) assert.equal(status, 0, stderr);
  return signal;
}

/** Carries the verb out and counts its changes of the disk. */
function countedIn(d: StoreDriver, verb: string): number {
  const file = path.join(d.folder, 'count');
  assert.equal(run(d, verb, { FAULT_COUNT: file }), null);
  return Number(fs.readFileSync(file, 'utf8'));
}
