/** Real hook processes of one session, two and eight at a time, each at another place of its work: nothing is lost. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { hashBytes } from '../../src/base/hash.ts';
import { agentShapes } from '../helpers/storeAgents.ts';
import { StoreDriver } from '../helpers/storeDriver.ts';

const rounds = 4;
const shared = 'shared.txt';

for (const count of [2, 8]) {
  test(`${count} at once, each with its own files and one that all edit`, async () => {
    const workers = Array.from({ length: count }, (_, n) => n);
    const names = workers.flatMap((n) =>
      Array.from({ length: rounds }, (_, round) => `w${n}/f${round}`),
    );
    const files = Object.fromEntries([...names, shared].map((name) => [name, `${name} before`]));
    using d = new StoreDriver({ files });
    await d.main.prompt();
    const before = d.tree();
    let done = 0;
    const hook = async (when: 'before' | 'after', name: string, callId: string) => {
      const body = agentShapes.claude.write(when, d.path(name));
      const payload = d.main.payload(body, { callId });
      assert.deepEqual(await d.hookInBackground(payload), { status: 0, stdout: '', stderr: '' });
    };
    const work = async (worker: number): Promise<void> => {
      for (let round = 0; round < rounds; round++) {
        const own = `w${worker}/f${round}`;
        for (const name of [own, shared]) {
          const callId = `${worker}-${round}-${name}`;
          await hook('before', name, callId);
          // In one step: what a hook sees of a file half written is nobody's work in particular.
          d.put(`${name}.${worker}`, `${name} after`);
          fs.renameSync(d.path(`${name}.${worker}`), d.path(name));
          await hook('after', name, callId);
        }
      }
      done++;
    };
    /** Somebody has the timeline open, and takes in what comes. */
    const look = async (): Promise<void> => {
      const app = d.open();
      try {
        while (done < count) {
          app.ingest();
          app.sessions(d.root);
          await new Promise((resolve) => setImmediate(resolve));
        }
      } finally {
        app.dispose();
      }
    };
    await Promise.all([...workers.map(work), look()]);
    await d.main.stop();

    const rows = d.manifest(1).files;
    assert.deepEqual(rows.map((row) => row['path']).sort(), [...names, shared].sort());
    const hash = (text: string) => hashBytes(Buffer.from(text));
    for (const row of rows) {
      const name = String(row['path']);
      assert.equal(row['sha256'], hash(`${name} before`), name);
      assert.equal((row['after'] as Record<string, unknown>)['sha256'], hash(`${name} after`));
    }
    const turns = await d.turns();
    assert.deepEqual(
      turns.map((turn) => [turn.files.length, turn.unprotected, turn.tools[0]?.count]),
      [[names.length + 1, [], 2 * rounds * count]],
    );
    assert.deepEqual(await d.problems(), []);
    const after = d.tree();
    await d.rewind(1);
    assert.deepEqual(d.tree(), before);
    await d.redo();
    assert.deepEqual(d.tree(), after);
  });
}

for (const count of [2, 8]) {
  test(`${count} sessions at once on one folder: each has its turn, numbers of its own, and its files`, async () => {
    const ids = Array.from({ length: count }, (_, n) => `session-${n}`);
    const files = Object.fromEntries(ids.map((id) => [id, `${id} before`]));
    using d = new StoreDriver({ files });
    const before = d.tree();
    await Promise.all(
      ids.map(async (id) => {
        const s = d.session(id);
        const { claude } = agentShapes;
        for (const turn of [1, 2]) {
          const facts = { promptId: `${id}-${turn}`, callId: `${id}-${turn}` };
          const send = (body: object) => d.hookInBackground(s.payload({ ...body }, facts));
          await send(claude.prompt(`Prompt ${turn}`));
          await send(claude.write('before', d.path(id)));
          d.put(id, `${id} ${turn}`);
          await send(claude.write('after', d.path(id)));
          await send(claude.stop);
        }
      }),
    );
    for (const id of ids) {
      const turns = await d.turns(id);
      assert.deepEqual(
        turns.map((turn) => [turn.number, turn.files.map((file) => file.path)]),
        [
          [1, [id]],
          [2, [id]],
        ],
      );
      const report = await d.rewind(1, { session: id });
      assert.equal(report.complete, true);
    }
    assert.deepEqual(d.tree(), before);
    assert.deepEqual(await d.problems(), []);
  });
}
