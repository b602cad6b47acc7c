/**
 * A rewind of ten changed files in a tree of 10,000, with all that makes it safe (redo point, journal, records), against
 * writing those ten files beside their places and renaming them over the old ones.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { openTimelineApp } from '../../../src/app/openTimelineApp.ts';
import { syncFile } from '../../../src/base/atomicFile.ts';
import { asSessionId } from '../../../src/core/ids.ts';
import type { Bar } from '../bar.ts';
import { inBenchFolder } from '../benchFolder.ts';
import { interleave, median, spread, timed } from '../interleave.ts';

const rounds = 60;
const treeSize = 10_000;
const filesPerFolder = 12;
const changed = 10;
/** Coprime to the size of the tree: every file has its turn, and the files of a round are in different folders. */
const stride = 991;

export function restore(): Promise<Bar> {
  return inBenchFolder(measure);
}

async function measure(folder: string): Promise<Bar> {
  const files = makeTree(path.join(folder, 'project'));
  settleDisk();
  using app = appIn(folder);
  const root = app.rootOf(path.join(folder, 'project'));
  const recorder = app.recorder(root, asSessionId('bench'), 'bench');
  let next = 0;
  /** Ten files after an agent's turn, and what they were. */
  const edited = () => {
    const chosen = Array.from(
      { length: changed },
      () => files[(next++ * stride) % files.length] ?? '',
    );
    const before = chosen.map((file) => fs.readFileSync(file));
    const { turn } = recorder.begin('Change ten files.');
    chosen.forEach((file, index) => {
      const result = recorder.snapshot(file);
      assert.ok(result.saved);
      fs.writeFileSync(file, `changed\n${before[index]}`);
    });
    recorder.end();
    for (const file of chosen) syncFile(file); // some seconds later: the turn is on the disk
    const check = () =>
      chosen.forEach((file, index) => {
        assert.ok(fs.readFileSync(file).equals(before[index] ?? Buffer.of()));
      });
    return { turn, chosen, before, check };
  };
  const times = await interleave(rounds, {
    rename: () => {
      const { chosen, before, check } = edited();
      const took = timed(() =>
        chosen.forEach((file, index) => {
          fs.writeFileSync(`${file}.new`, before[index] ?? '');
          fs.renameSync(`${file}.new`, file);
        }),
      );
      check();
      return took;
    },
    rewind: async () => {
      const { turn, check } = edited();
      const started = performance.now();
      const report = await app.rewind(turn);
      const took = performance.now() - started;
      assert.ok(report.complete);
      assert.equal(report.paths.filter(({ result }) => result === 'restored').length, changed);
      check();
      return took;
    },
  });
  return {
    name: 'restore.tenFiles',
    measured: median(times.rewind) / median(times.rename),
    limit: 5,
    notes: [spread('write and rename', times.rename), spread('rewind', times.rewind)],
  };
}

/** The tree has been there for a while: its bytes are not written out beside what is measured. */
function settleDisk(): void {
  if (process.platform !== 'win32') execFileSync('sync');
}

function makeTree(root: string): readonly string[] {
  fs.mkdirSync(path.join(root, '.git'), { recursive: true });
  return Array.from({ length: treeSize }, (_, index) => {
    const group = Math.floor(index / filesPerFolder);
    const parent = path.join(root, `area-${group % 30}`, `part-${group}`);
    fs.mkdirSync(parent, { recursive: true });
    const file = path.join(parent, `file-${index}.txt`);
    fs.writeFileSync(file, `line of file ${index}\n`.repeat(100 + (index % 500)));
    return file;
  });
}

function appIn(folder: string) {
  const app = openTimelineApp({
    home: path.join(folder, 'home'),
    userHome: folder,
    now: Date.now,
    log: (level, text) => assert.notEqual(level, 'error', text),
  });
  return { ...app, [Symbol.dispose]: () => app.dispose() };
}
