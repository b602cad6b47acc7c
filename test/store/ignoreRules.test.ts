/** Our reading of ignore patterns against git's own, over random patterns and paths. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { parseIgnoreFile, verdictOf } from '../../src/git/ignoreRules.ts';

/** A small generator with a seed, so that a failure can be repeated. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % below;
  };
}

it('judges as git check-ignore does', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-ignore-'));
  try {
    execFileSync('git', ['init', '-q', folder]);
    fs.rmSync(path.join(folder, '.git/info/exclude'), { force: true });
    const pick = random(7);
    const one = <T>(items: readonly T[]) => items[pick(items.length)] as T;
    const names = ['a', 'b', 'ab', 'abc', 'a.c', 'x.log', 'b]', 'a b', '#h', '!n', 'a\\b', '-'];
    const parts = [
      'a',
      'b',
      'c',
      '*',
      '?',
      '**',
      '/',
      '/',
      '.',
      '[ab]',
      '[!a]',
      '[a-c]',
      '\\*',
      '.log',
      '[[:alpha:]]',
      '[]-]',
      '\\!',
      '\\#',
      ' ',
      '\\ ',
      '[',
      '!',
      '#',
      '-',
    ];
    for (let round = 0; round < 60; round++) {
      const lines = Array.from({ length: 1 + pick(4) }, () =>
        Array.from({ length: 1 + pick(5) }, () => one(parts)).join(''),
      );
      if (pick(3) === 0) lines.push(`!${one(names)}`);
      const text = lines.join(one(['\n', '\r\n']));
      fs.writeFileSync(path.join(folder, '.gitignore'), text);
      const paths = new Set(
        Array.from({ length: 60 }, () =>
          Array.from({ length: 1 + pick(3) }, () => one(names)).join('/'),
        ),
      );
      const { stdout } = spawnSync(
        'git',
        ['-c', 'core.excludesFile=/dev/null', 'check-ignore', '--no-index', '-z', '--stdin'],
        { cwd: folder, input: [...paths].join('\0') },
      );
      const expected = stdout.toString().split('\0').filter(Boolean).sort();
      const chain = [parseIgnoreFile(text, '', false)];
      const isIgnored = (at: string) => {
        const segments = at.split('/');
        // Nothing exists, so that git takes the last part for a file and those above for folders.
        return segments.some((name, i) => {
          const part = segments.slice(0, i + 1).join('/');
          return verdictOf(chain, part, name, i < segments.length - 1) === 'ignored';
        });
      };
      const ours = [...paths].filter(isIgnored).sort();
      assert.deepEqual(ours, expected, JSON.stringify(text));
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
