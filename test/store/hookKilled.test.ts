/** A hook that is killed at any operation on the disk costs at most its own event, and never a wrong pre-image. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { killer } from '../helpers/killer.ts';
import { agentShapes } from '../helpers/storeAgents.ts';
import { StoreDriver } from '../helpers/storeDriver.ts';

interface Kind {
  readonly event: (d: StoreDriver) => Record<string, unknown>;
  /** Comes before the event that is killed. */
  readonly first: (d: StoreDriver) => unknown;
  /** Whether the file must be saved whatever happens to this event. */
  readonly isSaved: boolean;
}

const kinds: Readonly<Record<string, Kind>> = {
  'the prompt': {
    event: () => agentShapes.claude.prompt('Killed'),
    first: () => undefined,
    isSaved: true,
  },
  'before the first edit': {
    event: (d) => agentShapes.claude.write('before', d.path('a.txt')),
    first: (d) => d.main.prompt(),
    isSaved: false,
  },
  'before a later edit': {
    event: (d) => agentShapes.claude.write('before', d.path('a.txt')),
    first: async (d) => {
      await d.main.prompt();
      await d.main.edit('c.txt', 'C1');
    },
    isSaved: false,
  },
  'after the edit': {
    event: (d) => agentShapes.claude.write('after', d.path('a.txt')),
    first: async (d) => {
      await d.main.prompt();
      await d.main.before('a.txt');
      d.put('a.txt', 'A1');
    },
    isSaved: true,
  },
  'the stop': {
    event: () => agentShapes.claude.stop,
    first: async (d) => {
      await d.main.prompt();
      await d.main.edit('a.txt', 'A1');
      await d.main.before('never touched');
    },
    isSaved: true,
  },
};

for (const [what, { event, first, isSaved }] of Object.entries(kinds)) {
  test(`killed in ${what}`, async () => {
    let saved = 0;
    for (let n = 1, total = 1; n <= total; n++) {
      using d = new StoreDriver({
        files: { 'a.txt': 'A0', 'b.txt': 'B0', 'c.txt': 'C0' },
        inProcess: true,
      });
      await first(d);
      const nodeOptions = ['--require', killer(d)];
      if (n === 1) {
        using probe = new StoreDriver({
          files: { 'a.txt': 'A0', 'b.txt': 'B0', 'c.txt': 'C0' },
          inProcess: true,
        });
        await first(probe);
        assert.equal(
          probe.hook(probe.main.payload({ ...event(probe) }), {
            nodeOptions: ['--require', killer(probe)],
          }).status,
          0,
        );
        total = Number(fs.readFileSync(path.join(probe.folder, 'count'), 'utf8'));
        assert.ok(total > 5);
      }
      const at = `${n} of ${total}`;
      const { status } = d.hook(d.main.payload({ ...event(d) }), {
        nodeOptions,
        env: { KILL_AT: String(n) },
      });
      assert.equal(status, null, at);
      // The agent goes on, whatever became of the hook.
      if (isSaved && what === 'the prompt') await d.main.before('a.txt');
      d.put('a.txt', 'A1');
      await d.main.after('a.txt');
      await d.main.edit('b.txt', 'B1');
      await d.main.stop();
      const turns = await d.turns();
      assert.equal(turns.length, 1, at);
      const report = await d.rewind(1, { force: true, conflicts: 'take' });
      assert.equal(report.complete, true, at);
      assert.equal(d.read('b.txt'), 'B0', at);
      assert.equal(d.read('c.txt'), 'C0', at);
      const text = d.read('a.txt');
      assert.ok(text === 'A0' || (!isSaved && text === 'A1'), `${at}: ${text}`);
      if (text === 'A0') saved++;
      assert.deepEqual(await d.problems(), [], at);
      await d.redo();
      assert.deepEqual([d.read('a.txt'), d.read('b.txt')], ['A1', 'B1'], at);
    }
    assert.ok(saved > 0);
  });
}
