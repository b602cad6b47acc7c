/** The small pure decisions: labels, names, states, commands, notes. */
import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { asSessionId, fingerprint, sessionFolder } from '../../../src/core/ids.ts';
import { cutGraphemes, labelOf, maskSecrets } from '../../../src/core/label.ts';
import { noteText } from '../../../src/core/noteText.ts';
import { isReadOnlyCommand } from '../../../src/core/readOnlyCommand.ts';
import { absent, compareStates, type PathState } from '../../../src/core/state.ts';

describe('labelOf', () => {
  const check = (prompt: string, label: string) =>
    it(JSON.stringify(prompt.slice(0, 30)), () => {
      assert.equal(labelOf(prompt), label);
      assert.ok(labelOf(prompt).isWellFormed());
    });

  check('', '');
  check('  \n ', '');
  check('  first line \nsecond', 'first line ');
  check('one\r\ntwo', 'one');
  check('one\u2028two', 'one');
  check('x'.repeat(120), 'x'.repeat(120));
  check('x'.repeat(121), `${'x'.repeat(120)}…`);
  check('щ'.repeat(130), `${'щ'.repeat(120)}…`);
  check('👨‍👩‍👧‍👦'.repeat(121), `${'👨‍👩‍👧‍👦'.repeat(120)}…`);
  check('e\u0301'.repeat(121), `${'e\u0301'.repeat(120)}…`);
  check('\ud800 lone', '\ufffd lone');
  check('use sk-abcdefghijklmnopqrstuv now', 'use ••• now');
  check('password=hunter2hunter', 'password=•••');
  check('token ghp_abcdefghijklmnopqrstuvwx', 'token •••');
});

test('what only looks like a secret is left', () => {
  for (const text of [
    'sk-short',
    'the password is long',
    'ask-abcdefghijklmnop',
    'AKIA',
    'eyJ.a.b',
  ])
    assert.equal(maskSecrets(text), text);
});

test('a text is cut between characters, at any place', () => {
  const text = 'a👩‍🚀b🇩🇪ce\u0301d';
  const parts = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map(
    (s) => s.segment,
  );
  for (let count = 0; count <= parts.length + 1; count++) {
    const expected = count >= parts.length ? text : `${parts.slice(0, count).join('')}…`;
    assert.equal(cutGraphemes(text, count), expected);
  }
});

describe('sessionFolder', () => {
  const plain = [
    'a',
    'sess_0a1b2c3d',
    '61d86933-0430-4881-9db1-6895f76dfe9f',
    'A.b_c-1',
    'x'.repeat(128),
    'con1',
    '-x',
  ];
  for (const id of plain)
    it(`${id.slice(0, 20)} is its own name`, () =>
      assert.equal(sessionFolder(asSessionId(id)), id));
  const odd = [
    '',
    '.',
    '..',
    '.x',
    'a/b',
    '../x',
    'a\\b',
    'a b',
    'ü',
    'x'.repeat(129),
    'con',
    'NUL.txt',
    'a.',
    '~x',
    'a\0',
  ];
  for (const id of odd)
    it(`${JSON.stringify(id.slice(0, 20))} gets another`, () => {
      const name = sessionFolder(asSessionId(id));
      assert.match(name, /^~[0-9a-f]{16}$/);
      assert.equal(sessionFolder(asSessionId(id)), name);
    });
});

test('fingerprints differ for texts that are nearly the same', () => {
  const texts = new Set<string>();
  for (let n = 0; n < 20_000; n++) texts.add(fingerprint(`session ${n} of ${n % 7}`));
  for (const text of ['ab', 'ba', 'aa', '', '\0', 'abab', 'baba']) texts.add(fingerprint(text));
  assert.equal(texts.size, 20_007);
});

describe('compareStates', () => {
  const file = (more: object = {}): PathState => ({
    kind: 'file',
    mode: 0o644,
    size: 3,
    sha256: 'aa',
    ...more,
  });
  const { sha256: _, ...unhashed } = file() as { sha256?: string };
  const check = (a: PathState, b: PathState, expected: string) =>
    it(`${JSON.stringify(a)} and ${JSON.stringify(b)}: ${expected}`, () => {
      assert.equal(compareStates(a, b), expected);
      assert.equal(compareStates(b, a), expected);
    });

  check(absent, absent, 'same');
  check(file(), file(), 'same');
  check(file(), file({ sha256: 'bb' }), 'different');
  check(file(), file({ mode: 0o755 }), 'different');
  check(file(), file({ size: 4 }), 'different');
  check(file(), unhashed as PathState, 'unknown');
  check(file(), absent, 'different');
  check({ kind: 'symlink', target: 'a' }, { kind: 'symlink', target: 'a' }, 'same');
  check({ kind: 'symlink', target: 'a' }, { kind: 'symlink', target: 'b' }, 'different');
  check({ kind: 'directory', mode: 0o755 }, { kind: 'directory', mode: 0o700 }, 'different');
  check({ kind: 'directory', mode: 0o755 }, file(), 'different');
  check({ kind: 'other' }, { kind: 'other' }, 'unknown');
});

describe('isReadOnlyCommand', () => {
  const yes = [
    'ls',
    'ls -la src',
    'git status',
    'git log --oneline',
    'cat a.txt',
    'rg "x y" .',
    'pwd',
    'env',
    'find . -name x',
    'git log --pretty=oneline',
    ' true ',
  ];
  const no = [
    '',
    'rm x',
    'sed -i s/a/b/ x',
    'cat a > b',
    'ls; rm x',
    'ls && rm x',
    'ls | tee x',
    'echo `rm x`',
    'echo $(rm x)',
    'cat <<EOF\nx\nEOF',
    'find . -delete',
    'find . -exec rm {} +',
    'find . -fprint0 out',
    'git diff --output=x',
    'tree -o x',
    'git checkout x',
    'lsof',
    'env rm x',
    'env A=1 make',
    'rg --pre ./x y',
    'git show --ext-diff',
    'gitx status',
    `ls ${'x'.repeat(300)}`,
    'ls &',
    'cat a\\\nb',
    'cat a\nrm b',
    'cat a\r\nrm b',
    'echo (rm x)',
    'ls {a,b}',
    'file -C -m magic',
    'less -Olog x',
    'less --log-file=log x',
    'rg --hostname-bin ./x y',
    'ag --pager ./x y',
  ];
  for (const command of yes)
    it(`yes: ${command}`, () => assert.equal(isReadOnlyCommand(command), true));
  for (const command of no)
    it(`no: ${command.slice(0, 30)}`, () => assert.equal(isReadOnlyCommand(command), false));
});

test('a note names the files, is not too long, and holds no line breaks of theirs', () => {
  const paths = Array.from({ length: 500 }, (_, n) => `folder/${'x'.repeat(60)}/${n}`);
  const text = noteText([{ label: 'Rewound to before turn 3', paths: ['a\nb', ...paths] }]);
  assert.ok(text.length < 9_000);
  assert.match(text, /Rewound to before turn 3/);
  assert.match(text, /"a\\nb"/);
});
