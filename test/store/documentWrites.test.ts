/** What people write for agents through us: notes in documents, presets, trust. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { MemoryContextUse } from '../../src/app/memoryContextUse.ts';
import { openTimelineApp } from '../../src/app/openTimelineApp.ts';
import { isUserError } from '../../src/core/errors.ts';
import { documentTarget } from '../../src/memory/documentTargets.ts';
import { DocumentWorld } from '../helpers/documentWorld.ts';

const isPosix = process.platform !== 'win32';

/** A world with memory opened on it. */
class Writing extends DocumentWorld {
  readonly home = path.join(this.base, 'home');
  readonly #app = openTimelineApp({
    home: this.home,
    userHome: this.userHome,
    now: () => Date.UTC(2026, 0, 1),
    log: () => undefined,
  });

  memory(): Promise<MemoryContextUse> {
    return this.#app.memoryContext();
  }

  read(name: string): string {
    return fs.readFileSync(this.file(name), 'utf8');
  }

  override [Symbol.dispose](): void {
    this.#app.dispose();
    super[Symbol.dispose]();
  }
}

const fails = (code: Parameters<typeof isUserError>[1]) => (error: unknown) =>
  isUserError(error, code);

describe('the document for a note', () => {
  const targetOf = (world: DocumentWorld, scope: 'user' | 'local' | 'project') =>
    path.basename(
      documentTarget(scope, { folders: [world.root], userFolder: world.userFolder }).file,
    );

  it('is the first that is there, else the first name that is free', { skip: !isPosix }, () => {
    using world = new DocumentWorld();
    assert.deepEqual(
      (['user', 'local', 'project'] as const).map((scope) => targetOf(world, scope)),
      ['AGENTS.md', 'AGENTS.local.md', 'AGENTS.md'],
    );
    world.write('CLAUDE.md', '');
    world.write('CLAUDE.local.md', 'x');
    assert.deepEqual(
      [targetOf(world, 'project'), targetOf(world, 'local')],
      ['CLAUDE.md', 'CLAUDE.local.md'],
    );
    fs.rmSync(world.file('CLAUDE.md'));
    fs.mkdirSync(world.file('AGENTS.md'));
    assert.equal(targetOf(world, 'project'), 'CLAUDE.md');
    world.link('CLAUDE.md', 'nowhere');
    assert.equal(targetOf(world, 'project'), 'fairpeer.md');
    fs.mkdirSync(world.file('fairpeer.md'));
    assert.throws(() => targetOf(world, 'project'), fails('fileSystem'));
    const none = { folders: [], userFolder: world.userFolder };
    assert.throws(() => documentTarget('local', none), fails('notFound'));
  });
});

describe('a note to a document', () => {
  it('goes where it is said, with what was there kept', async () => {
    using world = new Writing({ 'AGENTS.md': '# A\r\n@more.md\r\n' });
    const memory = await world.memory();
    const { file, label, isNew } = await memory.addNote(world.root, 'local', 'Mine.');
    assert.deepEqual(
      [file, label, isNew],
      [world.file('AGENTS.local.md'), 'AGENTS.local.md', true],
    );
    assert.equal(world.read('AGENTS.md'), '# A\r\n@more.md\r\n');
    await memory.addNote(world.root, 'project', 'Ours.');
    assert.equal(world.read('AGENTS.md'), '# A\r\n@more.md\r\n\r\n## Notes\r\n\r\n- Ours.\r\n');
    const user = await memory.addNote(null, 'user', 'Everywhere.');
    assert.match(fs.readFileSync(user.file, 'utf8'), /- Everywhere\.\n$/);
    if (isPosix) assert.equal(fs.statSync(user.file).mode & 0o777, 0o600);
    assert.deepEqual(
      memory.documents(world.root).documents.map(({ scope }) => scope),
      ['user', 'project', 'local'],
    );
  });

  it('is refused when it is empty or holds a secret, and where nobody trusts the folder', async () => {
    using world = new Writing();
    const memory = await world.memory();
    await assert.rejects(memory.addNote(world.root, 'local', ' \n '), fails('usage'));
    const secret = `the key is sk-${'a1'.repeat(20)}`;
    await assert.rejects(memory.addNote(world.root, 'local', secret), fails('secret'));
    memory.setTrust(world.root, false);
    await assert.rejects(memory.addNote(world.root, 'local', 'x'), fails('refused'));
    assert.equal(memory.trust(world.root), false);
    assert.equal(memory.documents(world.root).isTrusted, false);
    assert.deepEqual(fs.readdirSync(world.root), ['.git']);
    await memory.addNote(world.root, 'user', 'x');
  });

  it('never goes through a link out of the folder, into what cannot be read or what has other names', {
    skip: !isPosix,
  }, async () => {
    using world = new Writing({ 'outside/a.md': 'theirs\n' });
    const memory = await world.memory();
    world.link('AGENTS.md', world.file('outside/a.md'));
    await assert.rejects(memory.addNote(world.root, 'project', 'x'), fails('outsideRoot'));
    assert.equal(world.read('outside/a.md'), 'theirs\n');
    fs.writeFileSync(world.file('AGENTS.local.md'), Buffer.from([0x23, 0xff, 0xfe, 0x0a]));
    await assert.rejects(memory.addNote(world.root, 'local', 'x'), fails('fileSystem'));
    assert.equal(fs.readFileSync(world.file('AGENTS.local.md')).length, 4);
    fs.rmSync(world.file('AGENTS.local.md'));
    world.write('other.md', 'x\n');
    fs.linkSync(world.file('other.md'), world.file('AGENTS.local.md'));
    await assert.rejects(memory.addNote(world.root, 'local', 'x'), fails('fileSystem'));
    assert.equal(world.read('other.md'), 'x\n');
  });

  it('keeps the mode of the file, and a link that stays inside', { skip: !isPosix }, async () => {
    using world = new Writing({ 'docs/rules.md': '# A\n' });
    world.link('AGENTS.md', 'docs/rules.md');
    fs.chmodSync(world.file('docs/rules.md'), 0o664);
    const memory = await world.memory();
    await memory.addNote(world.root, 'project', 'x');
    assert.ok(fs.lstatSync(world.file('AGENTS.md')).isSymbolicLink());
    assert.equal(world.read('docs/rules.md'), '# A\n\n## Notes\n\n- x\n');
    assert.equal(fs.statSync(world.file('docs/rules.md')).mode & 0o777, 0o664);
  });
});

