/** What the page of a session's history shows and does, over a real store. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HistoryModel } from '../../src/extension/historyModel.ts';
import { HistoryWorld, id } from '../helpers/historyWorld.ts';
import { git } from '../helpers/mirrorGit.ts';
import { plainLocalizer } from '../helpers/plainLocalizer.ts';

function modelOf(world: HistoryWorld, session = 'S'): HistoryModel {
  return new HistoryModel({
    app: world.app,
    session: id(session),
    sessions: () =>
      world.app
        .sessions(world.root)
        .map((summary) => ({ summary, root: world.root, folder: 'shop' })),
    roots: () => [world.root],
    l10n: plainLocalizer,
    locale: 'en',
    strings: {},
    now: () => world.now,
  });
}

const three = (world: HistoryWorld): readonly string[] =>
  ['one', 'two', 'three'].map((prompt) =>
    world.turn('S', prompt, { tools: ['read', 'edit'], reply: `reply to ${prompt}` }),
  );

describe('the page of a history', () => {
  it('shows every turn, and where one looks', () => {
    using world = new HistoryWorld();
    three(world);
    const state = modelOf(world).state();
    assert.deepEqual(
      state.rows.map(({ number, prompt, tools, lane, isTip }) => [
        number,
        prompt,
        tools,
        lane,
        isTip,
      ]),
      [
        [1, 'one', 2, 0, false],
        [2, 'two', 2, 0, false],
        [3, 'three', 2, 0, true],
      ],
    );
    assert.equal(state.cursor, 2);
    assert.equal(state.open?.row.number, 3, 'it opens reading where the next prompt goes on');
    assert.deepEqual(state.position, { index: 3, count: 3, isLatest: true });
    assert.deepEqual(state.session, { id: 'S', title: 'one', agent: 'claude', folder: 'shop' });
  });

  it('reading a turn shows its messages and moves nothing', () => {
    using world = new HistoryWorld();
    const [first = ''] = three(world);
    const model = modelOf(world);
    model.open(first);
    const { open, position } = model.state();
    assert.deepEqual(
      open?.messages.map(({ role, name, content }) => [role, name, content]),
      [
        ['user', null, 'one'],
        ['tool', 'read', ''],
        ['tool', 'edit', ''],
        ['assistant', null, 'reply to one'],
      ],
    );
    assert.equal(position.isLatest, true);
    assert.throws(() => model.open('S#99'), { code: 'notFound' });
  });

  it('a prompt after going back forks a branch in both stores', async () => {
    using world = new HistoryWorld();
    const [first = ''] = three(world);
    await world.app.history.syncMirrors();
    const model = modelOf(world);
    model.step('prev');
    model.step('prev');
    assert.deepEqual(model.state().position, { index: 1, count: 3, isLatest: false });
    assert.equal(model.state().open?.id, first, 'what one looks at is what one reads');
    world.turn('S', 'two, otherwise');
    model.invalidate();
    const state = model.state();
    assert.deepEqual(
      state.rows.map(({ number, branch, lane, forks, begins }) => [
        number,
        branch.slice(0, 5),
        lane,
        forks,
        begins?.from,
      ]),
      [
        [1, 'main', 0, [1], null],
        [2, 'main', 0, [], undefined],
        [3, 'main', 0, [], undefined],
        [2, 'retry', 1, [], 1],
      ],
    );
    assert.deepEqual(state.position, { index: 2, count: 2, isLatest: true });
    await world.app.history.syncMirrors();
    const refs = git(
      world,
      'S',
      'for-each-ref',
      '--format=%(refname:short) %(subject)',
      'refs/heads',
    );
    assert.deepEqual(
      refs.split('\n').map((line) => line.replace(/^retry-\S+/, 'retry')),
      ['main turn 3: three', 'retry turn 2: two, otherwise'],
    );
    model.switchBranch('main');
    assert.deepEqual(model.state().position, { index: 3, count: 3, isLatest: false });
    model.step('latest');
    assert.equal(model.state().position.isLatest, true);
  });

  it('before the first turn there is nothing to read', () => {
    using world = new HistoryWorld();
    three(world);
    const model = modelOf(world);
    for (let i = 0; i < 3; i++) model.step('prev');
    const { position, cursor, open } = model.state();
    assert.deepEqual([position.index, cursor, open], [0, -1, null]);
  });

  it('searches one session or all of the window; what is found is opened with its message', () => {
    using world = new HistoryWorld();
    three(world);
    world.turn('T', 'another two');
    const model = modelOf(world);
    model.search('two', false);
    const found = model.state().search;
    assert.deepEqual(
      found?.hits.map(({ excerpt, title }) => [excerpt.map(({ text }) => text), title]),
      [
        [['reply to ', 'two'], null],
        [['two'], null],
      ],
    );
    model.search('two', true);
    assert.deepEqual(
      model.state().search?.hits.map(({ title }) => title),
      ['another two', null, null],
    );
    const hit = found?.hits[0];
    model.open(hit?.turn ?? '', hit?.message);
    assert.equal(model.state().open?.message, hit?.message);
    model.search('"', false);
    assert.deepEqual(model.state().search?.hits, []);
    model.search('  ', true);
    assert.equal(model.state().search, null);
  });

  it('long messages are cut for the page, between characters', () => {
    using world = new HistoryWorld();
    const turn = world.turn('S', `${'x'.repeat(99_999)}😀end`, { reply: 'short' });
    const model = modelOf(world);
    model.open(turn);
    const [prompt, reply] = model.state().open?.messages ?? [];
    assert.deepEqual([prompt?.content.length, prompt?.cut], [99_999, true]);
    assert.deepEqual([reply?.content, reply?.cut], ['short', false]);
  });

  it('a long session comes in windows around what is asked for', () => {
    using world = new HistoryWorld();
    for (let i = 0; i < 250; i++) world.turn('S', `prompt ${i}`);
    const model = modelOf(world);
    assert.deepEqual([model.state().offset, model.state().rows.length], [50, 200]);
    model.showWindow(0);
    assert.deepEqual([model.state().offset, model.state().total], [0, 250]);
  });

  it('a session that is erased meanwhile stays on screen, and the page says so', () => {
    using world = new HistoryWorld();
    three(world);
    const model = modelOf(world);
    world.run("PRAGMA foreign_keys = OFF; DELETE FROM sessions WHERE id = 'S'");
    model.invalidate();
    const { error, rows } = model.state();
    assert.match(error ?? '', /no session S/);
    assert.equal(rows.length, 3);
    assert.throws(() => model.step('prev'), { code: 'notFound' });
  });

  it('a mirror that cannot be written or pushed is told in a sentence', async () => {
    using world = new HistoryWorld();
    three(world);
    world.app.history.setRemote(id('S'), `${world.folder}/nowhere`);
    await world.app.history.syncMirrors();
    assert.match(
      modelOf(world).state().mirror ?? '',
      /^The mirror could not be pushed to .+nowhere: /,
    );
  });

  it('unknown sessions are refused', () => {
    using world = new HistoryWorld();
    three(world);
    assert.throws(() => modelOf(world, 'X'), { code: 'notFound' });
  });
});
