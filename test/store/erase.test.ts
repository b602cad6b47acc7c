/** Erasing what is kept of a project: all of it, and nothing else. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { openTimelineApp } from '../../src/app/openTimelineApp.ts';
import { isUserError } from '../../src/core/errors.ts';
import { asSessionId } from '../../src/core/ids.ts';

const secret = 'xyzzy-only-here';

function filesHolding(folder: string, text: string): string[] {
  return fs
    .readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => fs.readFileSync(file).includes(text));
}

test('nothing of the project is left in the store; its files and other projects stay', async () => {
  const base = fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-erase-'));
  const home = path.join(base, 'home');
  const app = openTimelineApp({ home, now: Date.now, log: () => undefined, userHome: base });
  try {
    const [one, two] = ['one', 'two'].map((name) => {
      const folder = path.join(base, name);
      fs.mkdirSync(folder);
      const recorder = app.recorder(app.rootOf(folder), asSessionId(name), 'test');
      recorder.begin(`prompt ${name} ${name === 'one' ? secret : ''}`);
      recorder.snapshot('a.txt');
      fs.writeFileSync(path.join(folder, 'a.txt'), name === 'one' ? secret : 'kept');
      return { folder, recorder, root: app.rootOf(folder) };
    });
    await assert.rejects(app.erase(one!.root), (error) => isUserError(error, 'running'));
    for (const { recorder } of [one!, two!]) recorder.end(`reply ${secret}`.slice(0, 6));
    const turn = app.turns(asSessionId('one'))[0]!;
    const { operation } = await app.rewind(turn.id);
    await app.redo(operation!);
    assert.ok(filesHolding(home, secret).length > 0);

    assert.deepEqual(await app.erase(one!.root), { sessions: 1, turns: 1 });
    assert.deepEqual(filesHolding(home, secret), []);
    assert.deepEqual(fs.readdirSync(one!.folder), ['a.txt']);
    assert.equal(fs.readFileSync(path.join(one!.folder, 'a.txt'), 'utf8'), secret);
    assert.deepEqual([app.sessions(one!.root), app.operations(one!.root)], [[], []]);
    assert.equal(app.turns(asSessionId('two')).length, 1);
    await app.rewind(app.turns(asSessionId('two'))[0]!.id);
    assert.equal(fs.existsSync(path.join(two!.folder, 'a.txt')), false);
  } finally {
    app.dispose();
    fs.rmSync(base, { recursive: true, force: true });
  }
});

test('what memcode stored stays', async () => {
  const base = fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-erase-'));
  const app = openTimelineApp({
    home: path.join(base, 'home'),
    now: Date.now,
    log: () => undefined,
    userHome: base,
  });
  try {
    const folder = path.join(base, 'p');
    const place = path.join(folder, '.memcode', 'checkpoints', 'sess_1', '1');
    fs.mkdirSync(path.join(place, 'files'), { recursive: true });
    fs.writeFileSync(path.join(place, 'files', 'a'), 'old');
    const files = [{ path: 'a', existed: true }];
    const at = '2026-01-02T03:04:05Z';
    fs.writeFileSync(
      path.join(place, 'manifest.json'),
      JSON.stringify({ seq: 1, label: 'x', at, files }),
    );
    const root = app.rootOf(folder);
    assert.equal(app.sessions(root).length, 1);
    await app.erase(root);
    assert.equal(fs.readFileSync(path.join(place, 'files', 'a'), 'utf8'), 'old');
  } finally {
    app.dispose();
    fs.rmSync(base, { recursive: true, force: true });
  }
});
