/** A hook around a command that is killed at any operation on the disk costs what that command did, and says so. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { killer } from '../helpers/killer.ts';
import { agentShapes } from '../helpers/storeAgents.ts';
import { StoreDriver } from '../helpers/storeDriver.ts';

const files = { 'a.txt': 'A0', 'b.txt': 'B0', 'c.txt': 'C0', 'd/x': 'X0' };
/** Each place takes a second. */
const stride = 3;
const start = () => new StoreDriver({ files, inProcess: true });

/** A turn with an edit and a command; the hook at one end of the command goes through `hook`. */
async function turn(d: StoreDriver, at: 'before' | 'after', hook: (body: object) => unknown) {
  const shell = (when: 'before' | 'after') => agentShapes.claude.shell(when, 'make');
  const send = async (when: 'before' | 'after') => {
    if (when === at) hook(d.main.payload(shell(when)));
    else await d.main.send(shell(when));
  };
  await d.main.prompt();
  await d.main.edit('c.txt', 'C1');
  await send('before');
  d.put('a.txt', 'A1');
  fs.rmSync(d.path('b.txt'));
  fs.rmSync(d.path('d'), { recursive: true });
  d.put('new/n', 'N');
  await send('after');
}

for (const at of ['before', 'after'] as const) {
  test(`killed ${at} a command`, async () => {
    using probe = start();
    await turn(probe, at, (payload) => {
      const nodeOptions = ['--require', killer(probe)];
      assert.equal(probe.hook({ ...payload }, { nodeOptions }).status, 0);
    });
    const total = Number(fs.readFileSync(path.join(probe.folder, 'count'), 'utf8'));
    assert.ok(total > 20);
    let captured = 0;
    for (let n = 1; n <= total; n += stride) {
      using d = start();
      const before = d.tree();
      const where = `${n} of ${total}`;
      await turn(d, at, (payload) => {
        const how = { nodeOptions: ['--require', killer(d)], env: { KILL_AT: String(n) } };
        // Their number varies a little: waiting for a lock, a name that is taken.
        assert.ok(d.hook({ ...payload }, how).status === null || n > total - 10, where);
      });
      await d.main.edit('c.txt', 'C2');
      await d.main.stop();
      const after = d.tree();
      const [done, ...more] = await d.turns();
      assert.ok(done && more.length === 0, where);
      const report = await d.rewind(1, { conflicts: 'take' });
      assert.equal(report.complete, true, where);
      const isCaptured = d.read('a.txt') === 'A0';
      // All of it or nothing; and what is not is told, unless the event itself never arrived.
      if (isCaptured) assert.deepEqual(d.tree(), before, where);
      else assert.deepEqual(d.tree(), { ...after, 'c.txt': before['c.txt'] }, where);
      const isTold = done.uncapturedShell || done.tools.every(({ name }) => name !== 'Bash');
      assert.ok(isCaptured || isTold, where);
      if (isCaptured) captured++;
      assert.deepEqual(await d.problems(), [], where);
      await d.redo();
      assert.deepEqual(d.tree(), after, where);
    }
    assert.ok(captured > 0);
  });
}
