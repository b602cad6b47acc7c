import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patchPaths, shellPatch } from '../../../src/agents/patchPaths.ts';

const patch = (...lines: readonly string[]) =>
  ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

test('every file of a patch, each once', () => {
  const text = patch(
    '*** Update File: src/app.js',
    '*** Move to: src/main.js',
    '@@',
    "-  return 'hi';",
    "+  return '*** Add File: not-a-file';",
    '*** Delete File: doomed.txt',
    '*** Add File: deep/dir/new.txt',
    '+*** Update File: not-a-file-either',
    '*** Update File: src/app.js',
  );
  assert.deepEqual(patchPaths(text), [
    'src/app.js',
    'src/main.js',
    'doomed.txt',
    'deep/dir/new.txt',
  ]);
  assert.deepEqual(patchPaths(text.replaceAll('\n', '\r\n')), patchPaths(text));
  assert.deepEqual(
    patchPaths(`${text}\n${patch('*** Add File: second patch.txt')}`).at(-1),
    'second patch.txt',
  );
});

test('names as they are, without the blanks around them', () => {
  assert.deepEqual(patchPaths('*** Add File:   a b/ü.txt  \n*** Delete File: \n'), ['a b/ü.txt']);
  assert.deepEqual(patchPaths('no patch at all'), []);
});

test('patches in shell commands', () => {
  const check = (command: string, paths: readonly string[] | undefined, alone = false) =>
    assert.deepEqual(shellPatch(command), paths && { paths, alone }, command);
  const body = patch('*** Update File: README.md', '@@', '-a', '+b');
  check(`apply_patch <<'EOF'\n${body}\nEOF`, ['README.md'], true);
  check(`apply_patch <<EOF\n${body}\nEOF\n`, ['README.md'], true);
  check(`applypatch "${body}"`, ['README.md'], true);
  check(`cd sub/dir && apply_patch <<'EOF'\n${body}\nEOF`, ['sub/dir/README.md'], true);
  check(`cd "a b/" && apply_patch <<'EOF'\n${body}\nEOF`, ['a b/README.md'], true);
  check(`cd sub && apply_patch <<'EOF'\n${patch('*** Add File: /abs/x')}\nEOF`, ['/abs/x'], true);
  check(`npm ci && apply_patch <<'EOF'\n${body}\nEOF`, ['README.md']);
  check(`apply_patch <<'EOF'\n${body}\nEOF\nnpm test`, ['README.md']);
  check('apply_patch --help', undefined);
  check(`echo '${body}'`, undefined);
});
