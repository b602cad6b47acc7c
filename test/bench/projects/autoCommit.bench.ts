/**
 * An auto-commit of ten files in a repository of 50,000, with all that keeps the user's work out of it (status, checks,
 * private indexes, journal), against `git commit` of as many paths in the same repository and round.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { openTimelineApp } from '../../../src/app/openTimelineApp.ts';
import { asSessionId } from '../../../src/core/ids.ts';
import type { Bar } from '../bar.ts';
import { inBenchFolder } from '../benchFolder.ts';
import { interleave, median, spread, timed } from '../interleave.ts';

const rounds = 15;
const treeSize = 50_000;
const filesPerFolder = 20;
const changed = 10;
/** Coprime to the size of the tree: every file has its turn, and the files of a round are in different folders. */
const stride = 991;

export function autoCommit(): Promise<Bar> {
  return inBenchFolder(measure);
}

async function measure(folder: string): Promise<Bar> {
  const environment = { PATH: process.env['PATH'], HOME: folder };
  const work = path.join(folder, 'work');
  const files = makeTree(work);
  const identity = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.org'];
  const git = (...args: readonly string[]) =>
    execFileSync('git', [...identity, ...args], { cwd: work, env: environment, encoding: 'utf8' });
  git('init', '-q', '-b', 'main');
  git('config', 'gc.auto', '0');
  git('add', '-A');
  git('commit', '-q', '-m', 'start');
  let mayCommit = false;
  const app = openTimelineApp({
    home: path.join(folder, 'home'),
    userHome: folder,
    environment,
    now: Date.now,
    log: (level, text) => assert.equal(level, 'info', text),
    mayCommit: () => mayCommit,
  });
  const root = app.rootOf(work);
  const project = app.projects.create({ workdir: work });
  app.projects.change(project.id, { autoCommit: 'whenClean' });
  const recorder = app.recorder(root, asSessionId('bench'), 'bench');
  let next = 0;
  const chosen = () =>
    Array.from({ length: changed }, () => files[(next++ * stride) % files.length] ?? '');
  const edit = (file: string) =>
    fs.appendFileSync(path.join(work, file), `one more line ${next}\n`);
  const isWhole = () => {
    const names = git('show', '--format=', '--name-only').trim().split('\n');
    assert.equal(names.length, changed);
    assert.equal(git('status', '--porcelain'), '');
  };
  const times = await interleave(rounds, {
    git: () => {
      const paths = chosen();
      paths.forEach(edit);
      const took = timed(() => git('commit', '-q', '-m', 'ten files', '--', ...paths));
      isWhole();
      return took;
    },
    auto: async () => {
      mayCommit = false;
      const { turn } = recorder.begin('Change ten files.');
      for (const file of chosen()) {
        assert.ok(recorder.snapshot(file).saved);
        edit(file);
      }
      recorder.end();
      await app.idle();
      mayCommit = true;
      const started = performance.now();
      app.ingest();
      await app.idle();
      const took = performance.now() - started;
      assert.equal(app.projects.commitOf(turn)?.state, 'committed');
      isWhole();
      return took;
    },
  });
  app.dispose();
  return {
    name: 'projects.autoCommit',
    measured: median(times.auto) / median(times.git),
    limit: 1.5,
    notes: [spread('git commit', times.git), spread('auto-commit', times.auto)],
  };
}

function makeTree(root: string): readonly string[] {
  return Array.from({ length: treeSize }, (_, index) => {
    const group = Math.floor(index / filesPerFolder);
    const parent = `area-${group % 50}/part-${group}`;
    fs.mkdirSync(path.join(root, parent), { recursive: true });
    const file = `${parent}/file-${index}.txt`;
    fs.writeFileSync(path.join(root, file), `line of file ${index}\n`.repeat(5));
    return file;
  });
}
