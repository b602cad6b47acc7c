/** The format both ways: what memcode wrote is read and left alone; what we write, memcode's rules can read. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it, test } from 'node:test';
import { asSessionId } from '../../src/core/ids.ts';
import { resultsOf, StoreDriver, turnNumbered } from '../helpers/storeDriver.ts';
import { readManifestOnly } from '../helpers/storeMemcode.ts';
import { treeOf } from '../helpers/storeTree.ts';

const id = 'sess_0a1b2c3d';
const session = asSessionId(id);

interface Row {
  readonly path: string;
  /** Bytes of the pre-image; null: the file did not exist. */
  readonly blob: string | null;
}

/** One turn's folder by memcode's rules: blob 0644, folders 0755, Go's escapes, no newline at the end. */
function memcodeTurn(
  d: StoreDriver,
  seq: number | string,
  rows: readonly Row[],
  { field = Number(seq), label = `turn ${seq}`, folder = id } = {},
): string {
  const place = d.path(`.memcode/checkpoints/${folder}/${seq}`);
  fs.mkdirSync(path.join(place, 'files'), { recursive: true, mode: 0o755 });
  for (const { path: name, blob } of rows) {
    const file = path.join(place, 'files', name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    if (blob !== null) fs.writeFileSync(file, blob, { mode: 0o644 });
  }
  const files = rows.map(({ path: name, blob }) => ({ path: name, existed: blob !== null }));
  writeManifest(place, { seq: field, label, at: '2026-03-05T09:30:00.25Z', files });
  return place;
}

function writeManifest(place: string, value: unknown): void {
  fs.mkdirSync(place, { recursive: true });
  const text = JSON.stringify(value, null, 2).replace(
    /[<>&\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  fs.writeFileSync(path.join(place, 'manifest.json'), text, { mode: 0o644 });
}

const storeOf = (d: StoreDriver) => treeOf(d.path('.memcode'), ['.gitignore']);

describe('memcode’s checkpoints', () => {
  it('are listed by number, restored, and not touched', async () => {
    using d = new StoreDriver({ files: { 'a.txt': 'A3', 'made.txt': 'M', 'x <&> y.txt': 'X1' } });
    memcodeTurn(d, 10, [{ path: 'a.txt', blob: 'A2' }], { label: 'third' });
    memcodeTurn(d, 2, [
      { path: 'a.txt', blob: 'A1' },
      { path: 'made.txt', blob: null },
    ]);
    memcodeTurn(
      d,
      1,
      [
        { path: 'a.txt', blob: 'A0' },
        { path: 'x <&> y.txt', blob: '' },
      ],
      { label: 'say <hello> & go\u2028on' },
    );
    const before = storeOf(d);
    const [found, turns] = await d.with((app) => [app.sessions(d.root), app.turns(session)]);
    assert.deepEqual(
      found.map((s) => [s.id, s.agent, s.turns]),
      [[id, 'memcode', 3]],
    );
    assert.deepEqual(
      turns.map((t) => [t.seq, t.number, t.prompt, t.end]),
      [
        [1, 1, 'say <hello> & go\u2028on', 'stop'],
        [2, 2, 'turn 2', 'stop'],
        [10, 3, 'third', 'stop'],
      ],
    );
    const preview = await d.with((app) => app.preview(turns[1]!.id));
    assert.deepEqual(
      preview.paths.map((p) => [p.path, p.act, p.unverified]),
      [
        ['a.txt', 'write', true],
        ['made.txt', 'delete', true],
      ],
    );
    const report = await d.rewind(2, { session: id });
    assert.deepEqual(resultsOf(report), { 'a.txt': 'restored', 'made.txt': 'deleted' });
    assert.deepEqual([d.read('a.txt'), d.read('made.txt')], ['A1', undefined]);
    assert.deepEqual(storeOf(d), before);
    // What was taken back can still be looked at.
    const side = await d.with((app) => app.content(turns[1]!.id, 'a.txt', 'before'));
    assert.equal(side.kind === 'bytes' && Buffer.from(side.bytes).toString(), 'A1');

    await d.redo({ session: id });
    assert.deepEqual([d.read('a.txt'), d.read('made.txt')], ['A3', 'M']);
    await d.rewind(1, { session: id });
    assert.deepEqual([d.read('a.txt'), d.read('x <&> y.txt')], ['A0', '']);
    assert.deepEqual(storeOf(d), before);
    assert.deepEqual(await d.problems(), []);
  });

  it('taken back once are not taken back again by a rewind to before them', async () => {
    using d = new StoreDriver({ files: { 'a.txt': 'A1', 'b.txt': 'B1' } });
    memcodeTurn(d, 1, [{ path: 'a.txt', blob: 'A0' }]);
    memcodeTurn(d, 2, [{ path: 'b.txt', blob: 'B0' }]);
    await d.with((app) => app.sessions(d.root));
    await d.rewind(2, { session: id });
    d.put('b.txt', 'mine since');
    await d.rewind(1, { session: id });
    assert.deepEqual([d.read('a.txt'), d.read('b.txt')], ['A0', 'mine since']);
  });

  it('without rows are no checkpoints', async () => {
    using d = new StoreDriver();
    for (const [seq, files] of [[1], [2, null], [3, []]] as const)
      writeManifest(d.path(`.memcode/checkpoints/${id}/${seq}`), {
        seq,
        label: 'x',
        at: '',
        files,
      });
    assert.deepEqual(await d.with((app) => app.sessions(d.root)), []);
    assert.deepEqual(await d.problems(), []);
  });

  it('written on Windows are restored under names with a slash', async () => {
    using d = new StoreDriver({ files: { 'lib/parse.ts': 'new', 'lib/b.ts': 'made' } });
    const place = memcodeTurn(d, 1, [{ path: 'lib/parse.ts', blob: 'old' }]);
    writeManifest(place, {
      seq: 1,
      label: 'x',
      at: '',
      files: [
        { path: 'lib\\parse.ts', existed: true },
        { path: 'plain\\name', existed: false },
      ],
    });
    d.put('plain\\name', 'a file of this machine with that very name');
    await d.with((app) => app.sessions(d.root));
    await d.rewind(1, { session: id });
    assert.equal(d.read('lib/parse.ts'), 'old');
  });
});

describe('damage', () => {
  const sound = (d: StoreDriver) => {
    memcodeTurn(d, 1, [{ path: 'a.txt', blob: 'A0' }]);
    return memcodeTurn(d, 2, [{ path: 'b.txt', blob: 'B0' }]);
  };

  const check = (
    what: string,
    harm: (place: string, d: StoreDriver) => void,
    text: RegExp,
    { listed = true } = {},
  ) =>
    it(what, async () => {
      using d = new StoreDriver({ files: { 'a.txt': 'A1', 'b.txt': 'B1' } });
      fs.writeFileSync(path.join(d.folder, 'secret'), 'S');
      const place = sound(d);
      await d.with((app) => app.sessions(d.root));
      harm(place, d);
      const [before, store] = [d.tree(), storeOf(d)];
      assert.match((await d.problems()).join('\n'), text);
      await d.with(async (app) => {
        await assert.rejects(
          app.rewind(turnNumbered(app, id, 1).id),
          (error: Error & { code?: string }) =>
            error.code === 'damaged' && text.test(error.message),
        );
        if (listed) await assert.rejects(app.preview(turnNumbered(app, id, 1).id), text);
      });
      assert.deepEqual([d.tree(), storeOf(d)], [before, store]);
      assert.equal(fs.readFileSync(path.join(d.folder, 'secret'), 'utf8'), 'S');
      // Its number is used up all the same.
      await d.session(id).edit('c.txt', 'C');
      assert.ok(fs.existsSync(d.path(`.memcode/checkpoints/${id}/3/manifest.json`)));
    });

  const row = (place: string, ...files: unknown[]) =>
    writeManifest(place, { seq: 2, label: '', at: '', files });

  check(
    'a manifest cut short (W16)',
    (place) => {
      const file = path.join(place, 'manifest.json');
      fs.truncateSync(file, 30);
    },
    /Checkpoint 2 .*not JSON/,
  );
  check(
    'no manifest',
    (place) => fs.rmSync(path.join(place, 'manifest.json')),
    /Checkpoint 2 .*no manifest/,
  );
  check(
    'another number inside',
    (place) => writeManifest(place, { seq: 1, files: [{ path: 'b.txt', existed: true }] }),
    /Checkpoint 2 .*says 1/,
  );
  check(
    'one file twice',
    (place) => row(place, { path: 'b.txt', existed: true }, { path: 'b.txt', existed: true }),
    /b\.txt has two rows/,
  );
  check(
    'an absolute path',
    (place) => row(place, { path: '/etc/passwd', existed: true }),
    /\/etc\/passwd: /,
  );
  check(
    'an absolute path inside',
    (place, d) => row(place, { path: d.path('b.txt'), existed: true }),
    /b\.txt: .*not a plain/,
  );
  check(
    'a path upwards',
    (place) => row(place, { path: '../secret', existed: false }),
    /\.\.\/secret: /,
  );
  check(
    'a path that goes up in the middle',
    (place) => row(place, { path: 'x/../../secret', existed: false }),
    /not a plain/,
  );
  check(
    'a path into git',
    (place) => row(place, { path: 'sub/.git/hooks/post-checkout', existed: true }),
    /git repository/,
  );
  check(
    'a path into the store',
    (place) => row(place, { path: '.memcode/checkpoints/x/1/manifest.json', existed: false }),
    /checkpoint store/,
  );
  check('a row that is none', (place) => row(place, 7), /Row 1/);
  check(
    'a path that goes up on Windows',
    (place, d) => {
      fs.writeFileSync(path.join(d.folder, 'secret'), 'S');
      row(place, { path: 'x\\..\\..\\..\\..\\..\\..\\..\\secret', existed: true });
    },
    /missing|not a plain/,
    { listed: false },
  );

  for (const [what, harm] of [
    ['missing bytes (W15)', (file: string) => fs.rmSync(file)],
    [
      'bytes that are a link',
      (file: string) => {
        fs.rmSync(file);
        fs.symlinkSync('/etc/passwd', file);
      },
    ],
    [
      'bytes that are a folder',
      (file: string) => {
        fs.rmSync(file);
        fs.mkdirSync(file);
      },
    ],
  ] as const)
    it(`${what}: named, refused, and the other files are for choosing`, async () => {
      using d = new StoreDriver({ files: { 'a.txt': 'A1', 'b.txt': 'B1' } });
      const place = sound(d);
      await d.with((app) => app.sessions(d.root));
      harm(path.join(place, 'files', 'b.txt'));
      const before = d.tree();
      await d.with(async (app) => {
        const turn = turnNumbered(app, id, 1).id;
        assert.deepEqual(
          (await app.preview(turn)).notRestorable.map((n) => n.path),
          ['b.txt'],
        );
        await assert.rejects(app.rewind(turn), /b\.txt: Its saved bytes/);
        assert.deepEqual(d.tree(), before);
        const report = await app.rewind(turn, { partial: true });
        assert.deepEqual(resultsOf(report), { 'a.txt': 'restored', 'b.txt': 'notRestorable' });
      });
      assert.deepEqual([d.read('a.txt'), d.read('b.txt')], ['A0', 'B1']);
    });

  it('a store whose folders are links is not read', async () => {
    using d = new StoreDriver({ files: { 'a.txt': 'A1' } });
    const elsewhere = path.join(d.folder, 'elsewhere');
    const place = memcodeTurn(d, 1, [{ path: 'a.txt', blob: 'A0' }]);
    fs.renameSync(place, elsewhere);
    fs.symlinkSync(elsewhere, place);
    assert.deepEqual(await d.with((app) => app.sessions(d.root)), []);
    fs.rmSync(place);
    const sessionPlace = path.dirname(place);
    fs.rmdirSync(sessionPlace);
    fs.mkdirSync(path.join(d.folder, 'other'));
    fs.renameSync(elsewhere, path.join(d.folder, 'other', '1'));
    fs.symlinkSync(path.join(d.folder, 'other'), sessionPlace);
    assert.deepEqual(await d.with((app) => app.sessions(d.root)), []);
    fs.rmSync(sessionPlace);
    fs.renameSync(path.join(d.folder, 'other'), sessionPlace);
    fs.renameSync(d.path('.memcode'), path.join(d.folder, 'all'));
    fs.symlinkSync(path.join(d.folder, 'all'), d.path('.memcode'));
    assert.deepEqual(await d.with((app) => app.sessions(d.root)), []);
    assert.deepEqual(await d.with((app) => app.doctor(d.root)).then((f) => f.length), 1);
  });

  it('bytes reached through a link inside the store are not taken', async () => {
    using d = new StoreDriver({ files: { 'sub/a.txt': 'A1' } });
    const place = memcodeTurn(d, 1, [{ path: 'sub/a.txt', blob: 'A0' }]);
    fs.mkdirSync(path.join(d.folder, 'elsewhere'));
    fs.writeFileSync(path.join(d.folder, 'elsewhere', 'a.txt'), 'SECRET');
    fs.rmSync(path.join(place, 'files', 'sub'), { recursive: true });
    fs.symlinkSync(path.join(d.folder, 'elsewhere'), path.join(place, 'files', 'sub'));
    await d.with(async (app) => {
      app.sessions(d.root);
      const turn = turnNumbered(app, id, 1).id;
      assert.equal(app.content(turn, 'sub/a.txt', 'before').kind, 'unavailable');
      await assert.rejects(app.rewind(turn), /sub\/a\.txt: /);
    });
    assert.equal(d.read('sub/a.txt'), 'A1');
  });
});

test('folders with other names are not looked at', async () => {
  using d = new StoreDriver({ files: { 'a.txt': 'A1' } });
  for (const name of ['.rewound', '01', '1x', 'x', '0', '-1', '1.5'])
    memcodeTurn(d, name, [{ path: 'a.txt', blob: 'WRONG' }], { field: 1 });
  memcodeTurn(d, 1, [{ path: 'a.txt', blob: 'A0' }]);
  memcodeTurn(d, 1, [{ path: 'a.txt', blob: 'WRONG' }], { folder: '.rewound' });
  fs.writeFileSync(d.path(`.memcode/checkpoints/${id}/7`), 'a file');
  await d.with((app) => {
    assert.deepEqual(
      app.sessions(d.root).map((s) => s.id),
      [id],
    );
    assert.deepEqual(
      app.turns(session).map((t) => t.seq),
      [1],
    );
  });
  await d.rewind(1, { session: id });
  assert.equal(d.read('a.txt'), 'A0');
});

test('ours are readable for a reader that knows only memcode’s format', async () => {
  const long = `Привет ${'а'.repeat(200)}\nsecond line`;
  using d = new StoreDriver({
    files: { 'a.txt': 'A0', 'bin <&>': new Uint8Array([0, 255, 10]), 'sub/gone': 'G' },
  });
  fs.symlinkSync('a.txt', d.path('link'));
  await d.main.turn(async (s) => {
    await s.edit('a.txt', 'A1');
    await s.edit('a.txt', 'A2');
    await s.edit('bin <&>', 'text');
    await s.edit('sub/gone', fs.unlinkSync);
    await s.edit('new/file', 'N');
    await s.edit('link', (file) => {
      fs.unlinkSync(file);
      fs.writeFileSync(file, 'no link');
    });
  }, long);
  await d.main.turn((s) => s.edit('a.txt', 'A3'));
  const found = readManifestOnly(d.path('.memcode/checkpoints/session-1'));
  assert.deepEqual(
    found.map(({ seq, files }) => [
      seq,
      files.map(({ path: name, existed, blob }) => [name, existed, blob?.toString('latin1')]),
    ]),
    [
      [
        1,
        [
          ['a.txt', true, 'A0'],
          ['bin <&>', true, '\0\xff\n'],
          ['sub/gone', true, 'G'],
          ['new/file', false, undefined],
          // A link has no bytes: that reader reports the path and keeps everything.
          ['link', true, undefined],
        ],
      ],
      [2, [['a.txt', true, 'A2']]],
    ],
  );
  const [first] = found;
  assert.match(first!.at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/);
  assert.equal([...new Intl.Segmenter().segment(first!.label)].length, 121);
  assert.ok(
    first!.label.endsWith('…') && !first!.label.includes('\n') && first!.label.isWellFormed(),
  );
});
