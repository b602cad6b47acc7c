import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathAbove } from '../../../src/extension/pathAbove.ts';

test('the folder itself, or the one so many names above', () => {
  assert.equal(pathAbove('/code/shop', '', '/'), '/code/shop');
  assert.equal(pathAbove('/code/shop/a/b', 'a/b', '/'), '/code/shop');
  assert.equal(pathAbove('/c:/Users/me/shop/a b', 'a b', '\\'), '/c:/Users/me/shop');
  assert.equal(pathAbove('/c:/shop/a/b', 'a\\b', '\\'), '/c:/shop');
  assert.equal(pathAbove('/a', 'a', '/'), '/');
});

test('no folder that lies elsewhere, on another drive, or behind a link', () => {
  assert.equal(pathAbove('/code/shop', '../shop', '/'), undefined);
  assert.equal(pathAbove('/d:/shop', 'D:\\shop', '\\'), undefined);
  assert.equal(pathAbove('/z:/shop', '\\\\server\\share', '\\'), undefined);
  assert.equal(pathAbove('/code/link', 'packages/real', '/'), undefined);
  assert.equal(pathAbove('/code/..shop', '..shop', '/'), '/code', 'a name may begin so');
});
