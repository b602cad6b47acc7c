import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileOfTurn, filesOfTurn } from '../../../src/cli/turnPaths.ts';
import type { Root } from '../../../src/core/ids.ts';
import { fakeTurn } from '../../helpers/fakeTimelineApp.ts';

const root = '/repo' as Root;
const paths = ['src/parser.ts', 'parser.ts', 'src/lib/a.ts'];
const turn = fakeTurn({
  id: 't',
  session: 's',
  number: 1,
  files: paths.map((path) => ({ path, change: 'modified', cause: 'edit', added: 1, removed: 1 })),
});

const check = (path: string, cwd: string, expected: string | RegExp) =>
  it(`${path} in ${cwd}`, () => {
    const find = () => fileOfTurn(turn, root, cwd, path).path;
    if (typeof expected === 'string') assert.equal(find(), expected);
    else assert.throws(find, { message: expected });
  });

describe('one file', () => {
  check('parser.ts', '/repo', 'parser.ts');
  check('./src/parser.ts', '/repo', 'src/parser.ts');
  check('src/parser.ts', '/elsewhere', 'src/parser.ts');
  check('src/parser.ts', '/repo/src', 'src/parser.ts');
  check('lib/a.ts', '/repo/src', 'src/lib/a.ts');
  check('../parser.ts', '/repo/src', 'parser.ts');
  check('/repo/src/parser.ts', '/repo/src', 'src/parser.ts');
  check('none.ts', '/repo', /Turn 1 did not change none\.ts/);
  check('src', '/repo', /Turn 1 did not change src/);
  check('', '/repo', /Turn 1 did not change /);
  check(
    'parser.ts',
    '/repo/src',
    /parser\.ts may be src\/parser\.ts or parser\.ts\. Give the whole/,
  );
});

it('all files, those of a folder, one', () => {
  const find = (path?: string) => filesOfTurn(turn, root, '/repo', path).map((file) => file.path);
  assert.deepEqual(find(), paths);
  assert.deepEqual(find('.'), paths);
  assert.deepEqual(find('src/'), ['src/parser.ts', 'src/lib/a.ts']);
  assert.deepEqual(find('parser.ts'), ['parser.ts']);
  assert.throws(() => find('lib'), { code: 'notFound' });
});
