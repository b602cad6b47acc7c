/** Repositories and folders that few people have, and what becomes of agents' work in them. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { asSessionId, asTurnId, type Root } from '../../src/core/ids.ts';
import { ProjectWorld } from '../helpers/projectWorld.ts';

const posix = { skip: process.platform === 'win32' && 'no file can have this name' };

it('a revert is called as its commit is, in whatever encoding the user reads history', async () => {
  await using world = new ProjectWorld();
  world.git('config', 'i18n.logOutputEncoding', 'ISO-8859-1');
  await world.turn({ 'a.txt': 'A\n' }, { prompt: 'Größe ändern' });
  await world.app.rewind(asTurnId('s1#1'));
  await world.app.projects.revertCommits(world.root, [asTurnId('s1#1')]);
  assert.equal(
    world.git('log', '-1', '--encoding=UTF-8', '--format=%s').trim(),
    'Revert "[agent s1] turn 1: Größe ändern"',
  );
});

it('a folder with a line end in its name is committed in like any other', posix, async () => {
  await using world = new ProjectWorld();
  const folder = path.join(world.folder, 'two\nlines') as Root;
  fs.mkdirSync(folder);
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: folder, env: world.environment, encoding: 'utf8' });
  git('init', '-q', '-b', 'main');
  const { id } = world.app.projects.create({ workdir: folder });
  world.app.projects.change(id, { autoCommit: 'whenClean' });
  const recorder = world.app.recorder(folder, asSessionId('s2'), 'claude');
  const { turn } = recorder.begin('Do it');
  assert.equal(recorder.snapshot('n.txt').saved, true);
  fs.writeFileSync(path.join(folder, 'n.txt'), 'n\n');
  recorder.end('Done.');
  await world.app.idle();
  assert.equal(world.app.projects.commitOf(turn)?.state, 'committed');
  assert.equal(git('ls-tree', '-r', '--name-only', 'HEAD'), 'n.txt\n');
});

it('files that are committed with CR keep it, as git itself would have it', async () => {
  const files = {
    'a.txt': 'a\r\nb\r\n',
    'mixed.txt': 'a\r\nb\n',
    'lf.txt': 'a\n',
    'auto.md': 'a\r\n',
    '.gitattributes': 'auto.md text=auto\n',
  };
  for (const autocrlf of ['input', 'true', 'false']) {
    await using world = new ProjectWorld({ files, mode: 'agentPathsOnly' });
    world.git('config', 'core.autocrlf', autocrlf);
    const edits = Object.fromEntries(
      Object.entries(files).map(([name, text]) => [name, `${text}more\r\n`]),
    );
    const { '.gitattributes': _attributes, ...changed } = edits;
    const result = await world.turn({ ...changed, 'new.txt': 'n\r\n' });
    assert.deepEqual([result?.state, result?.leftOut], ['committed', []], autocrlf);
    const blobs = ['a.txt', 'mixed.txt', 'lf.txt', 'auto.md', 'new.txt'].map((name) =>
      world.git('cat-file', 'blob', `HEAD:${name}`),
    );
    world.git('reset', '-q', 'HEAD~1');
    world.git('add', '-A');
    assert.deepEqual(
      blobs,
      ['a.txt', 'mixed.txt', 'lf.txt', 'auto.md', 'new.txt'].map((name) =>
        world.git('cat-file', 'blob', `:${name}`),
      ),
      autocrlf,
    );
  }
});

it('without its folder a project says so, and nothing else of it is lost', async () => {
  await using world = new ProjectWorld();
  await world.turn({ 'a.txt': 'A\n' });
  fs.rmSync(world.root, { recursive: true });
  const { projects } = world.app;
  assert.deepEqual(
    projects.list().map(({ isMissing, sessions }) => [isMissing, sessions.length]),
    [[true, 1]],
  );
  const isGone = { code: 'notFound', message: `There is no folder ${world.root}.` };
  await assert.rejects(projects.revertCommits(world.root, [asTurnId('s1#1')]), isGone);
  assert.throws(() => projects.initRepository(world.project), isGone);
  assert.equal(projects.hasRepository(world.root), false);
  assert.equal(projects.commits(world.project).length, 1);
});

it('a name that nobody sees is none, and none is longer than a line', async () => {
  await using world = new ProjectWorld();
  const named = (name: string) => world.app.projects.change(world.project, { name }).name;
  for (const name of ['\u200b', '\u2060 \u200d', '\u202e', '\0', ' \n '])
    assert.throws(() => named(name), { code: 'usage' });
  assert.equal(named(' A\u202eB\n\tC  '), 'A B C');
  assert.equal(named('👩‍👩‍👧 é 名前'), '👩‍👩‍👧 é 名前');
  assert.equal(named('x'.repeat(100_000)).length, 200);
});

it('hooks that stand in settings are not run', posix, async () => {
  const bin = fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-git-'));
  const ran = path.join(bin, 'ran');
  const real = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  // As a git does that knows them.
  const script = `#!/bin/sh
case " $* " in *" update-ref "* | *" update-index "*)
  [ "$('${real}' config --get hook.a=b.c.enabled)" = false ] || { echo >> '${ran}'; exit 1; } ;;
esac
exec '${real}' "$@"
`;
  fs.writeFileSync(path.join(bin, 'git'), script, { mode: 0o755 });
  const environment = { HOME: bin, PATH: `${bin}:${process.env['PATH']}` };
  try {
    await using world = new ProjectWorld({ app: { environment } });
    world.git('config', 'hook.a=b.c.event', 'reference-transaction');
    world.git('config', 'hook.a=b.c.command', 'false');
    assert.equal((await world.turn({ 'a.txt': 'A\n' }))?.state, 'committed');
    assert.equal(fs.existsSync(ran), false);
    assert.equal(world.status(), '');
  } finally {
    fs.rmSync(bin, { recursive: true });
  }
});

it('a mark of many megabytes, which a repository can bring, is none', async () => {
  await using world = new ProjectWorld();
  const other = path.join(world.folder, 'other');
  const mark = path.join(other, '.memcode', 'project.json');
  fs.mkdirSync(path.dirname(mark), { recursive: true });
  const kind = (more: string) => {
    fs.writeFileSync(mark, JSON.stringify({ format: 1, project: world.project, more }));
    return world.app.projects.of(other).kind;
  };
  assert.deepEqual([kind(''), kind('x'.repeat(5_000_000))], ['copy', 'none']);
});
