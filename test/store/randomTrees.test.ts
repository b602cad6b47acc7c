/** Random small trees and turns, seeded: before any turn, and back, byte for byte, mode for mode, link for link. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { lstatIfExists } from '../../src/base/lstatIfExists.ts';
import { StoreDriver } from '../helpers/storeDriver.ts';
import { stampsOf, type Tree } from '../helpers/storeTree.ts';

/** The first ones, and one that found a fault after them. */
const seeds = [...Array.from({ length: 60 }, (_, n) => n + 1), 102];
const turns = 4;
const names = ['a', 'b', 'd', 'd/a', 'd/b', 'd/e', 'd/e/a', 'f', 'f/a', 'x y/\u{1F642}'];

/** Mulberry32: small, and the same everywhere. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const modes = [0o644, 0o600, 0o755, 0o444];

function put(file: string, pick: (below: number) => number): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  switch (pick(6)) {
    case 0:
      fs.rmSync(file, { force: true });
      fs.symlinkSync(['a', '../b', 'nowhere', '/etc/hostname'][pick(4)] ?? '', file);
      break;
    case 1:
      fs.rmSync(file, { force: true });
      fs.mkdirSync(file);
      break;
    default:
      fs.rmSync(file, { force: true });
      fs.writeFileSync(file, `${'x'.repeat(pick(3) * 40)}${pick(1000)}`);
      fs.chmodSync(file, modes[pick(modes.length)] ?? 0o644);
  }
}

/** One call of a tool: everything it touches is announced before and told after. */
async function call(d: StoreDriver, paths: readonly string[], change: () => void): Promise<void> {
  for (const one of paths) await d.main.before(one);
  change();
  for (const one of paths) await d.main.after(one);
}

/** Goes, with what is in it. */
async function remove(d: StoreDriver, name: string): Promise<void> {
  const inside = Object.keys(d.tree()).filter((other) => other.startsWith(`${name}/`));
  await call(d, [name, ...inside], () => fs.rmSync(d.path(name), { recursive: true, force: true }));
}

async function act(d: StoreDriver, pick: (below: number) => number): Promise<void> {
  const name = names[pick(names.length)] ?? 'a';
  const parents = name
    .split('/')
    .map((_, index, all) => all.slice(0, index).join('/'))
    .slice(1);
  for (const parent of parents) {
    const stat = lstatIfExists(d.path(parent));
    if (stat && !stat.isDirectory()) await remove(d, parent);
  }
  if (pick(4) === 0) return remove(d, name);
  if (lstatIfExists(d.path(name))?.isDirectory()) await remove(d, name);
  await call(d, [name], () => put(d.path(name), pick));
}

for (const seed of seeds) {
  test(`seed ${seed}`, async () => {
    const pick = random(seed);
    using d = new StoreDriver({ inProcess: true });
    for (const name of ['a', 'b', 'd/a', 'd/e/a', 'f/a']) if (pick(3) > 0) put(d.path(name), pick);
    d.put('never touched', 'N');
    const trees: Tree[] = [d.tree()];
    for (let n = 0; n < turns; n++) {
      await d.main.prompt(`Turn ${n + 1}`);
      for (let m = pick(4); m >= 0; m--) await act(d, pick);
      await d.main.stop();
      trees.push(d.tree());
    }
    const stamp = stampsOf(d.root)['never touched'];
    let at = turns + 1;
    const done: number[] = [];
    for (let round = 0; round < 6; round++) {
      const back = at > 1 && (done.length === 0 || pick(2) === 0);
      if (back) {
        done.push(at);
        const to = 1 + pick(at - 1);
        const report = await d.rewind(to);
        assert.equal(report.complete, true, JSON.stringify(report.paths));
        at = to;
      } else {
        const report = await d.redo();
        assert.equal(report.complete, true, JSON.stringify(report.paths));
        at = done.pop() ?? at;
      }
      assert.deepEqual(d.tree(), trees[at - 1], `round ${round}: before turn ${at}`);
    }
    assert.equal(stampsOf(d.root)['never touched'], stamp);
    assert.deepEqual(await d.problems(), []);
  });
}
