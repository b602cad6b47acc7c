/** Notes: how they are named, kept, found, shadowed, moved and forgotten. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { Root } from '../../src/core/ids.ts';
import { agent, MemoryWorld, person, withCode } from '../helpers/memoryWorld.ts';

describe('a note', () => {
  it('is a file with a head, private to its user, and found again by name and file', async () => {
    await using world = await MemoryWorld.make();
    const result = await world.save('Build order', 'First core, then base.\n\n', 'global');
    assert.equal(result.kind, 'stored');
    const file = world.file('notes', 'build-order.md');
    assert.equal(
      fs.readFileSync(file, 'utf8'),
      '---\nname: Build order\ncreated_at: 2026-03-01T10:00:01Z\nupdated_at: 2026-03-01T10:00:01Z\nsource:\n  actor: person\n---\n\nFirst core, then base.\n',
    );
    if (process.platform !== 'win32') {
      assert.equal(fs.statSync(file).mode & 0o777, 0o600);
      assert.equal(fs.statSync(path.dirname(file)).mode & 0o777, 0o700);
    }
    for (const name of ['Build order', 'build  ORDER', 'build-order', 'build-order.md'])
      assert.equal(
        (await world.memory.show(world.root, name)).body,
        'First core, then base.',
        name,
      );
    await assert.rejects(world.memory.show(world.root, 'build'), withCode('notFound'));
  });

  it('keeps any name, each in a file of its own that every system takes', async () => {
    await using world = await MemoryWorld.make();
    const names = [
      '构建顺序',
      '构建順序',
      '🚀',
      '🚀🚀',
      'CON',
      'con.md',
      'Memory',
      'MEMORY.md',
      'x'.repeat(300),
      `${'x'.repeat(299)}y`,
      '測'.repeat(300),
      'a/b',
      'a b',
      'a-b',
      '../../etc/passwd',
      'Müller',
      '  spaced  out ',
      'a "quoted": name # not a comment',
      '- [ ] list',
    ];
    for (const [at, name] of names.entries()) await world.save(name, `Text ${at} of it`, 'global');
    for (const [at, name] of names.entries())
      assert.equal((await world.memory.show(world.root, name)).body, `Text ${at} of it`, name);
    const files = fs.readdirSync(world.file('notes')).filter((name) => name !== 'MEMORY.md');
    assert.equal(files.length, names.length);
    assert.equal(new Set(files.map((name) => name.toLowerCase())).size, names.length);
    for (const name of files) {
      assert.ok(Buffer.byteLength(name) <= 200, name);
      assert.doesNotMatch(name, /[<>:"/\\|?*\s]/);
      assert.doesNotMatch(name, /^(con|memory)\.md$/i);
    }
    assert.deepEqual(
      (await world.memory.list(world.root)).map(({ name }) => name).sort(),
      names.map((name) => name.trim().replace(/\s+/g, ' ')).sort(),
    );
  });

  it('without a name is called by its first line', async () => {
    await using world = await MemoryWorld.make();
    await world.save('   ', '\n\n## Use pnpm here\n\nNot npm.');
    assert.deepEqual(Object.keys(await world.bodies()), ['project Use pnpm here']);
  });

  it('is refused without a text, with one too long, or with a name too long', async () => {
    await using world = await MemoryWorld.make();
    await assert.rejects(world.save('a', ' \n\n'), withCode('usage'));
    await assert.rejects(world.save('a', 'é'.repeat(20_000)), withCode('full'));
    await assert.rejects(world.save('a'.repeat(401), 'text'), withCode('full'));
    assert.equal(fs.existsSync(world.file('projects')), false);
    await assert.rejects(
      world.memory.write(null, { act: 'remember', scope: 'project', name: 'a', body: 'b' }, person),
      withCode('usage'),
    );
  });

  it('written by hand keeps what only its writer knows', async () => {
    await using world = await MemoryWorld.make();
    fs.mkdirSync(world.file('notes'), { recursive: true });
    const file = world.file('notes', 'By hand.md');
    const head =
      '\ufeff---\r\n# why\r\ntags: [b, a]\r\nType: feedback\r\nNAME: Deploy\r\ncreated_at: "2020-01-02T03:04:05Z"\r\n---\r\n';
    fs.writeFileSync(file, `${head}\r\nOld\r\n---\r\ntext\r\n`);
    const note = await world.memory.show(world.root, 'deploy');
    assert.deepEqual(
      [note.name, note.body, note.createdAt, note.origin],
      ['Deploy', 'Old\n---\ntext', Date.parse('2020-01-02T03:04:05Z'), null],
    );
    assert.equal((await world.memory.show(world.root, 'by hand')).name, 'Deploy');
    await world.save('Deploy', 'New\ntext', 'global');
    assert.equal(
      fs.readFileSync(file, 'utf8'),
      '\ufeff---\r\n# why\r\ntags: [b, a]\r\nType: feedback\r\nNAME: Deploy\r\ncreated_at: "2020-01-02T03:04:05Z"\r\nupdated_at: 2026-03-01T10:00:01Z\r\nsource:\r\n  actor: person\r\n---\r\n\r\nNew\r\ntext\r\n'.replace(
        'created_at: "2020-01-02T03:04:05Z"',
        'created_at: 2020-01-02T03:04:05Z',
      ),
    );
    assert.deepEqual(fs.readdirSync(world.file('notes')).sort(), ['By hand.md', 'MEMORY.md']);
    assert.equal((await world.forget('by hand', 'global')).kind, 'removed');
    assert.deepEqual(fs.readdirSync(world.file('notes')), ['MEMORY.md']);
  });

  it('whose head says it is of a turn can say nothing else with that', async () => {
    await using world = await MemoryWorld.make();
    fs.mkdirSync(world.file('notes'), { recursive: true });
    const source = '{actor: agent, agent: claude, turn: "t1\\nNow do as I say", session: "\\e[2J"}';
    fs.writeFileSync(world.file('notes', 'x.md'), `---\nsource: ${source}\nname: 7\n---\nText`);
    const { origin, name } = await world.memory.show(world.root, '7');
    assert.deepEqual([origin, name], [{ actor: 'agent', agent: 'claude' }, '7']);
  });

  it('that is large or speaks too freely may still be pinned by whoever wrote it', async () => {
    await using world = await MemoryWorld.make();
    fs.mkdirSync(world.file('notes'), { recursive: true });
    const body = `password: hunter2hunter2\n${'long '.repeat(10_000)}`.trimEnd();
    fs.writeFileSync(world.file('notes', 'mine.md'), body);
    const note = await world.memory.edit(world.root, 'mine', { pinned: true });
    assert.equal(note.pinned, true);
    assert.equal((await world.memory.show(world.root, 'mine')).body, body);
    await assert.rejects(
      world.memory.edit(world.root, 'mine', { body: `${body} more` }),
      withCode('full'),
    );
  });

  it('with a head that nobody understands is read by its file, and not written over', async () => {
    await using world = await MemoryWorld.make();
    fs.mkdirSync(world.file('notes'), { recursive: true });
    const file = world.file('notes', 'odd.md');
    const texts = ['---\na: [\n---\nBody', '---\n- a\n---\nBody', '---\na: b\nno end'];
    for (const text of texts.slice(0, 2)) {
      fs.writeFileSync(file, text);
      assert.equal((await world.memory.show(world.root, 'odd')).body, 'Body');
      await assert.rejects(world.save('odd', 'Other', 'global'), withCode('damaged'));
      assert.equal(fs.readFileSync(file, 'utf8'), text);
      assert.match(
        (await world.memory.problems(world.root))[0]?.text ?? '',
        /cannot be understood/,
      );
    }
    fs.writeFileSync(file, texts[2] ?? '');
    assert.equal((await world.memory.show(world.root, 'odd')).body, '---\na: b\nno end');
  });
});

describe('two scopes', () => {
  it('keep notes of one name apart, and agree on which is meant', async () => {
    await using world = await MemoryWorld.make();
    await world.save('Style', 'Tabs for all', 'global');
    await world.save('Style', 'Spaces for us', 'project');
    assert.deepEqual(await world.bodies(), {
      'project Style': 'Spaces for us',
      'global Style': 'Tabs for all',
    });
    const list = await world.memory.list(world.root);
    assert.deepEqual(
      list.map(({ scope, isShadowed }) => [scope, isShadowed]),
      [
        ['project', false],
        ['global', true],
      ],
    );
    assert.equal((await world.memory.show(world.root, 'style')).scope, 'project');
    const { notes, more } = await world.memory.recall(world.root, { words: 'style' });
    assert.deepEqual([notes.map(({ scope }) => scope), more], [['project'], 0]);
    const global = await world.memory.recall(world.root, { words: 'style', scope: 'global' });
    assert.deepEqual(
      global.notes.map(({ body }) => body),
      ['Tabs for all'],
    );
    assert.equal((await world.memory.show(null, 'style')).scope, 'global');
    assert.equal((await world.forget('style', 'project')).kind, 'removed');
    assert.deepEqual(await world.bodies(), { 'global Style': 'Tabs for all' });
    assert.deepEqual(await world.forget('style', 'project'), { kind: 'absent', name: 'style' });
  });

  it('show a note of a mode in this mode only', async () => {
    await using world = await MemoryWorld.make();
    const write = { act: 'remember', scope: 'global', body: 'Some text' } as const;
    await world.memory.write(world.root, { ...write, name: 'For dev', mode: 'dev' }, person);
    await world.memory.write(
      world.root,
      { ...write, name: 'For all' },
      { ...person, insists: true },
    );
    const names = async (mode?: string) =>
      (await world.memory.list(world.root, { mode })).map(({ name }) => name).sort();
    assert.deepEqual(await names('dev'), ['For all', 'For dev']);
    assert.deepEqual(await names('cowork'), ['For all']);
    assert.deepEqual(await names(), ['For all', 'For dev']);
    // A save that does not speak of modes leaves it.
    await world.save('For dev', 'Other text', 'global');
    assert.deepEqual(await names('cowork'), ['For all']);
  });

  it('take a note over with all it has, unless the name is there', async () => {
    await using world = await MemoryWorld.make();
    await world.save('Style', 'Tabs', 'project');
    await world.memory.edit(world.root, 'Style', { pinned: true });
    const { createdAt } = await world.memory.show(world.root, 'Style');
    const moved = await world.memory.move(world.root, 'Style', 'project', 'global');
    assert.deepEqual([moved.scope, moved.pinned, moved.createdAt], ['global', true, createdAt]);
    await world.save('Style', 'Spaces', 'project');
    await assert.rejects(
      world.memory.move(world.root, 'Style', 'project', 'global'),
      withCode('refused'),
    );
    assert.deepEqual(await world.bodies(), { 'project Style': 'Spaces', 'global Style': 'Tabs' });
  });

  it('are told apart for every folder, and one for all of a repository', async () => {
    await using world = await MemoryWorld.make();
    const folders = ['a-b/c', 'a/b-c', '构建/一', '构建/二'].map((name) => {
      const folder = path.join(world.folder, 'many', name);
      fs.mkdirSync(folder, { recursive: true });
      return folder as typeof world.root;
    });
    const write = { act: 'remember', scope: 'project', name: 'n' } as const;
    for (const [at, folder] of folders.entries())
      await world.memory.write(folder, { ...write, body: `Of ${at}` }, person);
    for (const [at, folder] of folders.entries())
      assert.equal((await world.memory.show(folder, 'n')).body, `Of ${at}`);
    const [gone, other] = folders;
    if (gone === undefined || other === undefined) throw new Error('There are four.');
    fs.rmSync(gone, { recursive: true });
    assert.deepEqual(await world.memory.orphans(), [gone]);
    await assert.rejects(world.memory.adopt(other, gone), withCode('refused'));
    await world.memory.adopt(world.root, gone);
    assert.equal((await world.memory.show(world.root, 'n')).body, 'Of 0');
    assert.equal((await world.memory.history(world.root, 'n')).length, 1);
    assert.deepEqual(await world.memory.orphans(), []);
  });
});

describe('the work trees of a repository', () => {
  it('is none of a folder that only says so', { skip: process.platform === 'win32' }, async () => {
    await using world = await MemoryWorld.make();
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        cwd: world.root,
      });
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'start');
    git('worktree', 'add', '-q', path.join(world.folder, 'second'));
    await world.save('Mine', 'Of this repository alone');
    const own = path.join(world.root, '.git');
    const claims: Readonly<Record<string, (dot: string) => void>> = {
      file: (dot) => fs.writeFileSync(dot, `gitdir: ${own}\n`),
      tree: (dot) => fs.writeFileSync(dot, `gitdir: ${own}/worktrees/second\n`),
      link: (dot) => fs.symlinkSync(own, dot),
      common: (dot) => {
        fs.mkdirSync(dot);
        fs.writeFileSync(path.join(dot, 'commondir'), `${own}\n`);
      },
    };
    for (const [name, claim] of Object.entries(claims)) {
      const folder = path.join(world.folder, name);
      fs.mkdirSync(folder);
      claim(path.join(folder, '.git'));
      assert.deepEqual(await world.memory.list(folder as Root), [], name);
    }
    const tree = path.join(world.folder, 'second') as Root;
    assert.equal((await world.memory.list(tree)).length, 1);
  });

  it('is a submodule’s own, and of no folder that claims to be it', async () => {
    await using world = await MemoryWorld.make();
    const module = path.join(world.root, '.git', 'modules', 'sub');
    const [sub, claims, bare] = ['work/sub', 'claims', 'bare'].map((name) => {
      fs.mkdirSync(path.join(world.folder, name), { recursive: true });
      return path.join(world.folder, name) as Root;
    });
    fs.mkdirSync(module, { recursive: true });
    fs.writeFileSync(
      path.join(module, 'config'),
      '[core]\n\tbare = false\n\tworktree = ../../../sub\n',
    );
    for (const folder of [sub, claims])
      fs.writeFileSync(path.join(folder!, '.git'), `gitdir: ${module}\n`);
    await world.memory.write(
      sub!,
      { act: 'remember', scope: 'project', name: 'Mine', body: 'Of the submodule' },
      person,
    );
    assert.deepEqual(await world.memory.list(claims!), []);
    // A folder of git's own that says nothing of whose it is.
    fs.writeFileSync(path.join(bare!, '.git'), `gitdir: ${claims}\n`);
    assert.deepEqual(await world.memory.list(bare!), []);
  });

  it('and its sub-folders share one memory', async () => {
    await using world = await MemoryWorld.make();
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-C', world.root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'start');
    const second = path.join(world.folder, 'second');
    git('worktree', 'add', '-q', second);
    fs.mkdirSync(path.join(second, 'deep', 'er'), { recursive: true });
    await world.save('Shared', 'Of the repository', 'project');
    for (const folder of [second, path.join(second, 'deep', 'er')]) {
      const root = world.app.rootOf(folder);
      assert.equal((await world.memory.show(root, 'Shared')).body, 'Of the repository');
    }
  });
});

describe('the page of notes', () => {
  it('is made of the files, and what people write around it stays', async () => {
    await using world = await MemoryWorld.make();
    const page = world.file('notes', 'MEMORY.md');
    await world.save('A [link](x) & <b>', '# Head\nText', 'global');
    const line = '- [A \\[link\\](x) \\& \\<b\\>](a-link-x-b.md): Head\n';
    const begin = '<!-- memcode notes: generated, do not edit between these lines -->\n';
    assert.equal(
      fs.readFileSync(page, 'utf8'),
      `# Notes\n\n${begin}${line}<!-- memcode notes: end -->\n`,
    );
    const mine = fs.readFileSync(page, 'utf8').replace('# Notes\n', '# Mine\n\nBefore\n');
    fs.writeFileSync(page, `${mine}After\n`);
    await world.forget('a-link-x-b', 'global');
    assert.equal(
      fs.readFileSync(page, 'utf8'),
      `# Mine\n\nBefore\n\n${begin}<!-- memcode notes: end -->\nAfter\n`,
    );
    fs.writeFileSync(page, 'Only mine\n');
    await world.save('B', 'Text', 'global');
    assert.match(
      fs.readFileSync(page, 'utf8'),
      /^Only mine\n\n<!-- .* -->\n- \[B\]\(b\.md\): Text\n/,
    );
    assert.deepEqual(Object.keys(await world.bodies()), ['global B']);
  });

  it('keeps what people wrote where they removed a line of its frame', async () => {
    await using world = await MemoryWorld.make();
    const page = world.file('notes', 'MEMORY.md');
    for (const removed of [/<!-- memcode notes: end -->\n/, /<!-- memcode notes: gen.*\n/]) {
      await world.save(`Note ${removed.source}`, 'Text', 'global');
      fs.writeFileSync(page, `${fs.readFileSync(page, 'utf8').replace(removed, '')}\nMine\n`);
      for (const name of ['B', 'C', 'D']) {
        await world.save(name, `Text of ${name} and ${removed.source}`, 'global');
        const text = fs.readFileSync(page, 'utf8');
        assert.match(text, /^Mine$/m, name);
        assert.ok(text.includes(`- [${name}](`), name);
      }
      const begins = fs.readFileSync(page, 'utf8').match(/^<!-- memcode notes: gen/gm);
      assert.ok((begins?.length ?? 0) <= 2, 'it does not grow with each save');
      fs.rmSync(page);
    }
  });

  it('follows thousands of notes', async () => {
    await using world = await MemoryWorld.make();
    fs.mkdirSync(world.file('notes'), { recursive: true });
    for (let n = 0; n < 2_000; n++)
      fs.writeFileSync(world.file('notes', `${n}-${'long-'.repeat(12)}.md`), 'word '.repeat(20));
    for (const name of ['One', 'Two']) await world.save(name, `Text of ${name}`, 'global');
    const text = fs.readFileSync(world.file('notes', 'MEMORY.md'), 'utf8');
    assert.equal(text.split('\n').filter((line) => line.startsWith('- [')).length, 2_002);
  });

  it('and the index of words come again when they are lost or damaged', async () => {
    await using world = await MemoryWorld.make();
    await world.save('One', 'A house by the sea', 'global');
    for (const spoil of [
      (file: string) => fs.rmSync(file),
      (file: string) => fs.writeFileSync(file, 'no database'),
    ]) {
      world.app.dispose();
      await new Promise((resolve) => setImmediate(resolve));
      for (const part of ['-wal', '-shm'])
        fs.rmSync(world.file(`index.db${part}`), { force: true });
      spoil(world.file('index.db'));
      fs.rmSync(world.file('notes', 'MEMORY.md'), { force: true });
      world.app = world.open();
      world.memory = await world.app.memory();
      assert.equal((await world.memory.recall(world.root, { words: 'sea' })).notes.length, 1);
    }
    await world.save('Two', 'Another text', 'global');
    assert.match(fs.readFileSync(world.file('notes', 'MEMORY.md'), 'utf8'), /One[\s\S]*Two/);
  });
});

describe('odd files among the notes', () => {
  it('are no notes, and named', { skip: process.platform === 'win32' }, async () => {
    await using world = await MemoryWorld.make();
    await world.save('good', 'A good text', 'global');
    const outside = path.join(world.folder, 'outside.md');
    fs.writeFileSync(outside, 'outside words');
    fs.symlinkSync(outside, world.file('notes', 'link.md'));
    fs.mkdirSync(world.file('notes', 'folder.md'));
    fs.writeFileSync(world.file('notes', 'huge.md'), 'x'.repeat(300 * 1024));
    fs.writeFileSync(world.file('notes', '.hidden.md'), 'hidden');
    execFileSync('mkfifo', [world.file('notes', 'fifo.md')]);
    assert.deepEqual(Object.keys(await world.bodies()), ['global good']);
    const problems = await world.memory.problems(world.root);
    assert.deepEqual(problems.map(({ path: at }) => at).sort(), [
      'notes/fifo.md',
      'notes/folder.md',
      'notes/huge.md',
      'notes/link.md',
    ]);
    const found = (await world.app.doctor(world.root)).filter(
      ({ severity }) => severity === 'problem',
    );
    assert.deepEqual(
      found.map(({ subject }) => subject),
      problems.map((one) => `memory: ${one.path}`),
    );
    // A new note of such a name does not go through the link.
    await world.save('link', 'My own text of that name', 'global');
    assert.equal(fs.readFileSync(outside, 'utf8'), 'outside words');
    assert.equal((await world.memory.show(world.root, 'link')).body, 'My own text of that name');
  });

  it('keep nobody from the rest: lists, doctor, what waits, memory as of a time', {
    skip: process.platform === 'win32',
  }, async () => {
    await using world = await MemoryWorld.make();
    await world.save('Kept', 'Text that is there', 'global');
    await world.save('Odd', 'Text that goes', 'global');
    await world.forget('Odd', 'global', agent);
    fs.rmSync(world.file('notes', 'odd.md'));
    fs.mkdirSync(world.file('facts'));
    for (const file of [world.file('facts', 'profile'), world.file('notes', 'odd.md')])
      fs.symlinkSync('/etc/hostname', file);
    const [profile] = await world.memory.facts(world.root);
    assert.match(profile?.problems[0]?.text ?? '', /is a link/);
    assert.deepEqual((await world.memory.problems(world.root)).map(({ path }) => path).sort(), [
      'facts/profile',
      'notes/odd.md',
    ]);
    const findings = await world.app.doctor(world.root);
    assert.ok(findings.some(({ subject }) => subject.includes('facts/profile')));
    const [waiting] = await world.memory.pending(world.root);
    assert.deepEqual([waiting?.isStale, waiting?.before], [true, null]);
    const then = await world.memory.asOf(world.root, world.time);
    assert.ok(then.notes.some(({ name }) => name === 'Kept'));
  });

  it('in the place of the folder of notes are none, and take nothing else with them', {
    skip: process.platform === 'win32',
  }, async () => {
    await using world = await MemoryWorld.make();
    await world.save('A', 'Text of mine', 'global');
    await world.setFact('shell', 'zsh');
    const context = await world.app.memoryContext();
    const outside = path.join(world.folder, 'outside');
    fs.renameSync(world.file('notes'), outside);
    for (const target of ['notes', outside]) {
      fs.symlinkSync(target, world.file('notes'));
      const { text } = context.show(world.root, 'claude').composed;
      assert.ok(text.includes('shell: zsh') && !text.includes('Text of mine'), target);
      assert.deepEqual(await world.memory.list(world.root), []);
      fs.rmSync(world.file('notes'));
    }
  });

  it('a linked folder is not written into', { skip: process.platform === 'win32' }, async () => {
    await using world = await MemoryWorld.make();
    const outside = path.join(world.folder, 'outside');
    fs.mkdirSync(outside);
    fs.mkdirSync(world.memoryFolder, { recursive: true });
    fs.symlinkSync(outside, world.file('notes'));
    await assert.rejects(world.save('a', 'Some text', 'global'), withCode('fileSystem'));
    assert.deepEqual(fs.readdirSync(outside), []);
    assert.deepEqual(await world.memory.history(world.root, 'a'), []);
  });
});
