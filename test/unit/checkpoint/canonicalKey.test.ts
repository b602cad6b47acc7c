/** One name per file, and none that leaves the root. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { canonicalKey, pathOfKey, sameKey } from '../../../src/checkpoint/canonicalKey.ts';
import type { Root } from '../../../src/core/ids.ts';

/** `project` with a few files, folders and links; `outside` beside it. */
class Place implements Disposable {
  readonly folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-key-')));
  readonly root = path.join(this.folder, 'project') as Root;
  readonly outside = path.join(this.folder, 'outside');

  constructor() {
    for (const name of ['project/sub/deep', 'project/.git', 'outside/more'])
      fs.mkdirSync(path.join(this.folder, name), { recursive: true });
    for (const name of ['project/a', 'project/sub/a', 'project/README', 'outside/secret'])
      fs.writeFileSync(path.join(this.folder, name), name);
    const link = (target: string, name: string) =>
      fs.symlinkSync(target, path.join(this.root, name));
    link('.', 'self');
    link('sub', 'inner');
    link('../outside', 'out');
    link('../outside/secret', 'secretlink');
    link('nowhere', 'dangling');
    link('nowhere/deep', 'danglingfolder');
    link('loop', 'loop');
    fs.symlinkSync(this.root, path.join(this.folder, 'alias'));
  }

