/** Reverts, restores, operations and undos on the command line, from real hooks to the bytes on the disk. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { openTimelineApp, type TimelineAppOptions } from '../../src/app/openTimelineApp.ts';
import type { TimelineApp } from '../../src/app/timelineApp.ts';
import { postImageFolder } from '../../src/base/home.ts';
import type { Root } from '../../src/core/ids.ts';
import { CliSession } from './cliSession.ts';

const lines = (first: string, middle: string, last: string) =>
  `${first}\n2\n3\n4\n${middle}\n6\n7\n8\n${last}\n`;

/** `a.txt`: its first line is of turn 1, its last of turn 2. `b.txt` and `made/n.txt` are of turn 1 alone. */
function twoTurns(): CliSession {
  const session = new CliSession();
  session.put('a.txt', lines('A0', 'B0', 'C0'));
  session.put('b.txt', 'B0\n');
  session.turn('First task', () => {
    session.edit('a.txt', lines('A1', 'B0', 'C0'));
    session.edit('b.txt', 'B1\n');
    session.edit('made/n.txt', 'N1\n');
  });
  session.turn('Second task', () => session.edit('a.txt', lines('A1', 'B0', 'C2')));
  return session;
}

const contents = (session: CliSession) =>
  ['a.txt', 'b.txt', 'made/n.txt'].map((name) => session.read(name));
const atEnd = [lines('A1', 'B0', 'C2'), 'B1\n', 'N1\n'];
const withoutFirst = [lines('A0', 'B0', 'C2'), 'B0\n', undefined];

const report = (stdout: string): Record<string, unknown> =>
  Object.fromEntries(
    JSON.parse(stdout).paths.map(({ path, result }: Record<string, unknown>) => [path, result]),
  );
const codeOf = (stdout: string): unknown => JSON.parse(stdout).error.code;

describe('revert', () => {
  it('takes out one turn, keeps the later one, is listed, and is undone', async () => {
    using session = twoTurns();
    const asked = await session.run('revert 1');
    assert.equal(asked.status, 1);
    assert.match(asked.stdout, /1 conflict: both are merged/);
    assert.match(asked.stdout, /a\.txt +merges cleanly +Turn 2 changed it further\./);
    assert.deepEqual(contents(session), atEnd);

    const done = await session.run('revert 1 --yes --json');
    assert.equal(done.status, 0, done.stdout);
    assert.deepEqual(report(done.stdout), {
      'a.txt': 'merged',
      'b.txt': 'restored',
      'made/n.txt': 'deleted',
    });
    assert.deepEqual(contents(session), withoutFirst);
    assert.equal(fs.existsSync(session.path('made')), false);
    const { stdout: list } = await session.run('list');
    assert.match(list, /1 .* reverted .*First task/);
    assert.match(list, /2 .* finished .*Second task/);
    assert.match((await session.run('show 1')).stdout, /Reverted +by operation 1/);

    for (const line of ['revert 1', 'revert 1 --yes'])
      assert.deepEqual([(await session.run(line)).status, contents(session)], [1, withoutFirst]);
    const redo = await session.run('redo --yes');
    assert.equal(redo.status, 1);
    assert.match(redo.stderr, /no rewind to take back .* memcode-timeline undo/);

    const undo = await session.run('undo --yes');
    assert.equal(undo.status, 0, undo.stderr);
    assert.deepEqual(contents(session), atEnd);
    assert.match((await session.run('list')).stdout, /1 .* finished .*First task/);
    assert.equal((await session.run('doctor')).status, 0);
  });

  const check = (choice: string, status: number, first: string, rest: readonly unknown[]) =>
    it(`--conflicts ${choice}: status ${status}`, async () => {
      using session = twoTurns();
      const run = await session.run(`revert 1 --yes --json --conflicts ${choice}`);
      assert.equal(run.status, status, run.stdout);
      if (status === 1) assert.equal(codeOf(run.stdout), 'conflicts');
      assert.deepEqual(contents(session), [first, ...rest]);
      const { stdout } = await session.run('list');
      assert.equal(/1 .* reverted(?! in part)/.test(stdout), status === 0);
      assert.equal(/1 .* reverted in part/.test(stdout), status === 3);
    });

  check('keep', 3, lines('A1', 'B0', 'C2'), ['B0\n', undefined]);
  check('take', 0, lines('A0', 'B0', 'C0'), ['B0\n', undefined]);
  check('merge', 0, lines('A0', 'B0', 'C2'), ['B0\n', undefined]);
  check('fail', 1, lines('A1', 'B0', 'C2'), ['B1\n', 'N1\n']);

  it('where the changes meet nothing is merged: kept, status 3, and the turn stays', async () => {
    using session = twoTurns();
    session.put('a.txt', lines('mine', 'B0', 'C2'));
    const run = await session.run('revert 1 --yes');
    assert.equal(run.status, 3, run.stderr);
    assert.match(run.stdout, /Reverted turn 1 but for the conflicts; the turn stays\./);
    assert.match(run.stdout, /kept +a\.txt .*does not merge cleanly/);
    assert.deepEqual(contents(session), [lines('mine', 'B0', 'C2'), 'B0\n', undefined]);
    assert.equal((await session.run('undo --yes')).status, 0);
    assert.deepEqual(contents(session), [lines('mine', 'B0', 'C2'), 'B1\n', 'N1\n']);
  });

  it('while the agent is at work it is refused, unless forced', async () => {
    using session = new CliSession();
    session.begin('Never ends');
    session.edit('a.txt', 'A1\n');
    const refused = await session.run('revert 1 --yes --json');
    assert.deepEqual([refused.status, codeOf(refused.stdout)], [1, 'running']);
    assert.equal(session.read('a.txt'), 'A1\n');
    assert.equal((await session.run('revert 1 --yes --force')).status, 0);
    assert.equal(session.read('a.txt'), undefined);
  });

  it('a turn without changes has nothing to revert', async () => {
    using session = new CliSession();
    session.turn('Talk', () => undefined);
    const run = await session.run('revert 1 --yes --json');
    assert.deepEqual([run.status, codeOf(run.stdout)], [1, 'nothingToDo']);
  });
});

