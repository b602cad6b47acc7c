/** What agents learned in turns that are taken back is taken back too, when that is asked for, and comes back with redo. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { OperationReport } from '../../src/core/timeline.ts';
import { agent, MemoryWorld, person, withCode } from '../helpers/memoryWorld.ts';

const results = (report: OperationReport) =>
  Object.fromEntries(
    (report.memory ?? []).map(({ path, result }) => [path.split('/').at(-1), result]),
  );

/** Where a rewind may be cut short once its files are done. */
const places = [
  { at: 'move', count: 1 },
  { at: 'memory', count: 1 },
  { at: 'memory', count: 3 },
  { at: 'record', count: 1 },
  { at: 'close', count: 1 },
];
const program = path.join(import.meta.dirname, '..', 'helpers', 'memoryKilled.ts');

/** Turn 1 is before all; turn 2 saves A and a fact; turn 3 edits A, saves B, and removes Old. */
async function threeTurns(world: MemoryWorld, file?: string) {
  world.memory.setAgentWrites('auto');
  await world.save('Old', 'Here from the beginning', 'global');
  const first = await world.turn('one', async () => undefined, file);
  const second = await world.turn(
    'two',
    async () => {
      await world.save('A', 'First text of A', 'project', agent);
      await world.setFact('shell', 'zsh', 'environment', agent);
    },
    file,
  );
  const third = await world.turn(
    'three',
    async () => {
      await world.save('A', 'Second text of A', 'project', agent);
      await world.save('B', 'About something else', 'global', agent);
      await world.forget('Old', 'global', agent);
    },
    file,
  );
  return { first, second, third };
}

const atEnd = {
  'project A': 'Second text of A',
  'global B': 'About something else',
};

