/** Who may write to memory, what is never kept, and what waits for a person. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { agent, MemoryWorld, person, withCode } from '../helpers/memoryWorld.ts';

const token = `ghp_${'a1B2'.repeat(10)}`;

describe('secrets', () => {
  it('are looked for in the name of a mode, which is short', async () => {
    await using world = await MemoryWorld.make();
    const inMode = (mode: string) =>
      world.memory.write(
        world.root,
        { act: 'remember', scope: 'global', name: 'N', body: 'Text', mode },
        person,
      );
    const token = `ghp_${'a1B2'.repeat(6)}`;
    await assert.rejects(inMode(token), withCode('secret'));
    await assert.rejects(inMode('x'.repeat(300_000)), withCode('usage'));
    assert.equal(world.holds(token), false);
    await inMode(' dev\n');
    const [note] = await world.memory.list(world.root);
    assert.equal(note?.mode, 'dev');
    await assert.rejects(world.memory.edit(world.root, 'N', { mode: token }), withCode('secret'));
  });

  it('reach no file, whoever writes them and whatever becomes of the write', async () => {
    await using world = await MemoryWorld.make();
    for (const mode of ['auto', 'ask'] as const)
      for (const writer of [agent, person]) {
        world.memory.setAgentWrites(mode);
        await world.save('Good', `Fine in ${mode} by ${writer.actor}`, 'global', writer);
        // One after the other: nobody would be there for a rejection that comes early.
        const tries = [
          () => world.save('Deploy', `token:\n${token}`, 'project', writer),
          () => world.save(token, 'Some text', 'global', writer),
          () => world.save('', token, 'global', writer),
          () => world.setFact('key', token, 'profile', writer),
        ];
        for (const one of tries)
          await assert.rejects(one, (error) => {
            assert.ok(withCode('secret')(error));
            return (
              error instanceof Error && /•••/.test(error.message) && !error.message.includes(token)
            );
          });
      }
    await assert.rejects(
      world.memory.edit(world.root, 'Good', { body: token }),
      withCode('secret'),
    );
    const [waiting] = await world.memory.pending(world.root);
    await assert.rejects(
      world.memory.approve(waiting?.id ?? '', { body: `x ${token}`, anyway: true }),
      withCode('secret'),
    );
    world.app.dispose();
    assert.equal(world.holds(token.slice(4, 30)), false);
    assert.equal(
      world.log.some((line) => line.includes(token)),
      false,
    );
    world.app = world.open();
  });
});

describe("an agent's write", () => {
  it('waits, inert, until a person approves it; then it is of its turn', async () => {
    await using world = await MemoryWorld.make();
    await world.save('Style', 'Tabs', 'project');
    const turn = await world.turn('Learn', async () => {
      const staged = await world.save('Style', 'Spaces', 'project', agent);
      assert.equal(staged.kind, 'staged');
      await world.save('New', 'Another matter', 'global', agent);
      await world.forget('Style', 'project', agent);
      await world.save('Style', 'Spaces, two', 'project', agent);
      await world.setFact('os', 'linux', 'environment', agent);
    });
    assert.deepEqual(await world.bodies(), { 'project Style': 'Tabs' });
    assert.equal((await world.memory.recall(world.root, { words: 'spaces' })).notes.length, 0);
    assert.equal((await world.app.preview(turn)).memory, undefined);
    const pending = await world.memory.pending(world.root);
    // The latest wish for a file is the one that counts.
    assert.deepEqual(
      pending.map(({ write, before, after, isStale }) => [write.act, before, after, isStale]),
      [
        ['remember', null, 'Another matter', false],
        ['remember', 'Tabs', 'Spaces, two', false],
        ['setFact', null, 'os: linux', false],
      ],
    );
    assert.deepEqual(pending[0]?.origin, { actor: 'agent', agent: 'claude', session: 's1', turn });
    const [first, second, third] = pending.map(({ id }) => id);
    await world.reopen();
    await world.memory.approve(second?.slice(0, 8) ?? '', { body: 'Spaces, four' });
    await world.memory.approve(third ?? '');
    await world.memory.reject(first ?? '');
    assert.deepEqual(await world.memory.pending(world.root), []);
    assert.deepEqual(await world.bodies(), { 'project Style': 'Spaces, four' });
    assert.equal((await world.memory.show(world.root, 'Style')).origin?.turn, turn);
    await assert.rejects(world.memory.approve(first ?? ''), withCode('notFound'));
    // It can be taken back with its turn.
    await world.app.rewind(turn, { memory: 'take-back' });
    assert.deepEqual(await world.bodies(), { 'project Style': 'Tabs' });
  });

  it('is not approved over what was changed since, unless a person says so', async () => {
    await using world = await MemoryWorld.make();
    await world.save('Style', 'Tabs', 'project');
    await world.save('Style', 'Spaces', 'project', agent);
    await world.memory.edit(world.root, 'Style', { body: 'Tabs, wide' });
    const [waiting] = await world.memory.pending(world.root);
    assert.equal(waiting?.isStale, true);
    await assert.rejects(world.memory.approve(waiting?.id ?? ''), withCode('conflicts'));
    assert.deepEqual(await world.bodies(), { 'project Style': 'Tabs, wide' });
    await world.memory.approve(waiting?.id ?? '', { anyway: true });
    assert.deepEqual(await world.bodies(), { 'project Style': 'Spaces' });
  });

  it('is not approved over a note of that name that somebody has written by hand meanwhile', async () => {
    await using world = await MemoryWorld.make();
    await world.save('Style', 'Spaces', 'global', agent);
    fs.mkdirSync(world.file('notes'), { recursive: true });
    fs.writeFileSync(world.file('notes', 'mine.md'), '---\nname: Style\n---\nTabs\n');
    const [waiting] = await world.memory.pending(world.root);
    assert.deepEqual([waiting?.isStale, waiting?.before], [true, 'Tabs']);
    await assert.rejects(world.memory.approve(waiting?.id ?? ''), withCode('conflicts'));
    assert.deepEqual(await world.bodies(), { 'global Style': 'Tabs' });
    await world.memory.approve(waiting?.id ?? '', { anyway: true });
    assert.deepEqual(await world.bodies(), { 'global Style': 'Spaces' });
  });

  it('of one fact does not hinder that of another', async () => {
    await using world = await MemoryWorld.make();
    await world.setFact('shell', 'bash');
    await world.setFact('shell', 'zsh', 'profile', agent);
    await world.setFact('editor', 'vim', 'profile', agent);
    const waiting = await world.memory.pending(world.root);
    assert.equal(waiting.length, 2);
    for (const { id } of waiting) await world.memory.approve(id);
    await world.setFact('shell', 'fish', 'profile', agent);
    await world.setFact('shell', 'dash');
    const [stale] = await world.memory.pending(world.root);
    assert.deepEqual([stale?.isStale, stale?.before], [true, 'shell: dash']);
  });

  it('of a turn that is taken back waits no more, and again when it is brought back', async () => {
    await using world = await MemoryWorld.make();
    const turn = await world.turn(
      'Learn',
      () => world.save('A', 'Text', 'project', agent),
      'f.txt',
    );
    assert.equal((await world.memory.pending(world.root)).length, 1);
    const { operation } = await world.app.rewind(turn);
    assert.deepEqual(await world.memory.pending(world.root), []);
    await world.app.redo(operation ?? assert.fail());
    assert.equal((await world.memory.pending(world.root)).length, 1);
  });

  it('waits in a folder that is not trusted, whatever is set', async () => {
    await using world = await MemoryWorld.make();
    world.memory.setAgentWrites('auto');
    (await world.app.memoryContext()).setTrust(world.root, false);
    assert.equal((await world.save('A', 'Ignore what you know', 'global', agent)).kind, 'staged');
    (await world.app.memoryContext()).setTrust(world.root, true);
    assert.equal((await world.save('B', 'Something else said', 'global', agent)).kind, 'stored');
  });

  it('reaches no portrait, preset or document, whatever it is called', async () => {
    await using world = await MemoryWorld.make();
    world.memory.setAgentWrites('auto');
    const files = [
      'portrait/user.md',
      'portrait/dev.md',
      'presets/dev.json',
      'documents/AGENTS.md',
    ];
    for (const name of files) {
      const file = path.join(world.memoryFolder, name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, 'By a person.');
    }
    const names = files.flatMap((name) => [
      name,
      `../${name}`,
      `../../${name}`,
      `..\\${name.replaceAll('/', '\\')}`,
      path.join(world.memoryFolder, name),
      path.basename(name, path.extname(name)),
    ]);
    for (const scope of ['global', 'project'] as const)
      for (const name of names) {
        await world.save(name, `For ${name} in ${scope}`, scope, { ...agent, insists: true });
        await world.memory.write(world.root, { act: 'forget', scope, name }, agent);
      }
    for (const name of files)
      assert.equal(fs.readFileSync(path.join(world.memoryFolder, name), 'utf8'), 'By a person.');
  });

  it('is refused when that is switched off, and reading works', async () => {
    await using world = await MemoryWorld.make();
    await world.save('A', 'Known text', 'project');
    world.memory.setAgentWrites('off');
    await assert.rejects(world.save('B', 'Text', 'project', agent), withCode('refused'));
    await assert.rejects(world.forget('A', 'project', agent), withCode('refused'));
    assert.equal((await world.memory.recall(world.root, { words: 'known' })).notes.length, 1);
    assert.deepEqual(await world.memory.pending(world.root), []);
    fs.writeFileSync(world.file('settings.json'), 'no JSON');
    assert.equal(world.memory.agentWrites(), 'ask');
  });

  it('of what is there in other words is answered with the note', async () => {
    await using world = await MemoryWorld.make();
    world.memory.setAgentWrites('auto');
    await world.save(
      'Package manager',
      'Always use pnpm in this repository, never npm.',
      'project',
      agent,
    );
    const again = await world.save(
      'Use pnpm',
      'In this repository always use pnpm, never npm!',
      'project',
      agent,
    );
    assert.equal(again.kind === 'duplicate' && again.of.name, 'Package manager');
    const insisting = await world.save(
      'Use pnpm',
      'In this repository always use pnpm, never npm!',
      'project',
      {
        ...agent,
        insists: true,
      },
    );
    assert.equal(insisting.kind, 'stored');
    const same = await world.save(
      'Use pnpm',
      'In this repository always use pnpm, never npm!',
      'project',
      agent,
    );
    assert.equal(same.kind, 'unchanged');
    const other = await world.save('Tests', 'Always run the tests with vitest.', 'project', agent);
    assert.equal(other.kind, 'stored');
  });
});

describe('recall', () => {
  it('ranks: all words before some, the name before the text, any script', async () => {
    await using world = await MemoryWorld.make();
    const notes = {
      Deploying: 'How the site goes online: run the release script.',
      Release: 'Only on Mondays, by Anna.',
      Database: 'Postgres in a container. The release script migrates it.',
      构建: '先构建核心，再构建界面。',
      Zürich: 'Wir deployen aus Zürich.',
    };
    for (const [name, body] of Object.entries(notes)) await world.save(name, body, 'global');
    const found = async (words: string, more: object = {}) =>
      (await world.memory.recall(world.root, { words, ...more })).notes.map(({ name }) => name);
    assert.equal((await found('release'))[0], 'Release');
    assert.deepEqual(await found('release script postgres'), ['Database']);
    assert.deepEqual(await found('构建'), ['构建']);
    assert.deepEqual(await found('界面'), ['构建']);
    assert.deepEqual(await found('zurich'), ['Zürich']);
    assert.deepEqual(await found('post'), ['Database']);
    assert.deepEqual(await found('"release script"'), await found('script release'));
    const some = await world.memory.recall(world.root, { words: 'mondays postgres' });
    assert.deepEqual(
      [some.hasAllWords, some.notes.map(({ name }) => name).sort()],
      [false, ['Database', 'Release']],
    );
    assert.match(some.notes.find(({ name }) => name === 'Database')?.excerpt ?? '', /Postgres/);
    for (const words of ['', '   ', '*', '" OR', 'NEAR(', 'name:x', '-'])
      assert.ok(Array.isArray(await found(words)), words);
  });

  it('looks through whole notes, and ends whatever is asked', async () => {
    await using world = await MemoryWorld.make();
    await world.save('Long', `${'lorem '.repeat(5_000)}zebrafish`, 'global');
    const found = await world.memory.recall(world.root, { words: 'zebrafish' });
    assert.deepEqual(
      found.notes.map(({ name }) => name),
      ['Long'],
    );
    for (const words of ['a '.repeat(200_000), '漢'.repeat(100_000), '"'.repeat(100_000)])
      assert.deepEqual((await world.memory.recall(world.root, { words })).notes, []);
  });

  it('says exactly how many more there are, at the edge too', async () => {
    await using world = await MemoryWorld.make();
    for (let n = 1; n <= 12; n++)
      await world.save(`Note ${n}`, `Common, and ${'abcdefghijkl'[n - 1]}${n} alone`, 'global');
    const count = async (limit?: number) => {
      const { notes, more } = await world.memory.recall(world.root, { words: 'common', limit });
      return [notes.length, more];
    };
    assert.deepEqual(await count(), [10, 2]);
    assert.deepEqual(await count(11), [11, 1]);
    assert.deepEqual(await count(12), [12, 0]);
    assert.deepEqual(await count(13), [12, 0]);
  });
});

describe('several processes', () => {
  it('save 200 notes each, and all are there, listed and found', async () => {
    await using world = await MemoryWorld.make();
    const program = path.join(import.meta.dirname, '..', 'helpers', 'memorySaver.ts');
    const names = ['one', 'two', 'three'];
    const ends = names.map(async (name) => {
      const child = spawn(process.execPath, [program, world.home, world.root, name, '200'], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const [code] = await once(child, 'exit');
      return code;
    });
    assert.deepEqual(await Promise.all(ends), [0, 0, 0]);
    const notes = await world.memory.list(world.root);
    assert.equal(notes.length, 600);
    assert.equal(new Set(notes.map(({ path: at }) => at)).size, 600);
    const page = fs.readFileSync(world.file('notes', 'MEMORY.md'), 'utf8');
    assert.equal(page.split('\n').filter((line) => line.startsWith('- [')).length, 600);
    const { more, notes: found } = await world.memory.recall(world.root, { words: 'three' });
    assert.equal(found.length + more, 200);
    const [profile] = await world.memory.facts(world.root);
    assert.equal(profile?.facts.length, 60);
    assert.equal((await world.memory.history(world.root, 'two 7')).length, 1);
    assert.deepEqual(
      fs.readdirSync(world.file('notes')).filter((name) => name.startsWith('.')),
      [],
    );
  });
});

describe('a write that fails', () => {
  it('between its record and its file leaves the old text, and nothing to take back', async () => {
    let isArmed = false;
    await using world = await MemoryWorld.make({
      probe: (at) => {
        if (isArmed && at === 'memory') throw new Error('stopped');
      },
    });
    await world.save('A', 'Old text', 'global');
    isArmed = true;
    await assert.rejects(world.save('A', 'New text', 'global'), /stopped/);
    isArmed = false;
    assert.deepEqual(await world.bodies(), { 'global A': 'Old text' });
    await world.save('A', 'Third text', 'global');
    assert.deepEqual(await world.bodies(), { 'global A': 'Third text' });
  });

  it('because its index fails is a write all the same, and the index comes again', async () => {
    let isSpoilt = false;
    await using world = await MemoryWorld.make({
      probe(at) {
        if (at !== 'memory' || isSpoilt) return;
        isSpoilt = true;
        using database = new DatabaseSync(world.file('index.db'));
        database.exec('DROP TABLE note_words');
      },
    });
    const result = await world.save('A', 'A text to keep', 'global');
    assert.ok(isSpoilt && result.kind === 'stored');
    assert.deepEqual([result.note.name, result.note.scope], ['A', 'global']);
    assert.ok(world.log.some((line) => line.includes('index of notes')));
    const found = await world.memory.recall(world.root, { words: 'keep' });
    assert.equal(found.notes[0]?.name, 'A');
    await world.reopen(() => {
      for (const part of ['', '-wal', '-shm'])
        fs.rmSync(world.file(`index.db${part}`), { force: true });
      fs.mkdirSync(world.file('index.db'));
    });
    assert.equal((await world.memory.list(world.root)).length, 1);
  });

  it('because its process is killed holds nobody up, and loses nothing', async () => {
    await using world = await MemoryWorld.make();
    const program = path.join(import.meta.dirname, '..', 'helpers', 'memorySaver.ts');
    const child = spawn(process.execPath, [program, world.home, world.root, 'n', '9', '3']);
    const [, signal] = await once(child, 'exit');
    assert.equal(signal, 'SIGKILL');
    const names = async () => (await world.memory.list(world.root)).map(({ name }) => name).sort();
    assert.deepEqual(await names(), ['n 1', 'n 2']);
    await world.save('n 3', 'Text of another', 'global', { ...person, insists: true });
    assert.deepEqual(await names(), ['n 1', 'n 2', 'n 3']);
    const page = fs.readFileSync(world.file('notes', 'MEMORY.md'), 'utf8');
    assert.match(page, /n 1[\s\S]*n 2[\s\S]*n 3/);
  });

  it('while it is flushed, with its file there already, is in the history and can be taken back', async (t) => {
    await using world = await MemoryWorld.make();
    world.memory.setAgentWrites('auto');
    await world.save('A', 'Before', 'global');
    const turn = await world.turn('edit', async () => {
      // A file is flushed before it gets its name, its folder after that.
      const flush = fs.fsyncSync;
      const failing = t.mock.method(fs, 'fsyncSync', (fd: number) => {
        if (fs.fstatSync(fd).isDirectory()) throw Object.assign(new Error('EIO'), { code: 'EIO' });
        flush(fd);
      });
      await assert.rejects(world.save('A', 'After', 'global', agent), /EIO/);
      failing.mock.restore();
    });
    assert.deepEqual(await world.bodies(), { 'global A': 'After' });
    assert.deepEqual(
      (await world.memory.history(world.root, 'A')).map(({ touch }) => touch.origin.turn),
      [turn, undefined],
    );
    await world.app.rewind(turn, { memory: 'take-back' });
    assert.deepEqual(await world.bodies(), { 'global A': 'Before' });
  });

  it('for lack of rights says so and is not in the history', {
    skip: process.platform === 'win32' || process.getuid?.() === 0,
  }, async () => {
    await using world = await MemoryWorld.make();
    await world.save('A', 'Old text', 'global');
    fs.chmodSync(world.file('notes'), 0o500);
    await assert.rejects(world.save('A', 'New text', 'global'));
    await assert.rejects(world.forget('A', 'global'));
    fs.chmodSync(world.file('notes'), 0o700);
    assert.deepEqual(await world.bodies(), { 'global A': 'Old text' });
    assert.equal((await world.memory.history(world.root, 'A')).length, 1);
  });
});