describe('restore', () => {
  it('one file to before or after a turn, from any folder, and back', async () => {
    using session = twoTurns();
    const after = await session.run('restore 1 a.txt --after --yes');
    assert.equal(after.status, 0, after.stderr);
    assert.match(after.stdout, /^Restored a\.txt to after turn 1\.\n +restored +a\.txt/);
    assert.deepEqual(contents(session), [lines('A1', 'B0', 'C0'), ...atEnd.slice(1)]);
    const before = await session.run('restore 1 ../a.txt --yes', { cwd: session.path('made') });
    assert.equal(before.status, 0, before.stderr);
    assert.equal(session.read('a.txt'), lines('A0', 'B0', 'C0'));

    const made = await session.run('restore 1 n.txt --yes', { cwd: session.path('made') });
    assert.equal(made.status, 0, made.stderr);
    assert.equal(session.read('made/n.txt'), undefined);
    assert.equal((await session.run('restore 1 made/n.txt --after --yes')).status, 0);
    assert.equal(session.read('made/n.txt'), 'N1\n');

    for (const _ of [1, 2, 3, 4]) assert.equal((await session.run('undo --yes')).status, 0);
    assert.deepEqual(contents(session), atEnd);
    assert.equal((await session.run('undo --yes')).status, 1);
    assert.match((await session.run('list')).stdout, /1 .* finished .*First task/);
    assert.equal((await session.run('doctor')).status, 0);
  });

  it('shows what it would do, and asks', async () => {
    using session = twoTurns();
    const run = await session.run('restore 1 b.txt');
    assert.equal(run.status, 1);
    assert.match(run.stdout, /Restoring b\.txt to before turn 1:\n\n +write +b\.txt +\+1 -1/);
    const no = await session.run('restore 1 b.txt', { interactive: true, typed: 'n\n' });
    assert.equal(no.status, 1);
    assert.deepEqual(contents(session), atEnd);
    const yes = await session.run('restore 1 b.txt', { interactive: true, typed: 'y\n' });
    assert.equal(yes.status, 0);
    assert.equal(session.read('b.txt'), 'B0\n');
  });

  const check = (choice: string, status: number, expected: string) =>
    it(`--conflicts ${choice}: status ${status}`, async () => {
      using session = twoTurns();
      session.put('a.txt', lines('A1', 'mine', 'C2'));
      const run = await session.run(`restore 2 a.txt --yes --json --conflicts ${choice}`);
      assert.equal(run.status, status, run.stdout);
      assert.equal(session.read('a.txt'), expected);
    });

  check('keep', 3, lines('A1', 'mine', 'C2'));
  check('take', 0, lines('A1', 'B0', 'C0'));
  check('merge', 0, lines('A1', 'mine', 'C0'));
  check('fail', 1, lines('A1', 'mine', 'C2'));

  it('a file that the turn did not change, and one whose saved bytes are gone', async () => {
    using session = twoTurns();
    const none = await session.run('restore 2 b.txt --yes --json');
    assert.deepEqual([none.status, codeOf(none.stdout)], [1, 'notFound']);
    fs.rmSync(session.path('.memcode/checkpoints/session-1/1/files/b.txt'));
    for (const line of ['restore 1 b.txt --json', 'restore 1 b.txt --yes --json']) {
      const lost = await session.run(line);
      assert.deepEqual([lost.status, codeOf(lost.stdout)], [1, 'damaged']);
    }
    assert.deepEqual(contents(session), atEnd);
  });
});

