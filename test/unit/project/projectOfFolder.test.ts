import assert from 'node:assert/strict';
import { test } from 'node:test';
import { projectAround, projectOfWork } from '../../../src/project/projectOfFolder.ts';

const all = ['/w', '/w/shop', '/w/shop/web', '/other'].map((workdir) => ({ workdir }));

test('a folder belongs to the nearest project around it', () => {
  const around = (folder: string) => projectAround(all, folder, 'linux')?.workdir;
  assert.equal(around('/w/shop/web/src'), '/w/shop/web');
  assert.equal(around('/w/shop'), '/w/shop');
  assert.equal(around('/w/shopping'), '/w');
  assert.equal(around('/elsewhere'), undefined);
});

test('work in a repository belongs to a part of it only when all of it is there', () => {
  const of = (root: string, ...paths: string[]) =>
    projectOfWork(all, root, paths, 'linux')?.workdir;
  assert.equal(of('/w/shop', 'web/a', 'web/b'), '/w/shop/web');
  assert.equal(of('/w/shop', 'web/a', 'b'), '/w/shop');
  assert.equal(of('/w/shop'), '/w/shop');
  assert.equal(of('/w/repo', 'a'), '/w');
  assert.equal(of('/r', 'a'), undefined);
});