  [Symbol.dispose](): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

function keyOf(place: Place, given: string, base?: string, platform?: NodeJS.Platform): string {
  const result = canonicalKey(place.root, given, base, platform);
  if ('refused' in result) return `refused: ${result.refused}`;
  assert.equal(result.absolute, path.join(place.root, ...result.key.split('/')));
  return result.key;
}

describe('canonicalKey', () => {
  const check = (
    given: string | ((place: Place) => string),
    key: string | RegExp,
    base?: (place: Place) => string,
  ) => {
    const shown = typeof given === 'string' ? JSON.stringify(given) : String(given);
    it(`${shown}${base ? ' from elsewhere' : ''} -> ${key}`, () => {
      using place = new Place();
      const got = keyOf(place, typeof given === 'string' ? given : given(place), base?.(place));
      if (typeof key === 'string') assert.equal(got, key);
      else assert.match(got, key);
    });
  };

  check('a', 'a');
  check('./a', 'a');
  check('sub/../a', 'a');
  check('sub//a', 'sub/a');
  check('sub/a/', 'sub/a');
  check('..cfg', '..cfg');
  check('...', '...');
  check('sub/..cfg', 'sub/..cfg');
  check(({ root }) => path.join(root, 'a'), 'a');
  check(({ root }) => path.join(root, '..cfg'), '..cfg');
  check(({ folder }) => path.join(folder, 'alias', 'a'), 'a');
  check(({ folder }) => path.join(folder, 'alias', 'sub', 'new', 'x'), 'sub/new/x');
  check('a', 'sub/a', ({ root }) => path.join(root, 'sub'));
  check('../a', 'a', ({ root }) => path.join(root, 'sub'));
  check('a', 'sub/a', ({ folder }) => path.join(folder, 'alias', 'sub'));
  check('self/a', 'a');
  check('self/self/sub/a', 'sub/a');
  check('inner/a', 'sub/a');
  check('inner/new/x', 'sub/new/x');
  // The disk goes through the link before it goes up.
  check('inner/../a', 'a');
  check('inner/deep/../../a', 'a');
  check('dangling', 'dangling');
  check('secretlink', 'secretlink');
  check('out', 'out');
  check('loop', 'loop');
  check('a\nb "quoted" \u{1F642}', 'a\nb "quoted" \u{1F642}');
  check('back\\slash', 'back\\slash');
  check('C:file', 'C:file');
  check(`${'n'.repeat(250)}`, 'n'.repeat(250));

  check('', /^refused: It has no name/);
  check('a\0b', /^refused: .*NUL/);
  check('../outside/secret', /^refused: .*outside/);
  check('..', /^refused: .*outside/);
  check('sub/../../outside/secret', /^refused: .*outside/);
  check('/etc/passwd', /^refused: .*outside/);
  check(({ root }) => `${root}x/a`, /^refused: .*outside/);
  check('out/secret', /^refused: .*outside/);
  check('out/new', /^refused: .*outside/);
  check('self/out/secret', /^refused: .*outside/);
  check('out/../secret', /^refused: .*outside/);
  check('dangling/x', /^refused: .*leads nowhere/);
  check('danglingfolder/x/y', /^refused: .*leads nowhere/);
  check('loop/x', /^refused: /);
  check('missing/../a', /^refused: .*does not exist/);
  check('.', /^refused: .*folder itself/);
  check('sub/..', /^refused: .*folder itself/);
  check(({ root }) => root, /^refused: .*folder itself/);
  check('.git/config', /^refused: .*git repository/);
  check('.git', /^refused: .*git repository/);
  check('sub/.git/hooks/pre-commit', /^refused: .*git repository/);
  check('.GIT/config', /^refused: .*git repository/);
  check('.g\u200cit/config', /^refused: .*git repository/);
  check('self/.git/config', /^refused: .*git repository/);
  check('.memcode/checkpoints/s/1/manifest.json', /^refused: .*checkpoint store/);
  check('.memcode/checkpoints', /^refused: .*checkpoint store/);
  check('.memcode/memory.md', '.memcode/memory.md');
  check('a/x', 'a/x');
});

describe('canonicalKey as on Windows', () => {
  const check = (given: string, text: RegExp) =>
    it(`${given} is refused`, () => {
      using place = new Place();
      assert.match(keyOf(place, given, undefined, 'win32'), text);
    });

  check('\\\\server\\share\\x', /another machine/);
  check('//server/share/x', /another machine/);
  check('\\\\.\\PhysicalDrive0', /another machine/);
  check('\\\\?\\C:\\x', /another machine/);
  check('C:x', /relative to a drive/);
  check('a:stream', /relative to a drive/);
  check('file.txt:stream', /colon/);
  check('git~1/config', /git repository/);
  check('.git./config', /git repository/);
  check('.git /config', /git repository/);
});

describe('canonicalKey where the disk folds names', () => {
  it('takes the spelling the disk has', () => {
    using place = new Place();
    assert.equal(keyOf(place, 'readme', undefined, 'darwin'), 'README');
    assert.equal(keyOf(place, 'readme', undefined, 'win32'), 'README');
    assert.equal(keyOf(place, 'readme', undefined, 'linux'), 'readme');
    fs.writeFileSync(path.join(place.root, 'caf\u00e9'), '');
    assert.equal(keyOf(place, 'cafe\u0301', undefined, 'darwin'), 'caf\u00e9');
    assert.equal(keyOf(place, 'new', undefined, 'darwin'), 'new');
  });

  it('compares keys as the disk would', () => {
    assert.equal(sameKey('A/b', 'a/B', 'darwin'), true);
    assert.equal(sameKey('caf\u00e9', 'cafe\u0301', 'win32'), true);
    assert.equal(sameKey('A', 'a', 'linux'), false);
  });
});

describe('pathOfKey', () => {
  const check = (key: string, expected: RegExp | undefined, platform?: NodeJS.Platform) =>
    it(`${JSON.stringify(key)}${platform ? ` on ${platform}` : ''}: ${expected ?? 'fine'}`, () => {
      using place = new Place();
      const result = pathOfKey(place.root, key, platform);
      if (expected !== undefined) assert.match('refused' in result ? result.refused : '', expected);
      else {
        assert.ok('key' in result, JSON.stringify(result));
        const inside = path.relative(place.root, result.absolute).split(path.sep);
        assert.notEqual(inside[0], '..');
      }
    });

  check('a', undefined);
  check('sub/a', undefined);
  check('..cfg', undefined);
  check('new/folder/x', undefined);
  check('dangling', undefined);
  check('back\\slash', undefined);
  check('a/x', undefined);
  // A folder that became a file since.
  check('a/x/y/z', undefined);
  check('/a', /not a plain relative path/);
  check('./a', /not a plain relative path/);
  check('sub/../a', /not a plain relative path/);
  check('../outside/secret', /not a plain relative path/);
  check('sub//a', /not a plain relative path/);
  check('sub/', /not a plain relative path/);
  check('', /no name/);
  check('a\0', /NUL/);
  check('.git/config', /git repository/);
  check('x/.git/config', /git repository/);
  check('.memcode/checkpoints/x', /checkpoint store/);
  check('out/secret', /is a link/);
  check('inner/a', /is a link/);
  check('dangling/x', /is a link/);
  check(`${'n'.repeat(300)}/x/y`, /ENAMETOOLONG/);
  check('..\\..\\outside\\secret', /not a plain relative path/, 'win32');
  check('sub\\..\\..\\outside', /not a plain relative path/, 'win32');
  check('.git\\config', /git repository/, 'win32');
  check('.memcode\\checkpoints\\x', /checkpoint store/, 'win32');
  check('out\\secret', /is a link/, 'win32');
  check('C:\\x', /not a plain relative path/, 'win32');
  check('a/b:stream', /not a plain relative path|colon/, 'win32');
  check('C:x', /drive/, 'win32');

  it('writes Windows names with a slash', () => {
    using place = new Place();
    const result = pathOfKey(place.root, 'sub\\a', 'win32');
    assert.equal('key' in result && result.key, 'sub/a');
  });
});
