/** Projects: made, changed, found again, forgotten; and which sessions are in them. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { isUserError } from '../../src/core/errors.ts';
import { asProjectId, asSessionId } from '../../src/core/ids.ts';
import { ProjectWorld } from '../helpers/projectWorld.ts';

const s1 = asSessionId('s1');

describe('a project', () => {
  it('is made with a name, changed, and forgotten without a trace in the folder', async () => {
    await using world = new ProjectWorld({ mode: 'off' });
    const { projects } = world.app;
    const folder = path.join(world.folder, 'other');
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, 'mine.txt'), 'mine\n');
    const made = projects.create({ workdir: folder, description: 'About' });
    assert.deepEqual([made.name, made.status, made.autoCommit], ['other', 'active', 'off']);
    assert.deepEqual(projects.find(made.id.slice(0, 8)), made);
    const changed = projects.change(made.id, {
      name: 'New\nname ',
      status: 'done',
      joinsByFolder: false,
    });
    assert.deepEqual(
      [changed.name, changed.status, changed.description, changed.joinsByFolder],
      ['New name', 'done', 'About', false],
    );
    assert.throws(
      () => projects.change(made.id, { name: ' \n' }),
      (e) => isUserError(e, 'usage'),
    );
    projects.remove(made.id);
    assert.deepEqual(fs.readdirSync(folder), ['mine.txt']);
    assert.throws(
      () => projects.get(made.id),
      (e) => isUserError(e, 'notFound'),
    );
    assert.throws(
      () => projects.get(asProjectId('none')),
      (e) => isUserError(e, 'notFound'),
    );
  });

  it('has its folder for itself', async () => {
    await using world = new ProjectWorld({ mode: 'off' });
    const { projects } = world.app;
    assert.throws(
      () => projects.create({ workdir: world.root }),
      (e) => isUserError(e, 'usage'),
    );
    assert.throws(
      () => projects.create({ workdir: path.join(world.folder, 'none') }),
      (e) => isUserError(e, 'notFound'),
    );
    const folder = path.join(world.folder, 'other');
    fs.mkdirSync(folder);
    const other = projects.create({ workdir: folder });
    assert.throws(
      () => projects.relocate(other.id, world.root),
      (e) => isUserError(e, 'usage'),
    );
    assert.equal(projects.get(other.id).workdir, folder);
    if (process.platform === 'linux') {
      fs.mkdirSync(path.join(world.folder, 'Other'));
      assert.notEqual(projects.create({ workdir: path.join(world.folder, 'Other') }).id, other.id);
    }
  });

  it('git does not show its mark, and what a repository brings under that name marks nothing', async () => {
    await using world = new ProjectWorld();
    assert.equal(world.status(), '');
    const folder = path.join(world.folder, 'other');
    fs.mkdirSync(path.join(folder, '.memcode'), { recursive: true });
    for (const text of ['{', 'null', '[]', '{"project":7}', '{"project":"unknown"}']) {
      fs.writeFileSync(path.join(folder, '.memcode', 'project.json'), text);
      assert.deepEqual(world.app.projects.of(folder), { kind: 'none' });
    }
    fs.rmSync(path.join(folder, '.memcode'), { recursive: true });
    fs.symlinkSync(world.home, path.join(folder, '.memcode'));
    const made = world.app.projects.create({ workdir: folder });
    assert.equal(fs.existsSync(path.join(world.home, 'project.json')), false);
    world.app.projects.remove(made.id);
  });
});

describe('a folder', () => {
  it('that was moved or renamed is found again with its sessions', async () => {
    await using world = new ProjectWorld();
    await world.turn({ 'a.txt': 'A\n' });
    const moved = path.join(world.folder, 'moved');
    fs.renameSync(world.root, moved);
    const { projects } = world.app;
    assert.equal(projects.get(world.project).isMissing, true);
    assert.deepEqual(projects.get(world.project).sessions, ['s1']);
    fs.mkdirSync(path.join(moved, 'deep'));
    const found = projects.of(path.join(moved, 'deep'));
    assert.deepEqual([found.kind, projects.get(world.project).workdir], ['project', moved]);
    assert.equal(projects.get(world.project).isMissing, false);
  });

  it('that is a copy is nobody’s, and one in whose place another is has to be asked about', async () => {
    await using world = new ProjectWorld();
    const { projects } = world.app;
    const copy = path.join(world.folder, 'copy');
    fs.cpSync(world.root, copy, { recursive: true });
    assert.equal(projects.of(copy).kind, 'copy');
    fs.rmSync(world.root, { recursive: true });
    fs.mkdirSync(world.root);
    assert.equal(projects.of(copy).kind, 'unsure');
    assert.equal(projects.get(world.project).workdir, world.root);
    assert.equal(projects.relocate(world.project, copy).workdir, copy);
    assert.equal(projects.of(copy).kind, 'project');
  });
});

describe('sessions', () => {
  it('join by their folder, those that were there from now on, and leave for good', async () => {
    await using world = new ProjectWorld({ mode: 'off' });
    const { projects } = world.app;
    projects.remove(world.project);
    await world.turn({ 'a.txt': 'A\n' });
    assert.deepEqual(projects.importable(), [
      { workdir: world.root, sessions: 1, isRepository: true },
    ]);
    const { id } = projects.create({ workdir: world.root });
    assert.deepEqual(projects.get(id).sessions, ['s1']);
    assert.deepEqual(projects.importable(), []);
    world.git('commit', '-qam', 'by hand');
    projects.change(id, { autoCommit: 'whenClean' });
    assert.equal((await world.turn({ 'a.txt': 'AA\n' }))?.state, 'committed');
    assert.equal((await world.turn({ 'b.txt': 'B\n' }, { session: 's2' }))?.state, 'committed');
    assert.deepEqual(projects.get(id).sessions, ['s1', 's2']);
    assert.deepEqual(
      world.app.sessions(world.root).map((session) => session.project),
      [id, id],
    );
    projects.detach(s1);
    assert.equal(await world.turn({ 'a.txt': 'AAA\n' }), undefined);
    assert.deepEqual(projects.get(id).sessions, ['s2']);
    projects.attach(id, s1);
    world.git('commit', '-qam', 'by hand');
    assert.equal((await world.turn({ 'a.txt': 'AAAA\n' }))?.state, 'committed');
    assert.throws(
      () => projects.attach(id, asSessionId('none')),
      (e) => isUserError(e, 'notFound'),
    );
  });

  it('join only by hand where that is wished, and are committed where the project is', async () => {
    await using world = new ProjectWorld();
    const { projects } = world.app;
    projects.change(world.project, { joinsByFolder: false });
    assert.equal(await world.turn({ 'a.txt': 'A\n' }), undefined);
    world.git('commit', '-qam', 'by hand');
    const elsewhere = path.join(world.folder, 'elsewhere');
    fs.mkdirSync(elsewhere);
    const other = projects.create({ workdir: elsewhere });
    projects.change(other.id, { autoCommit: 'whenClean' });
    projects.attach(other.id, s1);
    const result = await world.turn({ 'a.txt': 'AA\n' });
    assert.equal(result?.reason, 'outsideProject');
  });

  it('stay when the project goes, and go when what is kept of the folder is erased', async () => {
    await using world = new ProjectWorld();
    await world.turn({ 'a.txt': 'A\n' });
    await world.app.erase(world.root);
    assert.deepEqual(world.app.projects.get(world.project).sessions, []);
    assert.deepEqual(world.app.projects.commits(world.project), []);
    await world.turn({ 'a.txt': 'AA\n' });
    world.app.projects.remove(world.project);
    assert.equal(world.app.turns(s1).length, 1);
    assert.deepEqual(world.app.projects.list(), []);
  });
});
