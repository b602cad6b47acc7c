/** The database follows the files: locked, lost, damaged or shared, it costs no event and no pre-image. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, test } from 'node:test';
import { isUserError } from '../../src/core/errors.ts';
import { asSessionId } from '../../src/core/ids.ts';
import { inTransaction, openDatabase } from '../../src/session/database.ts';
import { StoreDriver } from '../helpers/storeDriver.ts';

const files = { 'a.txt': 'A0', 'b.txt': 'B0' };
const session = asSessionId('session-1');
const helper = (name: string) => path.join(import.meta.dirname, '..', 'helpers', name);
const spoolOf = (d: StoreDriver) =>
  fs.readdirSync(path.join(d.home, 'spool')).filter((name) => name.endsWith('.json'));

test('that finds no room is told as that, and holds what it held', () => {
  using d = new StoreDriver({ files });
  fs.mkdirSync(d.home, { recursive: true });
  const database = openDatabase(path.join(d.home, 'timeline.db'));
  try {
    const add = (sha256: string, size: number) =>
      inTransaction(database, () =>
        database
          .prepare('INSERT INTO memory_contents (sha256, bytes) VALUES (?, ?)')
          .run(sha256, new Uint8Array(size)),
      );
    add('a', 10);
    const pages = Number(database.prepare('PRAGMA page_count').get()?.['page_count']);
    database.exec(`PRAGMA max_page_count = ${pages + 1}`);
    assert.throws(
      () => add('b', 1_000_000),
      (error) => isUserError(error, 'database') && /full/.test(error.message),
    );
    add('c', 10);
    const rows = database.prepare('SELECT sha256 FROM memory_contents').all();
    assert.deepEqual(
      rows.map((row) => row['sha256']),
      ['a', 'c'],
    );
  } finally {
    database.close();
  }
});

test('held by another process while the hooks fire: nothing is lost, and looking goes on', async () => {
  using d = new StoreDriver({ files });
  await d.turn((s) => s.edit('a.txt', 'A1'));
  const app = d.open();
  app.ingest();
  const holder = spawn(
    process.execPath,
    [helper('storeLocker.ts'), path.join(d.home, 'timeline.db')],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  await once(holder.stdout, 'data');
  await d.turn(async (s) => {
    await s.edit('a.txt', 'A2');
    await s.edit('b.txt', 'B2');
  });
  assert.equal(spoolOf(d).length, 6);
  assert.equal(app.ingest(), 0);
  assert.equal(spoolOf(d).length, 6);
  assert.match(d.log.join('\n'), /busy/);
  assert.equal(app.turns(session).length, 1);
  await assert.rejects(app.rewind(app.turns(session)[0]!.id), (error) =>
    isUserError(error, 'locked'),
  );
  assert.equal(d.read('a.txt'), 'A2');
  holder.stdin.end();
  await once(holder, 'exit');
  assert.equal(app.ingest(), 6);
  assert.deepEqual(
    app.turns(session).map((t) => [t.number, t.end, t.tools[0]?.count, t.files.map((f) => f.path)]),
    [
      [1, 'stop', 1, ['a.txt']],
      [2, 'stop', 2, ['a.txt', 'b.txt']],
    ],
  );
  await app.rewind(app.turns(session)[0]!.id);
  assert.deepEqual([d.read('a.txt'), d.read('b.txt')], ['A0', 'B0']);
  app.dispose();
});

test('two processes take in the same spool: each event counts once', async () => {
  using d = new StoreDriver({ files, inProcess: true });
  for (let n = 1; n <= 12; n++) {
    await d.turn(async (s) => {
      await s.edit('a.txt', `A${n}`);
      await s.edit('b.txt', `B${n}`);
    });
  }
  const total = spoolOf(d).length;
  assert.equal(total, 12 * 6);
  const counts = await Promise.all(
    [1, 2, 3].map(async () => {
      const child = spawn(process.execPath, [helper('storeIngest.ts'), d.home]);
      let out = '';
      child.stdout.on('data', (chunk) => {
        out += String(chunk);
      });
      const [status] = await once(child, 'exit');
      assert.equal(status, 0);
      return Number(out);
    }),
  );
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    total,
  );
  assert.deepEqual(spoolOf(d), []);
  const turns = await d.turns();
  assert.deepEqual(
    turns.map((t) => [t.number, t.tools.map((tool) => tool.count), t.files.length]),
    Array.from({ length: 12 }, (_, n) => [n + 1, [2], 2]),
  );
});

test('an entry that comes back after it was taken in counts once', async () => {
  using d = new StoreDriver({ files, inProcess: true });
  await d.turn((s) => s.edit('a.txt', 'A1'));
  const copy = path.join(d.folder, 'copy');
  fs.cpSync(path.join(d.home, 'spool'), copy, { recursive: true });
  const first = await d.turns();
  fs.cpSync(copy, path.join(d.home, 'spool'), { recursive: true });
  assert.equal(await d.with(() => 0), 0);
  assert.deepEqual(await d.turns(), first);
});

describe('an entry of the spool that is none', () => {
  const good = {
    v: 1,
    id: 'x',
    at: 1_700_000_000_000,
    session: 'session-1',
    agent: 'claude',
    root: '/r',
    kind: 'tool',
    turn: 'session-1#1',
    tool: 'Edit',
    toolClass: 'write',
    saved: ['a'],
    unprotected: [],
  };
  const texts: Readonly<Record<string, string>> = {
    'not JSON': 'sk-secret {',
    empty: '',
    'a list': '[]',
    'another version': JSON.stringify({ ...good, v: 2 }),
    ...Object.fromEntries(
      Object.entries({
        id: 7,
        at: 'now',
        session: '',
        agent: null,
        root: [],
        kind: 'what',
        turn: 'other#1',
        tool: {},
        toolClass: 1,
        saved: [null],
        unprotected: [{}],
        summary: 5,
        callId: {},
      }).map(([name, value]) => [
        `${name} of another type`,
        JSON.stringify({ ...good, [name]: value }),
      ]),
    ),
    'a fraction of a millisecond': JSON.stringify({ ...good, at: 1.5 }),
    'a turn without a number': JSON.stringify({ ...good, turn: 'session-1#' }),
    'a turn whose seq is another': JSON.stringify({
      ...good,
      kind: 'turn',
      seq: 2,
      number: 1,
      prompt: 'x',
    }),
    'a prompt that is none': JSON.stringify({
      ...good,
      kind: 'turn',
      seq: 1,
      number: 1,
      prompt: 7,
    }),
    'a head that is none': JSON.stringify({
      ...good,
      kind: 'turn',
      seq: 1,
      number: 1,
      prompt: '',
      head: 'x',
    }),
    'a model that is none': JSON.stringify({
      ...good,
      kind: 'turn',
      seq: 1,
      number: 1,
      prompt: '',
      model: {},
    }),
    'a reply that is none': JSON.stringify({ ...good, kind: 'end', end: 'stop', reply: [] }),
    'a transcript that is none': JSON.stringify({ ...good, kind: 'session', transcript: 5 }),
  };

  it('is set aside and named; the others are taken in', async () => {
    using d = new StoreDriver({ files, inProcess: true });
    await d.turn((s) => s.edit('a.txt', 'A1'));
    const spool = path.join(d.home, 'spool');
    Object.values(texts).forEach((text, n) => {
      fs.writeFileSync(
        path.join(spool, `000000000000000-${String(n).padStart(3, '0')}.json`),
        text,
      );
    });
    const [turn] = await d.turns();
    assert.deepEqual([turn?.end, turn?.files.length], ['stop', 1]);
    assert.equal(fs.readdirSync(path.join(spool, 'bad')).length, Object.keys(texts).length);
    assert.deepEqual(spoolOf(d), []);
    assert.match((await d.problems()).join('\n'), /set aside/);
    assert.equal(
      d.log.filter((line) => line.includes('set aside')).length,
      Object.keys(texts).length,
    );
    assert.doesNotMatch(d.log.join('\n'), /secret/);
  });
});

test('events without their turn, late or out of order, make the same turn', async () => {
  using d = new StoreDriver({ files, inProcess: true });
  await d.turn((s) => s.edit('a.txt', 'A1'), 'The prompt');
  const spool = path.join(d.home, 'spool');
  const names = spoolOf(d).sort();
  const kept = names.map(
    (name) => [name, fs.readFileSync(path.join(spool, name), 'utf8')] as const,
  );
  for (const name of names) fs.rmSync(path.join(spool, name));
  for (const [name, text] of kept.toReversed()) {
    fs.writeFileSync(path.join(spool, name), text);
    await d.with(() => undefined);
  }
  const [turn, ...others] = await d.turns();
  assert.deepEqual(others, []);
  assert.deepEqual(
    [turn?.prompt, turn?.end, turn?.reply, turn?.tools[0]?.count, turn?.files.map((f) => f.path)],
    ['The prompt', 'stop', 'All three changes are done.', 1, ['a.txt']],
  );
});

describe('what cannot be opened', () => {
  const refused = (d: StoreDriver, text: RegExp) => {
    assert.throws(
      () => d.open(),
      (error) => isUserError(error, 'database') && text.test(error.message),
    );
  };

  it('a database of a newer version', async () => {
    using d = new StoreDriver({ files });
    await d.turn((s) => s.edit('a.txt', 'A1'));
    d.open().dispose();
    const file = path.join(d.home, 'timeline.db');
    const database = new DatabaseSync(file);
    database.exec('PRAGMA user_version = 1000');
    database.close();
    refused(d, /newer version/);
    // The hooks go on all the same.
    await d.turn((s) => s.edit('b.txt', 'B1'));
    assert.equal(fs.readFileSync(d.stored('2', 'files', 'b.txt'), 'utf8'), 'B0');
  });

  it('a file that is no database', () => {
    using d = new StoreDriver();
    fs.mkdirSync(d.home);
    fs.writeFileSync(path.join(d.home, 'timeline.db'), 'x'.repeat(5_000));
    refused(d, /timeline\.db cannot be opened/);
  });
});

test('the database is lost: turns, files and the way back are found on disk', async () => {
  using d = new StoreDriver({ files });
  await d.turn((s) => s.edit('a.txt', 'A1'), 'First of all');
  await d.turn(() => undefined);
  await d.turn((s) => s.edit('b.txt', 'B1'), 'Third');
  await d.with(() => undefined);
  for (const name of fs.readdirSync(d.home).filter((n) => n.startsWith('timeline.db')))
    fs.rmSync(path.join(d.home, name));
  const turns = await d.with((app) => {
    app.sessions(d.root);
    return app.turns(session);
  });
  assert.deepEqual(
    turns.map((t) => [t.number, t.seq, t.prompt, t.files.map((f) => f.path)]),
    [
      [1, 1, 'First of all', ['a.txt']],
      [3, 3, 'Third', ['b.txt']],
    ],
  );
  await d.turn((s) => s.edit('a.txt', 'A4'));
  assert.deepEqual(
    (await d.turns()).map((t) => t.seq),
    [1, 3, 4],
  );
  await d.rewind(1);
  assert.deepEqual([d.read('a.txt'), d.read('b.txt')], ['A0', 'B0']);
  assert.deepEqual(await d.problems(), []);
});

test('a rewind knows what the hooks have told since the last look, and what only the disk knows', async () => {
  using d = new StoreDriver({ files });
  await d.turn((s) => s.edit('a.txt', 'A1'));
  const app = d.open();
  app.ingest();
  const turn = app.turns(session)[0]!.id;
  await d.turn((s) => s.edit('a.txt', 'A2'));
  await d.main.prompt('Third');
  await d.main.edit('b.txt', 'B3');
  await assert.rejects(app.rewind(turn), (error) => isUserError(error, 'running'));
  await d.main.stop();
  const report = await app.rewind(turn);
  assert.deepEqual(report.turns, ['session-1#1', 'session-1#2', 'session-1#3']);
  assert.deepEqual([d.read('a.txt'), d.read('b.txt')], ['A0', 'B0']);
  assert.deepEqual(fs.readdirSync(d.stored()), ['.rewound']);
  app.dispose();
});

test('a runtime without SQLite is told what is needed', () => {
  using d = new StoreDriver();
  const script = `process.getBuiltinModule = () => undefined;
    const { openTimelineApp } = await import(${JSON.stringify(helper('../../src/app/openTimelineApp.ts'))});
    try { openTimelineApp({ home: ${JSON.stringify(d.home)}, now: Date.now, log() {} }); }
    catch (error) { console.log(error.code, error.message); }`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  assert.match(stdout, /^unsupported .*Node 22/);
});
