/** The tree of a commit against what git itself makes of the same changes, for random ones. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import fc from 'fast-check';
import { headEntries } from '../../src/git/commitEntries.ts';
import { commitGit } from '../../src/git/commitGit.ts';
import { treeWith } from '../../src/git/commitTree.ts';
import { parentsOf } from '../../src/project/commitDecision.ts';

const names = fc.constantFrom('a', 'b', 'a-b', 'a.b', 'a0', 'Ä', 'x\ny', ' ');
const paths = fc.array(names, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));

it('is the one that git would write', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-tree-'));
  try {
    const environment = { PATH: process.env['PATH'], HOME: folder };
    const run = (input: string, ...args: readonly string[]) =>
      execFileSync('git', args, { cwd: folder, env: environment, input }).toString().trim();
    run('', 'init', '-q');
    const blobs = ['1', '2', '3'].map((text) => run(text, 'hash-object', '-w', '--stdin'));
    const git = commitGit({ folder, hooks: path.join(folder, 'none'), environment });
    const contents = fc.dictionary(paths, fc.constantFrom(...blobs), { maxKeys: 12 });
    await fc.assert(
      fc.asyncProperty(
        contents,
        fc.dictionary(paths, fc.option(fc.constantFrom(...blobs))),
        async (before, asked) => {
          const start = filesOnly(before);
          const write = (files: ReadonlyMap<string, string>) => {
            run('', 'read-tree', '--empty');
            const rows = [...files].map(([name, id]) => `100644 ${id}\t${name}\0`).join('');
            run(rows, 'update-index', '-z', '--index-info');
            return run('', 'write-tree');
          };
          const commit = run(
            '',
            '-c',
            'user.name=t',
            '-c',
            'user.email=t@example.org',
            'commit-tree',
            write(start),
            '-m',
            'x',
          );
          const goal = new Map(start);
          const changes = Object.entries(asked).filter(([name]) => isFree(name, start, asked));
          for (const [name, id] of changes)
            if (id === null) goal.delete(name);
            else goal.set(name, id);
          const all = changes.map(([name]) => name);
          const head = await headEntries(git, commit, [
            ...new Set([...all, ...all.flatMap(parentsOf)]),
          ]);
          const trees = [...head].filter(([, { mode }]) => mode === '040000');
          const made = await treeWith(
            git,
            'sha1',
            commit,
            new Map(trees.map(([name, { id }]) => [name, id])),
            changes.map(([name, id]) => ({
              path: name,
              after: id === null ? null : { mode: '100644', id },
            })),
          );
          assert.equal(made, write(goal));
        },
      ),
      { numRuns: 40 },
    );
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
});

/** Without files where folders are. */
function filesOnly(files: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const all = Object.entries(files).filter(
    ([name]) => !Object.keys(files).some((other) => other.startsWith(`${name}/`)),
  );
  return new Map(all);
}

/** Neither below a file nor in the place of a folder, of the start or among what is asked. */
function isFree(
  name: string,
  start: ReadonlyMap<string, string>,
  asked: Readonly<Record<string, string | null>>,
): boolean {
  const others = [...start.keys(), ...Object.keys(asked)].filter((other) => other !== name);
  return !others.some((other) => other.startsWith(`${name}/`) || name.startsWith(`${other}/`));
}
