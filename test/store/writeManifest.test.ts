import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { Manifest } from '../../src/checkpoint/manifest.ts';
import { readManifestFile } from '../../src/checkpoint/readManifest.ts';
import { writeManifest } from '../../src/checkpoint/writeManifest.ts';

function inFolder(work: (place: string, file: string) => void): void {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-manifest-'));
  try {
    work(place, path.join(place, 'manifest.json'));
  } finally {
    fs.rmSync(place, { recursive: true, force: true });
  }
}

function manifestOf(...paths: readonly string[]): Manifest {
  const files = paths.map((name) => ({
    path: name,
    before: { kind: 'file' as const, mode: 0o644, size: 1 },
    cause: 'edit' as const,
    folders: [],
  }));
  return { seq: 1, label: '', at: '', files, format: 1 };
}

const rowsOf = (place: string) => readManifestFile(place).value?.files.map((row) => row.path);

test('a flushed manifest stands alone, and what is wrong with it is told', () =>
  inFolder((place, file) => {
    writeManifest(place, manifestOf('a'));
    writeManifest(place, manifestOf('a', 'b'));
    assert.deepEqual(fs.readdirSync(place), ['manifest.json']);
    assert.deepEqual(rowsOf(place), ['a', 'b']);
    fs.writeFileSync(file, '');
    assert.equal(readManifestFile(place).problems.length, 1);
  }));

test('the first manifest is flushed at once, whatever is asked', () =>
  inFolder((place) => {
    writeManifest(place, manifestOf('a'), false);
    assert.deepEqual(fs.readdirSync(place), ['manifest.json']);
  }));

for (const torn of ['', '{\n  "seq": 1,\n  "la', '\0'.repeat(300)])
  test(`torn by a power cut before it was flushed: the last certain one counts (${JSON.stringify(torn.slice(0, 12))})`, () =>
    inFolder((place, file) => {
      writeManifest(place, manifestOf('a'));
      writeManifest(place, manifestOf('a', 'large'), false);
      writeManifest(place, manifestOf('a', 'large', 'larger'), false);
      assert.deepEqual(rowsOf(place), ['a', 'large', 'larger']);
      fs.writeFileSync(file, torn);
      assert.deepEqual(rowsOf(place), ['a']);

      writeManifest(place, manifestOf('a', 'b'));
      assert.deepEqual(fs.readdirSync(place), ['manifest.json']);
      assert.deepEqual(rowsOf(place), ['a', 'b']);
    }));