describe('operations and undo', () => {
  it('one undo after the other goes further back; each by number or id; an undo of an undo', async () => {
    using session = twoTurns();
    assert.match((await session.run('operations')).stdout, /^Nothing has been rewound/);
    const states = [contents(session)];
    for (const line of ['restore 2 a.txt --yes', 'rewind 2 --yes', 'revert 1 --yes']) {
      const run = await session.run(line);
      assert.equal(run.status, 0, run.stderr);
      states.push(contents(session));
    }
    const listed = async () => {
      const { operations } = JSON.parse((await session.run('operations --json')).stdout);
      return operations.map((o: Record<string, unknown>) => [o['number'], o['kind'], o['undone']]);
    };
    assert.deepEqual(await listed(), [
      [3, 'revert', false],
      [2, 'rewind', false],
      [1, 'restore', false],
    ]);
    for (const expected of states.slice(0, -1).reverse()) {
      assert.equal((await session.run('undo --yes')).status, 0);
      assert.deepEqual(contents(session), expected);
    }
    assert.equal((await session.run('undo --yes')).status, 1);
    assert.equal((await session.run('redo --yes')).status, 1);
    assert.deepEqual((await listed()).slice(0, 3), [
      [6, 'redo', false],
      [5, 'redo', false],
      [4, 'redo', false],
    ]);

    // The undo of the rewind, taken back by number: the rewind stands again, for `redo` too.
    assert.equal((await session.run('undo 6 --yes')).status, 0);
    assert.equal((await session.run('undo 5 --yes')).status, 0);
    assert.match((await session.run('list')).stdout, /2 .* rewound/);
    assert.deepEqual(contents(session), states[2]);
    const text = (await session.run('operations')).stdout;
    assert.match(text, /2 .* in force +Rewound to before turn 2/);
    assert.match(text, /5 .* undone +Undid: Rewound to before turn 2/);
    assert.equal((await session.run('redo --yes')).status, 0);
    assert.deepEqual(contents(session), states[1]);

    const [newest] = JSON.parse((await session.run('operations --json')).stdout).operations;
    assert.equal((await session.run(`undo ${newest.id.slice(0, -2)} --yes`)).status, 0);
    assert.deepEqual(contents(session), states[2]);
    assert.equal((await session.run('doctor')).status, 0);
  });

  it('redo takes the newest rewind back, whatever came after it', async () => {
    using session = twoTurns();
    assert.equal((await session.run('rewind 2 --yes')).status, 0);
    assert.equal((await session.run('restore 1 b.txt --yes')).status, 0);
    assert.equal((await session.run('redo --yes')).status, 0);
    assert.deepEqual(contents(session), [atEnd[0], 'B0\n', 'N1\n']);
    assert.equal((await session.run('redo --yes')).status, 1);
  });

  it('what was edited since is a conflict: kept with 3, taken, merged, or refused', async () => {
    const after = async (choice: string) => {
      using session = twoTurns();
      await session.run('rewind 2 --yes');
      session.put('a.txt', lines('A1', 'mine', 'C0'));
      const { status } = await session.run(`undo 1 --yes --conflicts ${choice}`);
      return [status, session.read('a.txt')];
    };
    assert.deepEqual(await after('keep'), [3, lines('A1', 'mine', 'C0')]);
    assert.deepEqual(await after('take'), [0, lines('A1', 'B0', 'C2')]);
    assert.deepEqual(await after('fail'), [1, lines('A1', 'mine', 'C0')]);
  });

  it('what is undone already, unknown or ambiguous', async () => {
    using session = twoTurns();
    await session.run('rewind 2 --yes');
    await session.run('undo 1 --yes');
    const codes = [];
    for (const operation of ['1', '7', 'none', '20']) {
      const run = await session.run(`undo ${operation} --yes --json`);
      codes.push([run.status, codeOf(run.stdout)]);
    }
    assert.deepEqual(codes, [
      [1, 'nothingToDo'],
      [1, 'notFound'],
      [1, 'notFound'],
      [1, 'notFound'],
    ]);
  });

  it('of one session only when it is named', async () => {
    using session = twoTurns();
    await session.run('rewind 2 --yes');
    const other = await session.run('operations --session nobody');
    assert.equal(other.status, 1);
    const own = await session.run('operations --session session-1');
    assert.match(own.stdout, /Rewound to before turn 2/);
    assert.equal((await session.run('undo --session session-1 --yes')).status, 0);
  });
});