describe('a document that is saved', () => {
  it('is shown raw, and written only over what was seen', async () => {
    using world = new Writing({ 'AGENTS.md': '@more.md\n', 'more.md': 'more' });
    const memory = await world.memory();
    const file = world.file('AGENTS.md');
    assert.equal(memory.raw(world.root, file), '@more.md\n');
    await memory.save(world.root, file, '@more.md\n', '@more.md\nx\n');
    assert.equal(world.read('AGENTS.md'), '@more.md\nx\n');
    await assert.rejects(memory.save(world.root, file, '@more.md\n', 'y'), fails('conflicts'));
    assert.equal(world.read('AGENTS.md'), '@more.md\nx\n');
    await memory.save(world.root, world.file('CLAUDE.md'), undefined, 'new\n');
    assert.equal(world.read('CLAUDE.md'), 'new\n');
  });

  it('is one of the folder’s documents', async () => {
    using world = new Writing({ 'more.md': 'more', 'a/AGENTS.md': 'a' });
    const memory = await world.memory();
    for (const name of [
      'more.md',
      '.git/config',
      '../x.md',
      'a/AGENTS.md',
      'other/../../AGENTS.md',
    ]) {
      const file = world.file(name);
      await assert.rejects(
        memory.save(world.root, file, undefined, 'x'),
        fails('outsideRoot'),
        name,
      );
      assert.throws(() => memory.raw(world.root, file), fails('outsideRoot'), name);
    }
    assert.equal(world.read('more.md'), 'more');
  });
});

describe('presets', () => {
  it('are a file of their own once a person changes something', async () => {
    using world = new Writing();
    const memory = await world.memory();
    const file = path.join(world.home, 'memory/presets/dev.json');
    assert.equal(memory.presets().set.active, 'none');
    assert.equal(fs.existsSync(file), false);
    await memory.editPresets({ act: 'use', preset: 'dev-sketch' });
    assert.match(memory.show(world.root).composed.text, /name="Quick sketch" role="instructions"/);
    assert.equal(memory.presets('cowork').set.active, 'none');
    assert.equal(JSON.parse(fs.readFileSync(file, 'utf8')).active, 'dev-sketch');
    if (isPosix) assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  });

  it('that cannot be read are kept aside before anything is written', async () => {
    using world = new Writing();
    const memory = await world.memory();
    const file = path.join(world.home, 'memory/presets/dev.json');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, '{ broken');
    assert.match(memory.presets().problem?.text ?? '', /cannot be used/);
    assert.equal(fs.readFileSync(file, 'utf8'), '{ broken');
    assert.equal(
      (await memory.editPresets({ act: 'use', preset: 'dev-sketch' })).problem,
      undefined,
    );
    assert.equal(fs.readFileSync(`${file}.broken-1`, 'utf8'), '{ broken');
  });
});

describe('portraits', () => {
  it('are given in their order, as they are written, each in its mode', async () => {
    using world = new Writing();
    const memory = await world.memory();
    const folder = path.join(world.home, 'memory/portrait');
    fs.mkdirSync(folder, { recursive: true });
    for (const name of ['user', 'memory', 'dev', 'cowork'])
      fs.writeFileSync(path.join(folder, `${name}.md`), `of ${name}\n@a.md\n`);
    const given = () => memory.show(world.root).composed.text.match(/^of \w+\n@a\.md$/gm);
    assert.deepEqual(given(), ['of user\n@a.md', 'of memory\n@a.md', 'of dev\n@a.md']);
    memory.setSettings({ mode: 'cowork' });
    assert.deepEqual(given(), ['of user\n@a.md', 'of memory\n@a.md', 'of cowork\n@a.md']);
    assert.equal(memory.portraitFile(), path.join(folder, 'cowork.md'));
  });
});

describe('what agents see', () => {
  it('is the same for equal files in two places, and follows each change', async () => {
    const files = { 'AGENTS.md': 'a\n@b.md', 'b.md': 'b', 'docs/AGENTS.md': 'c' };
    using one = new Writing(files);
    using two = new Writing(files);
    const [first, second] = [await one.memory(), await two.memory()];
    const text = first.show(path.join(one.root, 'docs')).composed.text;
    assert.equal(second.show(path.join(two.root, 'docs')).composed.text, text);
    assert.match(text, /path="docs\/AGENTS\.md"/);
    one.write('b.md', 'changed');
    assert.match(first.show(path.join(one.root, 'docs')).composed.text, /changed/);
  });

  it('leaves out documents of folders when a person wants so, whatever is saved meanwhile', async () => {
    using world = new Writing({ 'AGENTS.md': 'shared' });
    const memory = await world.memory();
    memory.setSettings({ hasFolderDocuments: false });
    await memory.addNote(world.root, 'user', 'mine');
    await memory.addNote(world.root, 'local', 'local');
    assert.deepEqual(
      memory.documents(world.root).documents.map(({ scope }) => scope),
      ['user'],
    );
  });
});