describe('a rewind', () => {
  it('offers to take memory back, keeps it unless told, and undoes both', async () => {
    for (const file of ['code.txt', undefined]) {
      await using world = await MemoryWorld.make();
      const { second } = await threeTurns(world, file);
      const preview = await world.app.preview(second);
      assert.deepEqual(
        preview.memory?.paths.map(({ path, act }) => [path.split('/').at(-1), act]).sort(),
        [
          ['a.md', 'delete'],
          ['b.md', 'delete'],
          ['environment', 'delete'],
          ['old.md', 'create'],
        ],
      );
      assert.deepEqual(preview.memory?.conflicts, []);
      const kept = await world.app.rewind(second);
      assert.equal(kept.memory, undefined);
      assert.deepEqual(await world.bodies(), atEnd);
      await world.app.redo(kept.operation ?? assert.fail());
      const report = await world.app.rewind(second, { memory: 'take-back' });
      assert.equal(report.complete, true);
      assert.deepEqual(results(report), {
        'a.md': 'deleted',
        'b.md': 'deleted',
        environment: 'deleted',
        'old.md': 'recreated',
      });
      assert.deepEqual(await world.bodies(), { 'global Old': 'Here from the beginning' });
      assert.deepEqual((await world.memory.facts(world.root))[1]?.facts, []);
      const page = () => fs.readFileSync(world.file('notes', 'MEMORY.md'), 'utf8');
      assert.match(page(), /Old/);
      assert.doesNotMatch(page(), /\[B\]/);
      const undo = report.operation ?? assert.fail();
      assert.equal((await world.app.previewRedo(undo)).memory?.paths.length, 4);
      const back = await world.app.redo(undo);
      assert.deepEqual(await world.bodies(), atEnd);
      assert.match(page(), /\[B\]/);
      // And an undo of the undo.
      await world.app.redo(back.operation ?? assert.fail());
      assert.deepEqual(await world.bodies(), { 'global Old': 'Here from the beginning' });
    }
  });

  it('back to turn 3 alone brings the text of turn 2', async () => {
    await using world = await MemoryWorld.make();
    const { third } = await threeTurns(world);
    await world.app.rewind(third, { memory: 'take-back' });
    assert.deepEqual(await world.bodies(), {
      'project A': 'First text of A',
      'global Old': 'Here from the beginning',
    });
  });

  it('finds a conflict in a note that a person edited since, and keeps it unless told', async () => {
    await using world = await MemoryWorld.make();
    const { second } = await threeTurns(world);
    await world.memory.edit(world.root, 'A', { body: 'Mine' });
    fs.appendFileSync(world.file('notes', 'b.md'), 'by hand\n');
    const preview = await world.app.preview(second);
    assert.deepEqual(
      preview.memory?.conflicts.map(({ path, reason }) => [path.split('/').at(-1), reason]),
      [
        ['a.md', 'You changed it since.'],
        ['b.md', 'It was changed after the agent left it.'],
      ],
    );
    const kept = await world.app.rewind(second, { memory: 'take-back' });
    assert.equal(kept.complete, false);
    assert.deepEqual(results(kept), {
      'a.md': 'kept',
      environment: 'deleted',
      'b.md': 'kept',
      'old.md': 'recreated',
    });
    // Its turns stay, so that it can be asked for again.
    const [at] = [...(kept.memory ?? [])].map(({ path }) => path);
    const choices = new Map([[at ?? '', 'take' as const]]);
    await assert.rejects(
      world.app.rewind(second, { memory: 'take-back', conflicts: 'fail' }),
      withCode('conflicts'),
    );
    const taken = await world.app.rewind(second, {
      memory: 'take-back',
      memoryChoices: choices,
      conflicts: 'keep',
    });
    assert.deepEqual([taken.complete, results(taken)['a.md']], [false, 'deleted']);
    assert.deepEqual(await world.bodies(), {
      'global Old': 'Here from the beginning',
      'global B': 'About something else\nby hand',
    });
    await world.app.redo(taken.operation ?? assert.fail());
    assert.equal((await world.bodies())['project A'], 'Mine');
  });

  it('counts as whole where a person has seen which notes stay', async () => {
    await using world = await MemoryWorld.make();
    const { second } = await threeTurns(world);
    await world.memory.edit(world.root, 'A', { body: 'Mine' });
    const report = await world.app.rewind(second, { memory: 'take-back', memoryDecided: true });
    assert.deepEqual([report.complete, results(report)['a.md']], [true, 'kept']);
    assert.notEqual(world.app.turn(second).rewoundBy, null);
    await world.app.redo(report.operation ?? assert.fail());
    assert.deepEqual(await world.bodies(), { ...atEnd, 'project A': 'Mine' });
  });

  it('says beforehand what of memory cannot go back, and goes on without it only when told', async () => {
    await using world = await MemoryWorld.make();
    const { second } = await threeTurns(world);
    const [a, b] = [(await world.memory.show(world.root, 'A')).path, 'notes/b.md'];
    fs.rmSync(world.file(b));
    fs.mkdirSync(path.join(world.file(b), 'inside'), { recursive: true });
    fs.writeFileSync(world.file(a), 'x'.repeat(300 * 1024));
    const { memory } = await world.app.preview(second);
    assert.deepEqual(
      memory?.notRestorable.map(({ path: at, reason }) => [
        at,
        /plain file|larger/.exec(reason)?.[0],
      ]),
      [
        [a, 'larger'],
        [b, 'plain file'],
      ],
    );
    assert.deepEqual(memory?.paths.map(({ path: at }) => path.posix.basename(at)).sort(), [
      'environment',
      'old.md',
    ]);
    await assert.rejects(world.app.rewind(second, { memory: 'take-back' }), withCode('damaged'));
    const report = await world.app.rewind(second, { memory: 'take-back', partial: true });
    assert.equal(results(report)['b.md'], 'notRestorable');
    assert.equal(fs.statSync(world.file(a)).size, 300 * 1024);
    assert.ok(fs.existsSync(path.join(world.file(b), 'inside')));
  });

  it('finds a note where a person has moved it, and asks', async () => {
    await using world = await MemoryWorld.make();
    const { second } = await threeTurns(world);
    await world.memory.move(world.root, 'A', 'project', 'global');
    const { memory } = await world.app.preview(second);
    assert.deepEqual(
      memory?.conflicts.map(({ path: at, act, reason }) => [at, act, reason]),
      [['notes/a.md', 'delete', 'You moved it to the other scope since.']],
    );
    const kept = await world.app.rewind(second, { memory: 'take-back' });
    assert.deepEqual([kept.complete, results(kept)['a.md']], [false, 'kept']);
    const taken = await world.app.rewind(second, { memory: 'take-back', conflicts: 'take' });
    assert.equal(results(taken)['a.md'], 'deleted');
    assert.deepEqual(await world.bodies(), { 'global Old': 'Here from the beginning' });
    await world.app.redo(taken.operation ?? assert.fail());
    assert.equal((await world.memory.show(world.root, 'A')).scope, 'global');
    assert.equal((await world.bodies())['global A'], 'Second text of A');
  });

  it('knows a note that was moved there and back, or changed after it was moved', async () => {
    await using world = await MemoryWorld.make();
    const { second, third } = await threeTurns(world);
    await world.memory.move(world.root, 'A', 'project', 'global');
    await world.turn('four', () => world.save('A', 'Third text of A', 'global', agent));
    assert.deepEqual(
      (await world.app.preview(third)).memory?.conflicts.map(({ act }) => act),
      ['write'],
    );
    await world.app.rewind(third, { memory: 'take-back', conflicts: 'take' });
    assert.equal((await world.bodies())['global A'], 'First text of A');
    await world.memory.move(world.root, 'A', 'global', 'project');
    const { memory } = await world.app.preview(second);
    assert.deepEqual(memory?.conflicts, []);
    const versions = await world.memory.history(world.root, 'A', 'project');
    assert.deepEqual(
      versions.map(({ touch }) => touch.origin.actor),
      ['person', 'person', 'undo', 'agent', 'person', 'person', 'agent', 'agent'],
    );
    await world.memory.restore(versions.at(3)?.touch.id ?? 0, 'after');
    assert.deepEqual(await world.bodies(), {
      'global Old': 'Here from the beginning',
      'project A': 'Third text of A',
    });
    const taken = versions.find(({ touch }) => touch.after === null);
    await world.memory.restore(taken?.touch.id ?? 0, 'before');
    assert.deepEqual(
      await world.bodies(),
      { 'global Old': 'Here from the beginning', 'project A': 'First text of A' },
      'what a move took away comes back where the note is now, not a second time',
    );
  });

  it('merges what a person wrote elsewhere in the note', async () => {
    await using world = await MemoryWorld.make();
    world.memory.setAgentWrites('auto');
    const lines = (first: string, last: string) => [first, ...'bcdefgh', last].join('\n');
    await world.save('A', lines('a', 'z'));
    const turn = await world.turn('edit', () => world.save('A', lines('A', 'z'), 'project', agent));
    const note = await world.memory.show(world.root, 'A');
    const file = world.file(...note.path.split('/'));
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('\nz', '\nmine'));
    const { memory } = await world.app.preview(turn);
    assert.deepEqual(
      memory?.conflicts.map(({ merge }) => merge),
      ['clean'],
    );
    const report = await world.app.rewind(turn, { memory: 'take-back', conflicts: 'merge' });
    assert.deepEqual([report.complete, Object.values(results(report))], [true, ['merged']]);
    assert.equal((await world.memory.show(world.root, 'A')).body, lines('a', 'mine'));
    await world.app.redo(report.operation ?? assert.fail());
    assert.equal((await world.memory.show(world.root, 'A')).body, lines('A', 'mine'));
  });

  it('does not take for the agents what came between their turns', async () => {
    await using world = await MemoryWorld.make();
    world.memory.setAgentWrites('auto');
    const first = await world.turn('one', () => world.save('A', 'Of one', 'project', agent));
    await world.save('A', 'Of mine', 'project', person);
    await world.turn('two', () => world.save('A', 'Of two', 'project', agent));
    const { memory } = await world.app.preview(first);
    assert.deepEqual(
      memory?.conflicts.map(({ reason, merge }) => [reason, merge]),
      [['Somebody else changed it between these turns.', 'impossible']],
    );
  });

  it('that fails at any place leaves memory as it was', async () => {
    for (const place of places) {
      let armed = '';
      let left = place.count;
      await using world = await MemoryWorld.make({
        probe: (at) => {
          if (at === armed && --left === 0) throw new Error(`stopped at ${at}`);
        },
      });
      const { second } = await threeTurns(world, 'code.txt');
      armed = place.at;
      await assert.rejects(world.app.rewind(second, { memory: 'take-back' }), /stopped/);
      assert.deepEqual(await world.bodies(), atEnd, place.at);
      assert.deepEqual(world.app.pending(world.root), []);
      assert.equal((await world.memory.history(world.root, 'A')).length, 2);
    }
  });

  it('killed at any place is finished or rolled back with its memory', async () => {
    for (const how of ['finish', 'rollBack'] as const)
      for (const { at, count } of places) {
        await using world = await MemoryWorld.make();
        const { second } = await threeTurns(world, 'code.txt');
        const words = [program, world.home, second, at, String(count)];
        await world.reopen(() => {
          const { signal, stderr } = spawnSync(process.execPath, words);
          assert.equal(signal, 'SIGKILL', `${at}: ${stderr}`);
        });
        const [pending] = world.app.pending(world.root);
        await world.app.recover(pending?.operation ?? assert.fail(at), how);
        const isBack = how === 'finish';
        const start = { 'global Old': 'Here from the beginning' };
        assert.deepEqual(await world.bodies(), isBack ? start : atEnd, `${how} at ${at} ${count}`);
        if (!isBack) continue;
        await world.app.redo(pending?.operation ?? assert.fail());
        assert.deepEqual(await world.bodies(), atEnd);
      }
  });
});

