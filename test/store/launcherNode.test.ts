/** Finding a Node in a search path, with made-up programs. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { findNode } from '../../src/app/findNode.ts';

function world(t: TestContext) {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'find-node-')));
  t.after(() => fs.rmSync(base, { recursive: true, force: true }));
  const asked: string[] = [];
  const answers = new Map<string, string>();
  /** A folder with a `node`; its version in headers, or told when asked, or neither. */
  const node = (folder: string, how: { header?: string; says?: string; mode?: number }) => {
    const bin = path.join(base, folder, 'bin');
    fs.mkdirSync(bin, { recursive: true });
    const program = path.join(bin, 'node');
    fs.writeFileSync(program, '', { mode: how.mode ?? 0o755 });
    if (how.header !== undefined) {
      const [major, minor, patch] = how.header.split('.');
      const include = path.join(base, folder, 'include/node');
      fs.mkdirSync(include, { recursive: true });
      fs.writeFileSync(
        path.join(include, 'node_version.h'),
        `#define NODE_MAJOR_VERSION ${major}\n#define NODE_MINOR_VERSION ${minor}\n#define NODE_PATCH_VERSION ${patch}\n`,
      );
    }
    if (how.says !== undefined) answers.set(program, how.says.replace('SELF', program));
    return program;
  };
  const find = (...folders: readonly string[]) =>
    findNode(folders.map((folder) => path.join(base, folder, 'bin')).join(':'), {
      platform: 'linux',
      ask: async (program) => {
        asked.push(path.relative(base, program));
        return answers.get(program);
      },
    });
  return { base, node, find, asked };
}

test('headers tell the version without starting anything', async (t) => {
  const { node, find, asked } = world(t);
  const program = node('a', { header: '24.3.1' });
  assert.deepEqual(await find('none', 'a'), { path: program, version: '24.3.1' });
  assert.deepEqual(asked, []);
});

test('the first that has a database wins over an older one before it', async (t) => {
  const { node, find, asked } = world(t);
  node('old', { header: '16.0.0' });
  const middle = node('middle', { says: '20.11.0 SELF' });
  const fresh = node('new', { header: '22.13.0' });
  assert.equal((await find('old', 'middle', 'new'))?.path, fresh);
  assert.equal((await find('old', 'middle'))?.path, middle);
  assert.equal(await find('old'), null);
  assert.deepEqual(asked, ['middle/bin/node', 'middle/bin/node']);
});

test('what is no usable program is passed over', async (t) => {
  const { base, node, find } = world(t);
  node('plain file', { header: '24.0.0', mode: 0o644 });
  node('broken', {});
  node('node_modules/.bin', { header: '24.0.0' });
  fs.mkdirSync(path.join(base, 'folder/bin/node'), { recursive: true });
  assert.equal(await find('plain file', 'broken', 'node_modules/.bin', 'folder'), null);
  assert.equal(await findNode(undefined, { platform: 'linux' }), null);
  assert.equal(await findNode('relative:', { platform: 'linux' }), null);
});

test("a version manager's stand-in is replaced by what it starts; a plain link stays", async (t) => {
  const { base, node, find } = world(t);
  const real = node('real', {});
  node('shims', { says: `24.0.0 ${real}` });
  assert.equal((await find('shims'))?.path, real);
  const target = node('cellar', {});
  const link = node('brew', { says: `24.0.0 ${target}` });
  fs.rmSync(link);
  fs.symlinkSync(target, link);
  assert.equal((await find('brew'))?.path, path.join(base, 'brew/bin/node'));
});

test('at most three programs are started', async (t) => {
  const { node, find, asked } = world(t);
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (const name of names) node(name, { says: '20.0.0 SELF' });
  await find(...names);
  assert.equal(asked.length, 3);
});

test('a real program answers', async (t) => {
  const { base } = world(t);
  fs.mkdirSync(path.join(base, 'bin'));
  const program = path.join(base, 'bin/node');
  fs.symlinkSync(process.execPath, program);
  const found = await findNode(path.dirname(program), { platform: process.platform });
  assert.deepEqual(found, { path: program, version: process.versions.node });
});
