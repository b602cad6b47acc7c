/** Pre-images that are flushed once the agent has its answer. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { type CaptureTarget, capture, flushCaptured } from '../../src/checkpoint/capture.ts';
import { checkpointPlace, manifestName, spareManifestName } from '../../src/checkpoint/places.ts';
import { readManifestFile } from '../../src/checkpoint/readManifest.ts';
import { asSessionId, type Root } from '../../src/core/ids.ts';

it('the row before stays certain until the flush, and a torn manifest costs the newest rows only', () => {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-later-')));
  try {
    const root = path.join(folder, 'project') as Root;
    fs.mkdirSync(root);
    for (const name of ['a', 'b', 'c']) fs.writeFileSync(path.join(root, name), name);
    const session = asSessionId('s');
    const target: CaptureTarget = {
      root,
      session,
      head: { seq: 1, label: 'p', at: '2026-01-01T00:00:00Z', agent: 'claude', turn: 1 },
      lock: path.join(folder, 'lock'),
      flushLater: true,
    };
    const place = checkpointPlace(root, session, 1);
    const spare = path.join(place, spareManifestName);
    const saved = (name: string) => {
      const result = capture(target, name, root);
      assert.ok(result.saved && result.first);
      return result.key;
    };
    const names = () => readManifestFile(place).value?.files.map((row) => row.path);
    saved('a');
    const [b, c] = [saved('b'), saved('c')];
    assert.deepEqual(names(), ['a', 'b', 'c']);
    const whole = fs.readFileSync(path.join(place, manifestName));
    fs.truncateSync(path.join(place, manifestName), 40);
    assert.deepEqual(names(), ['a']);
    fs.writeFileSync(path.join(place, manifestName), whole);
    flushCaptured(target, [b, c]);
    assert.equal(fs.existsSync(spare), false);
    assert.deepEqual(names(), ['a', 'b', 'c']);
    flushCaptured(target, [b]);
    assert.equal(fs.readFileSync(path.join(place, 'files', 'b'), 'utf8'), 'b');
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
