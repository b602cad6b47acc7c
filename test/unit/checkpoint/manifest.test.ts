/** The manifest, byte for byte as memcode writes it, and what is made of one that is not to be trusted. */
import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { formatManifest, type Manifest, parseManifest } from '../../../src/checkpoint/manifest.ts';
import { absent } from '../../../src/core/state.ts';

const hash = 'ab'.repeat(32);
const whole: Manifest = {
  seq: 12,
  label: 'a < b && c > d',
  at: '2026-03-05T09:30:00.250Z',
  files: [
    {
      path: 'lib/parse.ts',
      before: { kind: 'file', mode: 0o644, size: 3, sha256: hash },
      after: { kind: 'file', mode: 0o755, size: 4, sha256: hash },
      end: { kind: 'symlink', target: 'x' },
      isMixed: true,
      found: { kind: 'file', mode: 0o644, size: 5, sha256: hash },
      cause: 'edit',
      folders: [],
    },
    { path: 'new/x', before: absent, cause: 'shell', folders: ['new'], stored: 'more/1' },
    { path: 'dir', before: { kind: 'directory', mode: 0o700 }, cause: 'edit', folders: [] },
    { path: 'pipe', before: { kind: 'other' }, cause: 'memory', folders: [] },
  ],
  session: 's',
  agent: 'claude',
  turn: 7,
  format: 1,
};

test('written as Go writes it: key order, indent, escapes, no newline at the end', () => {
  const text = formatManifest({
    seq: 12,
    label: 'a < b && c > d \u2028\u2029 "q" \\ \u00e9',
    at: '2026-03-05T09:30:00.25Z',
    files: [
      {
        path: 'lib/parse.ts',
        before: { kind: 'file', mode: 0o644, size: 3 },
        cause: 'edit',
        folders: [],
      },
      { path: '<x>', before: absent, cause: 'edit', folders: [] },
    ],
  });
  assert.equal(
    text,
    `{
  "seq": 12,
  "label": "a \\u003c b \\u0026\\u0026 c \\u003e d \\u2028\\u2029 \\"q\\" \\\\ \u00e9",
  "at": "2026-03-05T09:30:00.25Z",
  "files": [
    {
      "path": "lib/parse.ts",
      "existed": true,
      "kind": "file",
      "mode": 420,
      "size": 3,
      "cause": "edit"
    },
    {
      "path": "\\u003cx\\u003e",
      "existed": false,
      "kind": "absent",
      "cause": "edit"
    }
  ]
}`,
  );
});

test('what is written is read back', () => {
  assert.deepEqual(parseManifest(formatManifest(whole)), { value: whole, problems: [] });
});

test('memcode’s own manifest is read, with escapes or without, unknown keys left out', () => {
  const value = {
    seq: 12,
    label: 'rename <the> parser',
    at: '2026-03-05T09:30:00.25Z',
    files: [
      {
        path: 'lib/parse.ts',
        before: { kind: 'file', mode: 0o644, size: -1 },
        cause: 'edit',
        folders: [],
      },
      { path: 'lib/parse.test.ts', before: absent, cause: 'edit', folders: [] },
    ],
  };
  for (const label of ['rename \\u003cthe\\u003e parser', 'rename <the> parser']) {
    const text = `{"seq":12,"label":"${label}","at":"2026-03-05T09:30:00.25Z","later":{"a":1},"files":[{"path":"lib/parse.ts","existed":true},{"path":"lib/parse.test.ts","existed":false,"x":0}]}`;
    assert.deepEqual(parseManifest(text), { value, problems: [] });
  }
});

describe('no checkpoint in it', () => {
  for (const files of ['', ',"files":null', ',"files":[]', ',"files":{}']) {
    it(files || 'no files', () => {
      const { value, problems } = parseManifest(`{"seq":1,"label":"x","at":""${files}}`);
      assert.deepEqual([value?.files, problems], [[], []]);
    });
  }
});

describe('damaged', () => {
  const check = (text: string, problem: RegExp) =>
    it(text.slice(0, 60) || 'empty', () => {
      assert.match(parseManifest(text).problems.join(' '), problem);
    });
  const row = (body: string) => `{"seq":1,"label":"","at":"","files":[${body}]}`;

  check('', /not JSON/);
  check('{"seq":1', /not JSON/);
  check('null', /not hold an object/);
  check('[]', /not hold an object/);
  check('{"label":"x"}', /no sequence number/);
  check('{"seq":"1"}', /no sequence number/);
  check('{"seq":0}', /no sequence number/);
  check('{"seq":1.5}', /no sequence number/);
  check('{"seq":1e300}', /no sequence number/);
  check(row('null'), /Row 1.*not an object/);
  check(row('"a"'), /Row 1.*not an object/);
  check(row('{}'), /Row 1.*no path/);
  check(row('{"path":7,"existed":true}'), /Row 1.*no path/);
  check(row('{"path":"a"}'), /whether it existed/);
  check(row('{"path":"a","existed":"yes"}'), /whether it existed/);
  check(row('{"path":"a","existed":true,"kind":"absent"}'), /both existed and was absent/);
  check(row('{"path":"a","existed":true,"stored":"../../x"}'), /not ours/);
  check(row('{"path":"a","existed":true,"stored":"more/../x"}'), /not ours/);
  check(row('{"path":"a","existed":true},{"path":""}'), /Row 2/);
});

test('cut anywhere, it is damaged or the same', () => {
  const text = formatManifest(whole);
  for (let end = 0; end < text.length; end++)
    assert.notEqual(parseManifest(text.slice(0, end)).problems.length, 0, `cut at ${end}`);
});

test('modes keep their twelve bits and nothing else', () => {
  const text = `{"seq":1,"files":[{"path":"a","existed":true,"kind":"file","mode":33261,"size":0}]}`;
  assert.deepEqual(parseManifest(text).value?.files[0]?.before, {
    kind: 'file',
    mode: 0o755,
    size: 0,
  });
});
