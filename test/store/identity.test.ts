/** Rewind then redo is the identity on bytes, modes, links and folders, whatever the turn did. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it, test } from 'node:test';
import { StoreDriver } from '../helpers/storeDriver.ts';

describe('one turn, rewound and taken back, is the identity', () => {
  interface Case {
    readonly start: (d: StoreDriver) => void;
    readonly paths: readonly string[];
    /** What the agent's tools do; the paths are announced before and told after. */
    readonly act: (d: StoreDriver) => void;
  }

  const check = (what: string, { start, paths, act }: Case) =>
    it(what, async () => {
      using d = new StoreDriver({ inProcess: true });
      start(d);
      const before = d.tree();
      await d.main.prompt();
      for (const name of paths) await d.main.before(name);
      act(d);
      for (const name of paths) await d.main.after(name);
      await d.main.stop();
      const after = d.tree();
      assert.notDeepEqual(after, before);
      const report = await d.rewind(1);
      assert.equal(report.complete, true, JSON.stringify(report.paths));
      assert.deepEqual(d.tree(), before);
      await d.redo();
      assert.deepEqual(d.tree(), after);
      await d.rewind(1);
      assert.deepEqual(d.tree(), before);
      assert.deepEqual(await d.problems(), []);
    });

  const file = (d: StoreDriver, name: string, mode = 0o644, text = 'old') =>
    d.put(name, text, mode);
  for (const mode of [0o644, 0o600, 0o755, 0o444, 0o700, 0o640, 0o2755, 0o4755, 0o000, 0o200]) {
    check(`a file of mode ${mode.toString(8)} is rewritten`, {
      start: (d) => file(d, 'f', mode),
      paths: ['f'],
      act: (d) => {
        fs.rmSync(d.path('f'));
        d.put('f', 'new', 0o644);
      },
    });
  }
  check('the executable bit is set', {
    start: (d) => file(d, 'f'),
    paths: ['f'],
    act: (d) => fs.chmodSync(d.path('f'), 0o755),
  });
  check('a file is deleted', {
    start: (d) => file(d, 'sub/f', 0o755),
    paths: ['sub/f'],
    act: (d) => fs.rmSync(d.path('sub/f')),
  });
  check('a file is deleted with its folder', {
    start: (d) => file(d, 'sub/deep/f'),
    paths: ['sub/deep/f'],
    act: (d) => fs.rmSync(d.path('sub'), { recursive: true }),
  });
  check('a file becomes empty', {
    start: (d) => file(d, 'f'),
    paths: ['f'],
    act: (d) => d.put('f', ''),
  });
  check('an empty file is filled', {
    start: (d) => file(d, 'f', 0o644, ''),
    paths: ['f'],
    act: (d) => d.put('f', 'new'),
  });
  check('a file is made in new folders', {
    start: (d) => file(d, 'f'),
    paths: ['x/y/z/new', 'x/other'],
    act: (d) => {
      d.put('x/y/z/new', 'n');
      d.put('x/other', 'n');
    },
  });
  check('a file is renamed', {
    start: (d) => file(d, 'from', 0o755),
    paths: ['from', 'to'],
    act: (d) => fs.renameSync(d.path('from'), d.path('to')),
  });
  check('two files change places', {
    start: (d) => {
      file(d, 'a', 0o644, 'A');
      file(d, 'b', 0o755, 'B');
    },
    paths: ['a', 'b'],
    act: (d) => {
      fs.renameSync(d.path('a'), d.path('t'));
      fs.renameSync(d.path('b'), d.path('a'));
      fs.renameSync(d.path('t'), d.path('b'));
    },
  });
  check('a link becomes a file', {
    start: (d) => {
      file(d, 'target');
      fs.symlinkSync('target', d.path('link'));
    },
    paths: ['link'],
    act: (d) => {
      fs.rmSync(d.path('link'));
      d.put('link', 'no link any more');
    },
  });
  check('a file is written through a link', {
    start: (d) => {
      file(d, 'sub/target', 0o600);
      fs.symlinkSync('sub/target', d.path('link'));
      fs.symlinkSync('link', d.path('second'));
    },
    paths: ['second'],
    act: (d) => fs.writeFileSync(d.path('second'), 'through'),
  });
  check('a file is made through a dangling link', {
    start: (d) => {
      fs.mkdirSync(d.path('sub'));
      fs.symlinkSync('sub/new', d.path('link'));
    },
    paths: ['link'],
    act: (d) => fs.writeFileSync(d.path('link'), 'through'),
  });
  check('a link is pointed elsewhere', {
    start: (d) => fs.symlinkSync('/nowhere/a', d.path('link')),
    paths: ['link'],
    act: (d) => {
      fs.rmSync(d.path('link'));
      fs.symlinkSync('b', d.path('link'));
    },
  });
  check('a dangling link goes', {
    start: (d) => fs.symlinkSync('nowhere', d.path('link')),
    paths: ['link'],
    act: (d) => fs.rmSync(d.path('link')),
  });
  check('a link to a folder becomes a folder', {
    start: (d) => {
      file(d, 'real/f');
      fs.symlinkSync('real', d.path('link'));
    },
    paths: ['link', 'link/g'],
    act: (d) => {
      fs.rmSync(d.path('link'));
      fs.mkdirSync(d.path('link'));
    },
  });
  check('a file becomes a folder with files', {
    start: (d) => file(d, 'thing', 0o755),
    paths: ['thing', 'thing/a', 'thing/b/c'],
    act: (d) => {
      fs.rmSync(d.path('thing'));
      d.put('thing/a', 'a');
      d.put('thing/b/c', 'c');
    },
  });
  check('a folder with files becomes a file', {
    start: (d) => {
      d.put('thing/a', 'a');
      d.put('thing/b/c', 'c', 0o600);
    },
    paths: ['thing', 'thing/a', 'thing/b/c'],
    act: (d) => {
      fs.rmSync(d.path('thing'), { recursive: true });
      d.put('thing', 'file');
    },
  });
  check('a folder becomes a link', {
    start: (d) => d.put('thing/a', 'a'),
    paths: ['thing', 'thing/a'],
    act: (d) => {
      fs.rmSync(d.path('thing'), { recursive: true });
      fs.symlinkSync('elsewhere', d.path('thing'));
    },
  });
  check('an empty folder is made and another goes', {
    start: (d) => fs.mkdirSync(d.path('gone'), { mode: 0o750 }),
    paths: ['made', 'gone'],
    act: (d) => {
      fs.mkdirSync(d.path('made'));
      fs.rmdirSync(d.path('gone'));
    },
  });
  for (const name of [
    'line\nbreak',
    'quote"\'`$(x)',
    '\u{1F9EA} emoji \u00e9',
    ' spaces ',
    '-dash',
    'b\\ack',
    'n'.repeat(250),
    '.hidden',
    '..cfg',
    'files',
    'manifest.json',
    'con',
    'more/1',
  ]) {
    check(`a name: ${JSON.stringify(name.slice(0, 20))}`, {
      start: (d) => file(d, name),
      paths: [name],
      act: (d) => d.put(name, 'new'),
    });
  }
  check('deeper than the store’s own path can be', {
    start: (d) => {
      const folders = Array.from({ length: 15 }, () => 'd'.repeat(240)).join('/');
      execFileSync('sh', ['-c', 'mkdir -p "$1" && cd "$1" && printf old > f', '-', folders], {
        cwd: d.root,
      });
    },
    paths: [`${Array.from({ length: 15 }, () => 'd'.repeat(240)).join('/')}/f`],
    act: (d) => d.put(`${Array.from({ length: 15 }, () => 'd'.repeat(240)).join('/')}/f`, 'new'),
  });
});

