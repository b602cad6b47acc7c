/** Golden texts: what is expected stands in a file under `test/fixtures/golden`; `UPDATE_GOLDEN=1` writes it anew. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

const folder = path.join(import.meta.dirname, '..', 'fixtures', 'golden');

/** @param name relative to the folder of golden texts, with `/`. */
export function assertGolden(name: string, actual: string): void {
  const file = path.join(folder, name);
  if (process.env['UPDATE_GOLDEN'] === '1') {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, actual);
    return;
  }
  const expected = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  assert.equal(actual, expected, `${name} differs; UPDATE_GOLDEN=1 writes what is there now`);
}
