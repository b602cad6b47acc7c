/** Documents for agents: which are read, in which order, and what stands in the place of import lines. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { utf8Length } from '../../src/core/tokenEstimate.ts';
import { approveImport, withdrawImport } from '../../src/memory/importApprovals.ts';
import { importLimits } from '../../src/memory/imports.ts';
import { DocumentWorld } from '../helpers/documentWorld.ts';

const isPosix = process.platform !== 'win32';

describe('documents', () => {
  it('are read from the person and from the top of the repository down, personal ones in the folder itself only', () => {
    const names = ['AGENTS.md', 'CLAUDE.md', 'AGENTS.local.md', 'CLAUDE.local.md'];
    const files = ['', 'a/', 'a/b/'].flatMap((folder) =>
      names.map((name) => [`${folder}${name}`, `${folder}${name}`]),
    );
    using world = new DocumentWorld({
      ...Object.fromEntries(files),
      'user/store/documents/CLAUDE.md': 'mine',
      'user/store/documents/AGENTS.local.md': 'not this',
      'other/AGENTS.md': 'not this',
      'agents.md.md': 'not this',
    });
    assert.deepEqual(world.list('a/b'), [
      'user user/CLAUDE.md',
      'ancestor AGENTS.md',
      'ancestor CLAUDE.md',
      'ancestor a/AGENTS.md',
      'ancestor a/CLAUDE.md',
      'project a/b/AGENTS.md',
      'project a/b/CLAUDE.md',
      'local a/b/AGENTS.local.md',
      'local a/b/CLAUDE.local.md',
    ]);
    assert.deepEqual(
      world.load('a', ['RULES.md', 'AGENTS.md']).documents.map(({ label }) => label),
      ['AGENTS.md', 'a/AGENTS.md', 'a/AGENTS.local.md'],
    );
  });

  it('end at the nearest repository, be its .git a folder or a file; without one the folder alone counts', () => {
    using world = new DocumentWorld({
      'AGENTS.md': 'outer',
      'sub/AGENTS.md': 'inner',
      'sub/x/AGENTS.md': 'x',
    });
    world.write('sub/.git', 'gitdir: elsewhere\n');
    assert.deepEqual(world.list('sub/x'), ['ancestor AGENTS.md', 'project x/AGENTS.md']);
    using plain = new DocumentWorld({ 'AGENTS.md': 'outer', 'sub/AGENTS.md': 'inner' }, false);
    assert.deepEqual(plain.list('sub'), ['project AGENTS.md']);
    assert.equal(plain.load('sub').documents[0]?.text, 'inner');
  });

  it('are each read once, whatever they are called', { skip: !isPosix }, () => {
    using world = new DocumentWorld({ 'AGENTS.md': 'one' });
    world.link('CLAUDE.md', 'AGENTS.md');
    fs.linkSync(world.file('AGENTS.md'), world.file('AGENTS.local.md'));
    const { documents, skipped } = world.load();
    assert.deepEqual(
      documents.map(({ label }) => label),
      ['AGENTS.md'],
    );
    assert.deepEqual(
      skipped.map(({ label, reason }) => `${label}: ${reason}`),
      [
        'CLAUDE.md: it is the same file as AGENTS.md',
        'AGENTS.local.md: it is the same file as AGENTS.md',
      ],
    );
  });

  it('are trimmed, without byte order marks and carriage returns; blank ones are none', () => {
    using world = new DocumentWorld({
      'AGENTS.md': '\uFEFF\r\n a\r\nb \r\n\r\n',
      'CLAUDE.md': ' \n\t\n',
    });
    const { documents, skipped } = world.load();
    assert.deepEqual([documents.map(({ text }) => text), skipped], [['a\nb'], []]);
  });

  it('that cannot be read are named and wait for nobody', { skip: !isPosix }, () => {
    using world = new DocumentWorld({ 'x.md': '' });
    world.pipe('AGENTS.md');
    fs.mkdirSync(world.file('CLAUDE.md'));
    world.link('AGENTS.local.md', 'nowhere.md');
    world.link('CLAUDE.local.md', '/dev/zero');
    const { documents, skipped } = world.load();
    assert.deepEqual(documents, []);
    assert.deepEqual(
      skipped.map(({ label, reason }) => `${label}: ${reason}`),
      [
        'AGENTS.md: it is a pipe',
        'CLAUDE.md: it is a folder',
        'AGENTS.local.md: the link leads nowhere',
        'CLAUDE.local.md: it is a device',
      ],
    );
    world.write('a/AGENTS.md', 'x'.repeat(300 * 1024));
    world.write('a/CLAUDE.md', 'a\0b');
    assert.deepEqual(
      world
        .load('a')
        .skipped.slice(-2)
        .map(({ reason }) => reason),
      ['it has 307200 bytes, more than 262144', 'it is no text'],
    );
  });

  it('that are links out of the repository are not read', { skip: !isPosix }, () => {
    using world = new DocumentWorld({ 'outside/secret.md': 'secret' });
    world.link('AGENTS.md', world.file('outside/secret.md'));
    const { documents, skipped } = world.load();
    assert.deepEqual(documents, []);
    assert.equal(skipped[0]?.real, world.file('outside/secret.md'));
    approveImport(world.places, world.file('outside/secret.md'));
    assert.equal(world.text(), 'secret');
  });

  it('of many folders within each other are read up to a size, and the rest is named', () => {
    const text = `${'word '.repeat(40_000)}\n`;
    using world = new DocumentWorld();
    for (const folder of ['', 'a', 'a/b', 'a/b/c'])
      world.write(`${folder}/AGENTS.md`, text + folder);
    const { documents, skipped } = world.load('a/b/c');
    assert.equal(documents.length, 2);
    assert.deepEqual(
      skipped.map(({ label, reason }) => [label, reason]),
      ['a/b/AGENTS.md', 'a/b/c/AGENTS.md'].map((label) => [
        label,
        'the documents before it are too large already',
      ]),
    );
  });
});

describe('imports', () => {
  it('are relative to the file they stand in, and may climb within the repository', () => {
    using world = new DocumentWorld({
      'AGENTS.md': 'top\n@docs/a.md\nend',
      'docs/a.md': 'a\n@../b.md\n@deep/c.md\n',
      'b.md': 'b',
      'docs/deep/c.md': 'c',
    });
    assert.equal(world.text(), 'top\na\nb\nc\nend');
    assert.equal(world.load().documents[0]?.hasImports, true);
  });

  it('keep the indentation of their line', () => {
    using world = new DocumentWorld({
      'AGENTS.md': '- x\n  @a.md\n- y',
      'a.md': 'one\r\n\r\ntwo\r\n',
    });
    assert.equal(world.text(), '- x\n  one\n\n  two\n- y');
  });

  it('that are missing or name the home of somebody else stay, with a remark', () => {
    using world = new DocumentWorld({ 'AGENTS.md': '@no.md\n@~bob/x.md\n@docs\n@docs/\n' });
    fs.mkdirSync(world.file('docs'));
    assert.equal(
      world.text(),
      [
        '@no.md <!-- not filled in: there is no such file -->',
        '@~bob/x.md <!-- not filled in: it names the home folder of somebody else -->',
        '@docs',
        '@docs/ <!-- not filled in: it is a folder -->',
      ].join('\n'),
    );
    assert.deepEqual(
      world.load().importProblems.map(({ label, line, kind }) => `${label} ${line} ${kind}`),
      ['AGENTS.md @no.md missing', 'AGENTS.md @~bob/x.md refused', 'AGENTS.md @docs/ refused'],
    );
  });

  it('go five files deep', () => {
    using world = new DocumentWorld({ 'AGENTS.md': '@1.md' });
    for (let n = 1; n <= 7; n++) world.write(`${n}.md`, `${n}\n@${n + 1}.md`);
    assert.equal(
      world.text(),
      '1\n2\n3\n4\n5\n@6.md <!-- not filled in: more than 5 files deep -->',
    );
  });

  it('end where a file would contain itself; the same file twice is no circle', () => {
    using world = new DocumentWorld({
      'AGENTS.md': 'top\n@a.md\n@b.md',
      'a.md': 'a\n@c.md\n@AGENTS.md',
      'b.md': 'b\n@c.md',
      'c.md': 'c',
    });
    const note = '<!-- not filled in: it would contain itself -->';
    assert.equal(world.text(), `top\na\nc\n@AGENTS.md ${note}\nb\nc`);
  });

  it('out of the repository are refused: absolute, climbing, by a home folder, by links', {
    skip: !isPosix,
  }, () => {
    using world = new DocumentWorld({
      'outside/x.md': 'secret',
      'user/x.md': 'secret',
      '.git/config': 'secret',
    });
    const outside = world.file('outside');
    world.write(
      'AGENTS.md',
      `@${outside}/x.md\n@../outside/x.md\n@~/x.md\n@link.md\n@folder/x.md\n@.git/config\n`,
    );
    world.link('link.md', path.join(outside, 'x.md'));
    world.link('folder', outside);
    const { importProblems } = world.load();
    assert.doesNotMatch(world.text() ?? '', /secret/);
    assert.deepEqual(
      importProblems.map(({ kind }) => kind),
      Array(6).fill('outside'),
    );
    assert.deepEqual(importProblems[3]?.real, path.join(outside, 'x.md'));
  });

  it('out of the repository are read once a person approves them, as long as they stay as they are', () => {
    using world = new DocumentWorld({ 'outside/x.md': 'one', 'AGENTS.md': '@../outside/x.md' });
    const file = world.file('outside/x.md');
    approveImport(world.places, file);
    assert.equal(world.text(), 'one');
    world.write('outside/x.md', 'two');
    assert.match(world.text() ?? '', /not approved/);
    approveImport(world.places, file);
    assert.equal(world.text(), 'two');
    const elsewhere = { ...world.places, project: 'q' };
    assert.throws(() => withdrawImport(elsewhere, file), /not approved/);
    withdrawImport(world.places, file);
    assert.match(world.text() ?? '', /not approved/);
  });

  it('of files that hold secrets wait for approval, wherever they lie', () => {
    const names = [
      ...['.env', '.env.local', 'config/secrets.yml', 'tls/server.key', 'infra/x.tfvars'],
      ...['.docker/config.json', '.kube/config', '.codex/auth.json', '.claude/.credentials.json'],
    ];
    using world = new DocumentWorld({
      'AGENTS.md': [...names, '.env.example', 'docs/secrets.md', '.ssh/key.pub']
        .map((name) => `@./${name}`)
        .join('\n'),
      ...Object.fromEntries(names.map((name) => [name, 'PIN=kept'])),
      '.env.example': 'PIN=',
      'docs/secrets.md': 'They are in the safe.',
      '.ssh/key.pub': 'ssh-ed25519',
    });
    assert.deepEqual(
      world.load().importProblems.map(({ kind, reason }) => [kind, reason]),
      names.map(() => ['outside', 'such files hold secrets, and it is not approved']),
    );
    assert.doesNotMatch(world.text() ?? '', /kept/);
    assert.match(world.text() ?? '', /PIN=\nThey are in the safe\.\nssh-ed25519$/);
    approveImport(world.places, world.file('.env'));
    assert.match(world.text() ?? '', /^PIN=kept\n/);
  });

  it('of a person’s own documents may be anywhere in their home', () => {
    using world = new DocumentWorld({
      'user/store/documents/AGENTS.md': '@~/notes/a.md\n@../../b.md',
      'user/notes/a.md': 'a',
      'user/b.md': 'b',
    });
    assert.equal(world.load().documents[0]?.text, 'a\nb');
  });

  it('in a file that a person’s documents import reach no further than its own repository', () => {
    using world = new DocumentWorld({
      'user/store/documents/AGENTS.md': '@~/code/sub/rules.md\n@~/loose.md\n@own.md',
      'user/store/documents/own.md': '@~/private.txt',
      'user/code/.git/HEAD': '',
      'user/code/sub/rules.md': 'rules\n@../top.md\n@~/private.txt\n@../../private.txt\n@link.md',
      'user/code/top.md': 'top\n@~/private.txt',
      'user/loose.md': 'loose\n@private.txt',
      'user/private.txt': 'mine',
    });
    world.link('user/code/sub/link.md', world.file('user/private.txt'));
    world.link('user/store/documents/CLAUDE.md', world.file('user/code/top.md'));
    const { documents, importProblems } = world.load();
    const [shared, linked] = documents.map(({ text }) => text.replaceAll(/ <!-- .*? -->/g, ''));
    assert.equal(
      shared,
      'rules\ntop\n@~/private.txt\n@~/private.txt\n@../../private.txt\n@link.md\nloose\n@private.txt\nmine',
    );
    assert.equal(linked, 'top\n@~/private.txt');
    assert.deepEqual(
      importProblems.map(({ kind, real }) => [kind, real]),
      importProblems.map(() => ['outside', world.file('user/private.txt')]),
    );
    assert.equal(importProblems.length, 6);
    approveImport(world.places, world.file('user/private.txt'));
    assert.deepEqual(world.load().importProblems, []);
  });

  it('never grow beyond what can be meant', () => {
    using world = new DocumentWorld({ 'AGENTS.md': '@1.md\n'.repeat(10) });
    for (let n = 1; n <= 4; n++) world.write(`${n}.md`, `@${n + 1}.md\n`.repeat(10));
    world.write('5.md', 'x'.repeat(2_000));
    const { documents, importProblems } = world.load();
    const text = documents[0]?.text ?? '';
    assert.ok(utf8Length(text) < importLimits.bytes + 100_000, String(text.length));
    assert.ok(importProblems.some(({ kind }) => kind === 'budget'));
    assert.match(text, /too large or too many/);
  });

  it('are looked for in so many places only, however many lines ask', () => {
    const lines = Array.from({ length: 15_000 }, (_, n) => `\`x\`\n\n@${n.toString(36)}/\n`);
    using world = new DocumentWorld({ 'AGENTS.md': lines.join('\n') });
    const { documents, importProblems, looked } = world.load();
    assert.ok(looked.length < importLimits.lookups + 100, String(looked.length));
    assert.equal(importProblems.length, importLimits.remarks);
    assert.ok((documents[0]?.text.length ?? 0) < lines.join('\n').length + 50_000);
  });

  it('that the system cannot open are told without paths of this machine', {
    skip: !isPosix,
  }, () => {
    using world = new DocumentWorld({ 'AGENTS.md': `@${'x'.repeat(5_000)}/a.md\n@loop.md` });
    world.link('loop.md', 'loop.md');
    const { documents, importProblems } = world.load();
    assert.deepEqual(
      importProblems.map(({ reason }) => reason),
      ['it cannot be read (ENAMETOOLONG)', 'it cannot be read (ELOOP)'],
    );
    assert.ok(!documents[0]?.text.includes(world.base));
  });

  it('of pipes, devices and folders are refused at once', { skip: !isPosix }, () => {
    using world = new DocumentWorld({ 'AGENTS.md': '@./pipe\n@link.md' });
    world.pipe('pipe');
    world.link('link.md', '/dev/zero');
    assert.deepEqual(
      world.load().importProblems.map(({ reason }) => reason),
      ['it is a pipe', 'it is a device'],
    );
  });
});
