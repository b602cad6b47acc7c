/** Sessions from transcripts: found, read, joined with what hooks recorded, read on, and never twice. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, test } from 'node:test';
import { ClaudeTranscript, HistoryWorld, id } from '../helpers/historyWorld.ts';
import { counts, fixtures, put, real, turnsOf } from '../helpers/importing.ts';

describe('real transcripts', () => {
  for (const { agent, place, session, tools } of real)
    it(agent, async () => {
      using world = new HistoryWorld();
      put(world, `${agent}.jsonl`, place);
      assert.deepEqual(counts(await world.app.history.importSessions({})), [
        [agent, 2, 0, false, null],
      ]);
      assert.deepEqual(turnsOf(world, session), [
        [1, 'Make the greeting friendlier', 'Done.', tools[0], 'stop'],
        [2, 'second turn: say goodbye', 'Second turn done.', tools[1], 'stop'],
      ]);
      const [first] = world.app.turns(id(session));
      assert.equal(first?.imported, true);
      assert.deepEqual(first?.tools.length, tools[0].split(',').length);
      const failed = world.app.history.nodes(first?.id as never).filter((node) => node.failed);
      assert.equal(failed.length, 1);
      const before = world.sql('SELECT * FROM nodes ORDER BY key');
      assert.deepEqual(counts(await world.app.history.importSessions({})), [
        [agent, 0, 0, true, null],
      ]);
      world.run('UPDATE transcripts SET imported = 0, imported_size = 0');
      assert.deepEqual(counts(await world.app.history.importSessions({})), [
        [agent, 0, 0, false, null],
      ]);
      assert.deepEqual(world.sql('SELECT * FROM nodes ORDER BY key'), before);
      assert.deepEqual(
        (await world.app.doctor(world.root)).filter(({ severity }) => severity === 'problem'),
        [],
      );
    });

  it('cline, whose folder stands in a file beside it', async () => {
    using world = new HistoryWorld();
    const place = '.cline/data/sessions/1796057207587_vd4b0/1796057207587_vd4b0';
    put(world, 'cline.messages.json', `${place}.messages.json`);
    put(world, 'cline.session.json', `${place}.json`);
    assert.deepEqual(counts(await world.app.history.importSessions({})), [
      ['cline', 1, 0, false, null],
    ]);
    assert.deepEqual(turnsOf(world, '1796057207587_vd4b0'), [
      [1, 'Make the greeting friendlier', 'Done.', 'read_files 2,editor 4,run_commands 1', 'stop'],
    ]);
    const [hit] = world.app.history.search({ text: 'friendlier' });
    assert.deepEqual([hit?.root, hit?.agent], ['/repo', 'cline']);
    assert.equal(
      world.app.history.nodes(hit?.node.turn as never).filter(({ failed }) => failed).length,
      1,
    );
    assert.deepEqual(counts(await world.app.history.importSessions({})), [
      ['cline', 0, 0, true, null],
    ]);
  });

  it('opencode, whose sessions are rows of a database', async () => {
    using world = new HistoryWorld();
    const file = path.join(world.userHome, '.local', 'share', 'opencode', 'opencode.db');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const database = new DatabaseSync(file);
    const rows = JSON.parse(fs.readFileSync(path.join(fixtures, 'opencode.rows.json'), 'utf8'));
    for (const [table, all] of Object.entries<Record<string, unknown>[]>(rows)) {
      const names = Object.keys(all[0] ?? {});
      database.exec(`CREATE TABLE ${table} (${names.join(', ')})`);
      const insert = database.prepare(
        `INSERT INTO ${table} VALUES (${names.map(() => '?').join(', ')})`,
      );
      for (const row of all)
        insert.run(
          ...names.map((name) => {
            const value = row[name];
            return typeof value === 'object' && value !== null
              ? JSON.stringify(value)
              : (value as string);
          }),
        );
    }
    database.close();
    assert.deepEqual(counts(await world.app.history.importSessions({})), [
      ['opencode', 2, 0, false, null],
    ]);
    assert.deepEqual(
      turnsOf(world, 'ses_dd2a623eaffeQYHs85Ng42JrtO').map(([number, prompt, reply]) => [
        number,
        prompt,
        reply,
      ]),
      [
        [1, '"Make the greeting friendlier"', 'Done.'],
        [2, '"second turn: say goodbye"', 'Second turn done.'],
      ],
    );
    assert.deepEqual(counts(await world.app.history.importSessions({})), [
      ['opencode', 0, 0, true, null],
    ]);
    fs.writeFileSync(file, 'no database');
    const [broken] = (await world.app.history.importSessions({})).files;
    assert.match(broken?.problem ?? '', /not a database/);
  });

  it('all of them, by themselves; one alone, by its place or its name', async () => {
    using world = new HistoryWorld();
    for (const { agent, place } of real) put(world, `${agent}.jsonl`, place);
    const one = await world.app.history.importSessions({ agent: 'codex' });
    assert.deepEqual(counts(one), [['codex', 2, 0, false, null]]);
    const copy = path.join(world.folder, 'elsewhere', 'some-name.jsonl');
    fs.mkdirSync(path.dirname(copy));
    fs.copyFileSync(path.join(fixtures, 'gemini.jsonl'), copy);
    fs.writeFileSync(path.join(world.folder, 'elsewhere', 'other.json'), '{"a":1}');
    const given = await world.app.history.importSessions({ path: path.dirname(copy) });
    assert.deepEqual(counts(given), [['gemini', 2, 0, false, null]]);
    const all = await world.app.history.importSessions({});
    assert.deepEqual(
      counts(all)
        .map(([agent, added, , isUnchanged]) => [agent, added, isUnchanged])
        .sort(),
      [
        ['claude', 2, false],
        ['codex', 0, true],
        ['copilot', 2, false],
        ['gemini', 0, false],
      ],
    );
    await assert.rejects(world.app.history.importSessions({ path: '/no/such' }), {
      code: 'notFound',
    });
    await assert.rejects(world.app.history.importSessions({ agent: 'nobody' }), { code: 'usage' });
  });

  it('files of their turns, as far as they are in the project', async () => {
    using world = new HistoryWorld();
    const transcript = new ClaudeTranscript(world, 'S');
    transcript.prompt('Edit', 'p1');
    transcript.tool('Edit', { file_path: `${world.root}/src/a.js` }, 'ok');
    const lines = fs.readFileSync(transcript.file, 'utf8').trimEnd().split('\n');
    const last = JSON.parse(lines.pop() ?? '');
    for (const filePath of [`${world.root}/src/a.js`, '/etc/passwd', `${world.root}/../x`])
      lines.push(
        JSON.stringify({
          ...last,
          toolUseResult: {
            filePath,
            originalFile: 'a\n',
            structuredPatch: [{ lines: ['-a', '+b', '+c'] }],
          },
        }),
      );
    fs.writeFileSync(transcript.file, `${lines.join('\n')}\n`);
    await world.app.history.importSessions({});
    assert.deepEqual(
      world.app
        .turns(id('S'))[0]
        ?.files.map(({ path: file, change, added, removed }) => [file, change, added, removed]),
      [['src/a.js', 'modified', 2, 1]],
    );
    assert.deepEqual(
      world.app.history
        .search({ file: 'src/a.js' })
        .map(({ node }) => node.role)
        .sort(),
      ['tool', 'user'],
    );
  });
});

describe('read on', () => {
  it('only what is new, and a turn that grew', async () => {
    using world = new HistoryWorld();
    const transcript = new ClaudeTranscript(world, 'S');
    transcript.turn('one', 'p1');
    transcript.prompt('two', 'p2');
    await world.app.history.importSessions({});
    assert.deepEqual(
      turnsOf(world, 'S').map((turn) => turn[2]),
      ['Reply to one', null],
    );
    transcript.tool('Edit', {}, 'ok');
    transcript.reply('Two.');
    transcript.turn('three', 'p3');
    assert.deepEqual(counts(await world.app.history.importSessions({})), [
      ['claude', 1, 1, false, null],
    ]);
    assert.deepEqual(turnsOf(world, 'S'), [
      [1, 'one', 'Reply to one', 'Read 1', 'stop'],
      [2, 'two', 'Two.', 'Edit 1', 'stop'],
      [3, 'three', 'Reply to three', 'Read 1', 'stop'],
    ]);
    await world.app.history.syncMirrors({ check: true });
    assert.equal(world.app.history.mirrorState(id('S')).behind, 0);
  });

  it('a file that was replaced is read anew', async () => {
    using world = new HistoryWorld();
    const transcript = new ClaudeTranscript(world, 'S');
    transcript.turn('one', 'p1');
    await world.app.history.importSessions({});
    fs.rmSync(transcript.file);
    const other = new ClaudeTranscript(world, 'S');
    other.turn('one', 'p1');
    other.turn('two', 'p2');
    assert.deepEqual(counts(await world.app.history.importSessions({})), [
      ['claude', 1, 0, false, null],
    ]);
  });

  it('cancelled, it goes on the next time', async () => {
    using world = new HistoryWorld();
    const transcript = new ClaudeTranscript(world, 'S');
    const text = 'x'.repeat(300_000);
    for (let i = 0; i < 40; i++) transcript.turn(`turn ${i}`, `p${i}`, text);
    const abort = new AbortController();
    const report = await world.app.history.importSessions({
      signal: abort.signal,
      progress: () => abort.abort(),
    });
    assert.equal(report.wasCancelled, true);
    assert.match(report.files[0]?.problem ?? '', /Cancelled/);
    assert.equal((await world.app.history.importSessions({})).files[0]?.problem, null);
    assert.deepEqual(
      turnsOf(world, 'S').map(([number, prompt]) => [number, prompt]),
      Array.from({ length: 40 }, (_, i) => [i + 1, `turn ${i}`]),
    );
  });
});

describe('what cannot be read is told, file by file', () => {
  it('lines that are no JSON; the others count', async () => {
    using world = new HistoryWorld();
    const transcript = new ClaudeTranscript(world, 'S');
    transcript.turn('one', 'p1');
    fs.appendFileSync(transcript.file, 'nonsense\n[1]\n');
    transcript.turn('two', 'p2');
    fs.appendFileSync(transcript.file, '{"half');
    const [file] = (await world.app.history.importSessions({})).files;
    assert.deepEqual(
      [file?.added, file?.unreadable, file?.problem],
      [2, 2, '2 of its lines could not be read.'],
    );
  });

  it('an empty file, a binary one, one without a session', async () => {
    using world = new HistoryWorld();
    const at = (name: string) => path.join(world.userHome, '.claude', 'projects', '-repo', name);
    fs.mkdirSync(path.dirname(at('x')), { recursive: true });
    fs.writeFileSync(at('empty.jsonl'), '');
    fs.writeFileSync(at('binary.jsonl'), Buffer.alloc(5000, 0xfe));
    fs.writeFileSync(at('strange.jsonl'), '{"type":"user","message":{"content":"hi"}}\n');
    const { files } = await world.app.history.importSessions({});
    assert.equal(files.length, 3);
    for (const file of files) assert.match(file.problem ?? '', /does not say which session/);
    assert.deepEqual(world.app.sessions(world.root), []);
  });

  it('a folder that is gone by now keeps its name', async () => {
    using world = new HistoryWorld();
    const transcript = new ClaudeTranscript(world, 'S', '/gone/project');
    transcript.turn('one', 'p1');
    await world.app.history.importSessions({});
    assert.equal(
      world.app.history.search({ text: 'one' })[0]?.root,
      path.normalize('/gone/project'),
    );
  });
});

test('killed at any step, the next import makes it whole', async () => {
  using world = new HistoryWorld();
  const transcript = new ClaudeTranscript(world, 'S');
  for (let i = 0; i < 250; i++) transcript.turn(`turn ${i}`, `p${i}`);
  await world.app.history.importSessions({});
  const whole = world.sql('SELECT id, content, predecessor, caller FROM nodes ORDER BY seq');
  // As after the first of its transactions: no note of how far it came.
  world.run(`DELETE FROM node_words; DELETE FROM nodes WHERE seq > 300; DELETE FROM outbox;
    DELETE FROM tool_calls; DELETE FROM transcript_turns WHERE turn NOT IN (SELECT turn FROM nodes);
    DELETE FROM turns WHERE id NOT IN (SELECT turn FROM nodes); DELETE FROM transcripts`);
  const [file] = (await world.app.history.importSessions({})).files;
  assert.equal(file?.added, 150);
  assert.deepEqual(
    world.sql('SELECT id, content, predecessor, caller FROM nodes ORDER BY seq'),
    whole,
  );
});