describe('doctor --repair', () => {
  it('says what is wrong, mends it, and finds nothing afterwards', async () => {
    using session = twoTurns();
    assert.equal((await session.run('rewind 2 --yes')).status, 0);
    const { operations } = JSON.parse((await session.run('operations --json')).stdout);
    const store = session.path('.memcode/checkpoints/session-1');
    fs.renameSync(`${store}/.rewound/${operations[0].id}/2`, `${store}/2`);
    const trash = `${store}/.trash-1`;
    fs.mkdirSync(trash);
    const found = await session.run('doctor');
    assert.equal(found.status, 1);
    assert.match(found.stdout, /problem .*turn 2 .*its checkpoint is not where it belongs/);
    assert.match(found.stdout, /note +\S+\.trash-1 /);
    assert.match(found.stdout, /1 problem in /);
    const repaired = await session.run('doctor --repair');
    assert.equal(repaired.status, 0, repaired.stdout);
    assert.match(repaired.stdout, /^mended +\S+\.trash-1 .*\nmended .*turn 2 .*moved to its place/);
    assert.match(repaired.stdout, /No problem found/);
    assert.equal(fs.existsSync(trash), false);
    assert.match((await session.run('doctor --repair')).stdout, /^Nothing had to be mended\.\n/);
    assert.equal((await session.run('redo --yes')).status, 0);
    assert.deepEqual(contents(session), atEnd);
  });

  it('after what was cut short is settled, in one go if asked; what cannot be mended stays', async () => {
    using session = twoTurns();
    assert.equal((await session.run('list')).status, 0);
    const killed = path.join(import.meta.dirname, '..', 'helpers', 'storeKilled.ts');
    const args = [killed, session.home, session.root, 'rewind', '2', 'record'];
    assert.equal(spawnSync(process.execPath, args).signal, 'SIGKILL');
    const refused = await session.run('doctor --repair --json');
    assert.deepEqual([refused.status, codeOf(refused.stdout)], [1, 'interrupted']);
    // And with it whatever else holds these bytes.
    const images = postImageFolder(session.home, session.root as Root);
    fs.rmSync(images, { recursive: true });
    fs.appendFileSync(session.path('.memcode/checkpoints/session-1/1/files/b.txt'), '+');
    const both = await session.run('doctor --roll-back --repair --json');
    assert.equal(both.status, 1);
    const { recovered, repaired, pending, findings } = JSON.parse(both.stdout);
    assert.deepEqual([recovered.length, repaired, pending], [1, [], []]);
    assert.match(findings[0].text, /b\.txt: Its saved bytes have the wrong size/);
    assert.deepEqual(contents(session), atEnd);
  });
});

describe('pruned', () => {
  it('turns and operations are marked, and what they would need is refused', async () => {
    using session = twoTurns();
    assert.equal((await session.run('rewind 2 --yes')).status, 0);
    for (let n = 3; n < 14; n++) session.turn(`Task ${n}`, () => session.edit('c.txt', `C${n}\n`));
    // Another operation, since the newest always stays.
    assert.equal((await session.run('restore 12 c.txt --yes')).status, 0);
    session.turn('Last task', () => session.edit('c.txt', 'end\n'));
    assert.equal((await session.run('list', { openApp: openSmall })).status, 0);

    const list = (await session.run('list')).stdout;
    assert.match(list, /1 .* finished \(pruned\) .*First task/);
    assert.match(list, /2 .* rewound \(pruned\) .*Second task/);
    assert.match((await session.run('show 1')).stdout, /Pruned +what it had saved was removed on/);
    assert.match(
      (await session.run('show 2')).stdout,
      /by operation 1, which cannot be taken back/,
    );
    assert.match((await session.run('operations')).stdout, /1 .* pruned +Rewound to before turn 2/);
    const diff = await session.run('diff 1 b.txt');
    assert.equal(diff.status, 1);
    assert.match(diff.stderr, /What the turn had saved was removed to keep within the limits/);
    for (const [line, code] of [
      ['rewind 1', 'damaged'],
      ['revert 1', 'damaged'],
      ['restore 1 b.txt', 'damaged'],
      ['undo 1', 'nothingToDo'],
    ]) {
      for (const yes of ['', ' --yes']) {
        const run = await session.run(`${line}${yes} --json`);
        assert.deepEqual([run.status, codeOf(run.stdout)], [1, code], line);
      }
    }
  });
});

/** Keeps no more than it must. */
async function openSmall(options: TimelineAppOptions): Promise<TimelineApp> {
  return openTimelineApp({ ...options, retention: () => ({ maxBytes: 1, maxAgeDays: 0 }) });
}
