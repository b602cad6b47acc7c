/** One turn with a thousand files: as good as one with three. By hand it has been run with 100,000. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { StoreDriver } from '../helpers/storeDriver.ts';

const count = 1_000;
const names = Array.from({ length: count }, (_, n) => `d${n % 20}/e${n % 7}/f${n}`);
/** By the remainder: 0 made, 1 changed, 2 deleted by the turn. */
const kindOf = (index: number) => index % 3;
const oldText = (index: number) => `old ${index % 50}`;

test('a thousand files in one manifest: sealed, shown, rewound, taken back, checked', async () => {
  using d = new StoreDriver({ files: { seed: 's0' }, inProcess: true });
  names.forEach((name, n) => {
    if (kindOf(n) !== 0) d.put(name, oldText(n));
  });
  const before = d.tree();
  await d.main.prompt();
  await d.main.before('seed');
  d.put('seed', 's1');
  // As a command that changes many is recorded: all rows at once.
  const manifest = d.manifest(1);
  names.forEach((name, n) => {
    const base = { path: name, cause: 'shell' };
    if (kindOf(n) === 0) {
      manifest.files.push({ ...base, existed: false, kind: 'absent' });
      return;
    }
    const blob = d.stored('1', 'files', name);
    fs.mkdirSync(path.dirname(blob), { recursive: true });
    fs.writeFileSync(blob, oldText(n), { mode: 0o600 });
    const size = oldText(n).length;
    manifest.files.push({ ...base, existed: true, kind: 'file', mode: 0o644, size });
  });
  fs.writeFileSync(d.stored('1', 'manifest.json'), JSON.stringify(manifest));
  names.forEach((name, n) => {
    if (kindOf(n) === 2) fs.rmSync(d.path(name));
    else d.put(name, `new ${n}`);
  });
  const after = d.tree();
  await d.main.after('seed');
  await d.main.stop();

  const [turn] = await d.turns();
  assert.equal(turn?.files.length, count + 1);
  // Fifty contents, however many files hold them.
  const blobs = names.flatMap((name, n) => (kindOf(n) === 0 ? [] : [d.stored('1', 'files', name)]));
  assert.equal(new Set(blobs.map((file) => fs.lstatSync(file).ino)).size, 50);
  const preview = await d.with((app) => app.preview(turn!.id));
  assert.deepEqual([preview.paths.length, preview.conflicts], [count + 1, []]);
  await d.rewind(1);
  assert.deepEqual(d.tree(), before);
  await d.redo();
  assert.deepEqual(d.tree(), after);
  d.put(names[0]!, 'mine');
  const report = await d.rewind(1, { conflicts: 'take' });
  assert.equal(report.complete, true);
  assert.deepEqual(d.tree(), before);
  assert.deepEqual(await d.problems(), []);
});
