/**
 * Saving the pre-image of a 10 MB file, with its row in the manifest, against `fs.copyFile` of it. The blocking form of
 * the copy is told as well.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { capture } from '../../../src/checkpoint/capture.ts';
import { blobPlace, checkpointPlace } from '../../../src/checkpoint/places.ts';
import { readManifestFile } from '../../../src/checkpoint/readManifest.ts';
import { asSessionId, type Key, type Root } from '../../../src/core/ids.ts';
import type { Bar } from '../bar.ts';
import { inBenchFolder } from '../benchFolder.ts';
import { interleave, median, spread, timed } from '../interleave.ts';

const rounds = 60;
const fileSize = 10_000_000;
/** Files an agent edits before the next prompt. */
const editsPerTurn = 8;
const session = asSessionId('bench');

export function preImage(): Promise<Bar> {
  return inBenchFolder(measure);
}

async function measure(folder: string): Promise<Bar> {
  const root = path.join(folder, 'project') as Root;
  fs.mkdirSync(root);
  const bytes = Buffer.alloc(
    fileSize,
    'ten million bytes of a file that an agent is about to edit\n',
  );
  const files = Array.from({ length: editsPerTurn }, (_, i) => path.join(root, `file-${i}.bin`));
  for (const file of files) fs.writeFileSync(file, bytes);
  const copy = path.join(folder, 'copy.bin');
  let calls = 0;
  const nextFile = () => files[calls % editsPerTurn] ?? '';
  const checked = (took: number) => {
    assert.ok(fs.readFileSync(copy).equals(bytes));
    fs.rmSync(copy);
    return took;
  };
  const times = await interleave(rounds, {
    copyFile: async () => {
      const started = performance.now();
      await new Promise<void>((resolve, reject) =>
        fs.copyFile(nextFile(), copy, (error) => (error ? reject(error) : resolve())),
      );
      return checked(performance.now() - started);
    },
    copyFileSync: () => checked(timed(() => fs.copyFileSync(nextFile(), copy))),
    capture: () => {
      const file = nextFile();
      const seq = 1 + Math.floor(calls++ / editsPerTurn);
      const took = timed(() => save(folder, root, seq, file));
      checkSaved(root, seq, path.basename(file) as Key, bytes);
      return took;
    },
  });
  const blocking = median(times.capture) / median(times.copyFileSync);
  return {
    name: 'hook.preImage',
    measured: median(times.capture) / median(times.copyFile),
    limit: 1.3,
    notes: [
      spread('fs.copyFile', times.copyFile),
      spread('fs.copyFileSync', times.copyFileSync),
      spread('pre-image', times.capture),
      `against fs.copyFileSync the ratio is ${blocking.toFixed(3)}`,
    ],
  };
}

function save(folder: string, root: Root, seq: number, file: string): void {
  const head = { seq, label: 'bench', at: '2026-01-01T00:00:00Z', agent: 'bench', turn: seq };
  const result = capture({ root, session, head, lock: path.join(folder, 'lock') }, file, root);
  if (!(result.saved && result.first)) throw new Error(`${file} was not saved`);
}

/** Row and bytes are there; the bytes are then removed, before the system begins to write them out. */
function checkSaved(root: Root, seq: number, key: Key, bytes: Buffer): void {
  const place = checkpointPlace(root, session, seq);
  const row = readManifestFile(place).value?.files.find((found) => found.path === key);
  assert.equal(row?.before.kind === 'file' && row.before.size, fileSize);
  const blob = blobPlace(place, key);
  assert.ok(fs.readFileSync(blob).equals(bytes));
  fs.rmSync(blob);
}