describe('what changes in the middle of a rewind', () => {
  it('is left alone, and said', async () => {
    const work: (() => void)[] = [];
    await using world = await MemoryWorld.make({
      probe: (at) => {
        if (at === 'move') work.pop()?.();
      },
    });
    const { second } = await threeTurns(world, 'code.txt');
    work.push(() => fs.appendFileSync(world.file('notes', 'b.md'), 'meanwhile\n'));
    const report = await world.app.rewind(second, { memory: 'take-back' });
    assert.deepEqual([results(report)['b.md'], results(report)['a.md']], ['kept', 'deleted']);
    assert.match((await world.bodies())['global B'] ?? '', /meanwhile$/);
  });

  it('into what is no note keeps nobody from finishing it or rolling it back', async () => {
    for (const how of ['finish', 'rollBack'] as const) {
      await using world = await MemoryWorld.make();
      const { second } = await threeTurns(world, 'code.txt');
      await world.reopen(() => {
        spawnSync(process.execPath, [program, world.home, second, 'memory', '1']);
        fs.rmSync(world.file('notes', 'b.md'));
        fs.mkdirSync(world.file('notes', 'b.md'));
      });
      const [pending] = world.app.pending(world.root);
      await world.app.recover(pending?.operation ?? assert.fail(how), how);
      assert.deepEqual(world.app.pending(world.root), []);
      assert.ok(fs.statSync(world.file('notes', 'b.md')).isDirectory());
    }
  });
});