test('a file and a folder take turns at one path, three times over', async () => {
  using d = new StoreDriver({ files: { thing: 'file 0', keep: 'k' }, inProcess: true });
  const trees = [d.tree()];
  for (let n = 1; n <= 3; n++) {
    await d.turn(async (s) => {
      if (n % 2 === 1) {
        await s.edit('thing', fs.unlinkSync);
        await s.edit('thing/a', `a ${n}`);
        await s.edit('thing/deep/b', `b ${n}`);
      } else {
        await s.edit('thing/a', fs.unlinkSync);
        await s.edit('thing/deep/b', (file) => {
          fs.unlinkSync(file);
          fs.rmdirSync(path.dirname(file));
          fs.rmdirSync(d.path('thing'));
        });
        await s.edit('thing', `file ${n}`);
      }
    });
    trees.push(d.tree());
  }
  for (const number of [3, 2, 1]) {
    await d.rewind(number);
    assert.deepEqual(d.tree(), trees[number - 1], `before turn ${number}`);
  }
  for (const number of [1, 2, 3]) {
    await d.redo();
    assert.deepEqual(d.tree(), trees[number], `after turn ${number}`);
  }
  await d.rewind(1);
  assert.deepEqual(d.tree(), trees[0]);
  await d.redo();
  assert.deepEqual(d.tree(), trees[3]);
});
