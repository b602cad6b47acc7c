import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SideContent } from '../../../src/app/timelineApp.ts';
import { countLines, fileDiff } from '../../../src/cli/fileDiff.ts';
import { gitPatch } from '../../../src/cli/gitPatch.ts';
import { bytesSide } from '../../helpers/fakeTimelineApp.ts';

const absent: SideContent = { kind: 'absent' };
const folder = { kind: 'directory', mode: 0o755 } as const;
const link = (target: string): SideContent => ({ kind: 'symlink', target });

function patchOf(path: string, before: SideContent, after: SideContent): string[] {
  const lines = gitPatch(fileDiff(path, before, after)).map(({ text }) => text);
  return lines.map((line) => Buffer.from(line, 'latin1').toString());
}

describe('patch of one file', () => {
  const check = (
    name: string,
    path: string,
    before: SideContent,
    after: SideContent,
    expected: readonly string[],
  ) => it(name, () => assert.deepEqual(patchOf(path, before, after), expected));

  check('empty file created', 'e', absent, bytesSide('', 0o755), [
    'diff --git a/e b/e',
    'new file mode 100755',
  ]);
  check('mode unknown', 'f', bytesSide('a\n'), absent, [
    'diff --git a/f b/f',
    'deleted file mode 100644',
    '--- a/f',
    '+++ /dev/null',
    '@@ -1 +0,0 @@',
    '-a',
  ]);
  check('mode and text', 'f', bytesSide('a\n', 0o644), bytesSide('b', 0o700), [
    'diff --git a/f b/f',
    'old mode 100644',
    'new mode 100755',
    '--- a/f',
    '+++ b/f',
    '@@ -1 +1 @@',
    '-a',
    '+b',
    '\\ No newline at end of file',
  ]);
  check('permissions that git does not know', 'f', bytesSide('', 0o644), bytesSide('', 0o600), [
    '# f: permissions 0644 -> 0600',
  ]);
  check('nothing changed', 'f', bytesSide('a', 0o644), bytesSide('a', 0o644), [
    '# f: the same before and after',
  ]);
  check('never there', 'f', absent, absent, ['# f: the same before and after']);
  check('binary', 'ü', bytesSide('a\u0000'), bytesSide('b'), [
    'diff --git a/ü b/ü',
    'Binary files a/ü and b/ü differ',
  ]);
  check('binary created', 'f', absent, bytesSide('\u0000', 0o644), [
    'diff --git a/f b/f',
    'new file mode 100644',
    'Binary files /dev/null and b/f differ',
  ]);
  check('binary, mode only', 'f', bytesSide('\u0000', 0o644), bytesSide('\u0000', 0o755), [
    'diff --git a/f b/f',
    'old mode 100644',
    'new mode 100755',
  ]);
  check('names that need quotes', 'a"b\\c\nd\u0001é', bytesSide('1\n'), bytesSide('2\n'), [
    'diff --git "a/a\\"b\\\\c\\nd\\001é" "b/a\\"b\\\\c\\nd\\001é"',
    '--- "a/a\\"b\\\\c\\nd\\001é"',
    '+++ "b/a\\"b\\\\c\\nd\\001é"',
    '@@ -1 +1 @@',
    '-1',
    '+2',
  ]);
  check('a folder made', 'd', absent, folder, ['# d: folder created']);
  check('a folder gone', 'd', folder, absent, ['# d: folder removed']);
  check('a folder with another mode', 'd', folder, { ...folder, mode: 0o1700 }, [
    '# d: folder, mode 0755 before and 1700 after',
  ]);
  check('a folder in the place of a file', 'd', bytesSide('a\n', 0o644), folder, [
    'diff --git a/d b/d',
    'deleted file mode 100644',
    '--- a/d',
    '+++ /dev/null',
    '@@ -1 +0,0 @@',
    '-a',
  ]);
  check('a link to elsewhere', 'l', link('a'), link('b'), [
    'diff --git a/l b/l',
    '--- a/l',
    '+++ b/l',
    '@@ -1 +1 @@',
    '-a',
    '\\ No newline at end of file',
    '+b',
    '\\ No newline at end of file',
  ]);
  check('content lost', 'f', bytesSide('a'), { kind: 'unavailable', reason: 'gone' }, [
    '# f: the difference cannot be shown: gone',
  ]);
});

describe('differences', () => {
  it('text in another encoding keeps its bytes', () => {
    const [before, after] = [Buffer.from([0xe9, 0x0a]), Buffer.from([0xe8, 0x0a])];
    const lines = gitPatch(fileDiff('f', bytesSide(before), bytesSide(after)));
    assert.deepEqual(
      lines.slice(-2).map(({ text }) => Buffer.from(text, 'latin1')),
      [Buffer.from([0x2d, 0xe9]), Buffer.from([0x2b, 0xe8])],
    );
  });

  it('line ends count: CRLF to LF changes every line', () => {
    const diff = fileDiff('f', bytesSide('a\r\nb\r\n'), bytesSide('a\nb\n'));
    assert.deepEqual(countLines(diff), { added: 2, removed: 2 });
  });

  it('two long files without a common line are one block each, soon', () => {
    const lines = (name: string) => Array.from({ length: 20_000 }, (_, at) => `${name} ${at}\n`);
    const diff = fileDiff('f', bytesSide(lines('old').join('')), bytesSide(lines('new').join('')));
    assert.deepEqual(countLines(diff), { added: 20_000, removed: 20_000 });
    assert.equal(diff.kind === 'steps' && diff.steps[0]?.hunks?.length, 1);
  });
});