describe('reverting one turn', () => {
  it('takes its memory out and keeps the later turns', async () => {
    await using world = await MemoryWorld.make();
    world.memory.setAgentWrites('auto');
    const first = await world.turn('one', () => world.save('A', 'Text of one', 'project', agent));
    await world.turn('two', () => world.save('B', 'Another thing', 'project', agent));
    await world.app.revertTurn(first, { memory: 'take-back' });
    assert.deepEqual(await world.bodies(), { 'project B': 'Another thing' });
  });
});

describe('looking back', () => {
  it('tells a note from the file of facts of its name', async () => {
    await using world = await MemoryWorld.make();
    await world.save('profile', 'A note all the same', 'global');
    await world.setFact('shell', 'zsh');
    await world.forget('profile', 'global');
    const [newest] = await world.memory.history(world.root, 'profile', 'global');
    await world.memory.restore(newest?.touch.id ?? 0, 'before');
    assert.deepEqual(await world.bodies(), { 'global profile': 'A note all the same' });
    const [facts] = await world.memory.history(world.root, 'profile');
    assert.equal(facts?.after, 'shell: zsh\n');
  });

  it('shows memory as of a turn, and the versions of a note with whose they are', async () => {
    await using world = await MemoryWorld.make();
    const { first, second, third } = await threeTurns(world);
    const asOf = async (turn: typeof first) => {
      const { notes, sheets } = await world.memory.asOf(world.root, turn);
      const facts = sheets.flatMap((sheet) =>
        sheet.facts.map(({ key, value }) => `${key}=${value}`),
      );
      return [...notes.map(({ name, body }) => `${name}: ${body}`), ...facts];
    };
    assert.deepEqual(await asOf(first), ['Old: Here from the beginning']);
    assert.deepEqual(await asOf(second), [
      'Old: Here from the beginning',
      'A: First text of A',
      'shell=zsh',
    ]);
    const end = ['B: About something else', 'A: Second text of A', 'shell=zsh'];
    assert.deepEqual(await asOf(third), end);
    await world.app.rewind(second, { memory: 'take-back' });
    assert.deepEqual(await asOf(third), end);
    const versions = await world.memory.history(world.root, 'A');
    assert.deepEqual(
      versions.map(({ touch: { origin, operation } }) => [
        origin.actor,
        origin.turn ?? null,
        operation !== null,
      ]),
      [
        ['undo', null, true],
        ['agent', third, false],
        ['agent', second, false],
      ],
    );
    assert.match(versions[1]?.before ?? '', /First text of A/);
    await world.memory.restore(versions[1]?.touch.id ?? 0, 'before');
    assert.deepEqual((await world.bodies())['project A'], 'First text of A');
  });
});
