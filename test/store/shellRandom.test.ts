/**
 * Random real commands, between edits, over one or two turns: whatever they did, going back gives what was there before, and
 * taking that back gives what was there after. `SHELL_RUNS` says how many, `SHELL_SEED` which.
 */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { StoreDriver } from '../helpers/storeDriver.ts';

const runs = Number(process.env['SHELL_RUNS'] ?? 40);
const seed = Number(process.env['SHELL_SEED'] ?? randomInt(2 ** 31));

const files = { a: 'a0', b: 'b0', 'd/x': 'x0', 'd/y': 'y0', 'd/e/z': 'z0', 'sp ace': 's0' };
const names = [
  ...Object.keys(files),
  ...['d', 'd/e', 'l', 'ld', 'ld/x', 'new', 'new/n', 'd/e/new', 'd/"q"', 'd/-dash', 'ünï'],
];

const name = fc.constantFrom(...names);
const quoted = name.map((one) => `'./${one}'`);
const number = fc.nat(1_000);

/** Hard links are left out: they change several paths at once. */
const command = fc.oneof(
  ...['mv', 'cp -a', 'cp -p', 'ln -sfn'].map((verb) =>
    fc.tuple(quoted, quoted).map(([from, to]) => `${verb} ${from} ${to}`),
  ),
  ...['rm -rf', 'mkdir -p', 'touch', 'rmdir', 'sed -i s/0/1/', 'touch -d 2001-01-01', ': >'].map(
    (verb) => quoted.map((one) => `${verb} ${one}`),
  ),
  quoted.map((one) => `mv ${one} d`),
  quoted.map((one) => `ln -s ../outside ${one}`),
  fc
    .tuple(fc.constantFrom('600', '755', '644'), quoted)
    .map(([mode, one]) => `[ -f ${one} ] && chmod ${mode} ${one}`),
  fc
    .tuple(fc.constantFrom('700', '755', '1777', '555'), quoted)
    .map(([mode, one]) => `[ -d ${one} ] && [ ! -L ${one} ] && chmod ${mode} ${one}`),
  fc.tuple(number, quoted).map(([text, one]) => `printf ${text} > ${one}`),
  fc.tuple(number, quoted).map(([text, one]) => `printf ${text} >> ${one}`),
);

const act = fc.oneof(
  { weight: 2, arbitrary: fc.array(command, { minLength: 1, maxLength: 4 }) },
  { weight: 1, arbitrary: fc.record({ edit: name, text: number }) },
);
const turns = fc.array(fc.array(act, { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 2,
});

test(`random commands go back and forth (SHELL_SEED=${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(turns, fc.boolean(), async (all, git) => {
      using d = new StoreDriver({ files, git, inProcess: true });
      fs.mkdirSync(path.join(d.folder, 'outside'));
      fs.symlinkSync('a', d.path('l'));
      fs.symlinkSync('d', d.path('ld'));
      const states = [d.tree()];
      for (const acts of all) {
        await d.turn(async (s) => {
          for (const one of acts) {
            if ('edit' in one) await editIfPossible(() => s.edit(one.edit, `E${one.text}`));
            else await s.shell(one.join('; '));
          }
        });
        states.push(d.tree());
      }
      const recorded = await d.turns();
      assert.ok(recorded.every((turn) => !turn.uncapturedShell));
      // What an edit tool wrote outside or through a link is not ours to take back.
      const isWhole = recorded.every((turn) => turn.unprotected.length === 0);
      const report = await d.rewind(1);
      assert.equal(report.complete, true);
      if (isWhole) assert.deepEqual(d.tree(), states[0]);
      await d.redo();
      assert.deepEqual(d.tree(), states.at(-1));
      if (all.length === 2) {
        await d.rewind(2);
        if (isWhole) assert.deepEqual(d.tree(), states[1]);
      }
      assert.deepEqual(await d.problems(), []);
    }),
    { seed, numRuns: runs },
  );
});

/** A folder in its place, or a file above it: the tool fails. */
async function editIfPossible(edit: () => Promise<void>): Promise<void> {
  try {
    await edit();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}
