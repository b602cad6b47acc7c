/** Whether documents of a folder are given to agents: what people and VS Code said of it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { noteRestricted, noteTrust, trustFile, trustOf } from '../../src/app/memoryTrust.ts';
import type { Root } from '../../src/core/ids.ts';

function inHome(work: (home: string) => void): void {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-trust-'));
  try {
    work(home);
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }
}

const root = '/projects/shop' as Root;
const other = '/projects/shop2' as Root;

test('VS Code may restrict a folder and lift it; nobody else is asked meanwhile', () => {
  inHome((home) => {
    noteRestricted(home, root, false);
    assert.equal(fs.existsSync(trustFile(home)), false);
    noteRestricted(home, root, true);
    assert.deepEqual([trustOf(home, root), trustOf(home, other)], [false, undefined]);
    noteRestricted(home, root, false);
    assert.equal(trustOf(home, root), undefined);
  });
});

test('what a person said stands above what VS Code says', () => {
  inHome((home) => {
    noteTrust(home, root, false);
    noteRestricted(home, root, false);
    assert.equal(trustOf(home, root), false);
    noteTrust(home, root, true);
    noteRestricted(home, root, true);
    assert.equal(trustOf(home, root), true);
    if (process.platform !== 'win32')
      assert.equal(fs.statSync(trustFile(home)).mode & 0o777, 0o600);
  });
});

test('where nobody can read what was said nothing is trusted, until somebody says it anew', () => {
  inHome((home) => {
    noteTrust(home, root, true);
    fs.writeFileSync(trustFile(home), '{ "/work');
    assert.equal(trustOf(home, root), false);
    noteTrust(home, root, true);
    assert.deepEqual([trustOf(home, root), trustOf(home, other)], [true, undefined]);
    fs.writeFileSync(trustFile(home), JSON.stringify({ [root]: 'perhaps', [other]: 'restricted' }));
    assert.deepEqual([trustOf(home, root), trustOf(home, other)], [undefined, false]);
  });
});
