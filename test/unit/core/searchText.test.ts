import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathQueryOf, queryOf, wordsOf } from '../../../src/core/searchText.ts';

test('what is typed becomes a query that holds no operator of theirs', () => {
  const queries: readonly (readonly [string, string | undefined])[] = [
    ['login', '"login"*'],
    ['login token', '"login" "token"*'],
    ['lo', '"lo"'],
    ['"login token"', '"login token"'],
    ['"login tok', '"login tok"*'],
    ['a OR b NOT col:x', '"a" "OR" "b" "NOT" "col x"'],
    ['src/app.ts', '"src app ts"'],
    ['x"y', '"x y"'],
    ['登录', '"登 录"'],
    ['', undefined],
    ['*"( -', undefined],
  ];
  for (const [typed, query] of queries) assert.equal(queryOf(typed), query, typed);
  assert.equal(pathQueryOf('src/my "app".ts'), '"src my app ts"');
});

test('texts are cut, and scripts without spaces taken apart', () => {
  assert.equal(wordsOf('a', null, undefined, '', '登录x'), 'a\n 登  录 x');
  assert.ok(wordsOf('x'.repeat(1e6)).length < 30_000);
});
