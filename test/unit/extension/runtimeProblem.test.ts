import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runtimeProblem } from '../../../src/extension/runtimeProblem.ts';
import { plainLocalizer } from '../../helpers/plainLocalizer.ts';

test('a VS Code without SQLite is told apart and named', () => {
  const asked: string[] = [];
  const problem = (has: boolean) =>
    runtimeProblem(
      (name) => {
        asked.push(name);
        return has;
      },
      '1.99.3',
      plainLocalizer,
    );
  assert.equal(problem(true), null);
  assert.equal(
    problem(false),
    'Memcode Timeline needs VS Code 1.105 or newer, for its SQLite. This one is 1.99.3.',
  );
  assert.deepEqual(new Set(asked), new Set(['node:sqlite']));
});
