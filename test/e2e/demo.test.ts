/** What `npm start` prepares before it opens a window. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { readScenario } from '../demo/scenario.ts';
import { projectFolder } from '../tools/paths.ts';
import { mustRun } from '../tools/runCommand.ts';

test('npm start leaves a project on which an agent has worked for several turns', async (t) => {
  const start = path.join(projectFolder, 'test/demo/start.ts');
  const said = await mustRun(process.execPath, [start, '--no-open'], { cwd: projectFolder });
  const workspace = /The sample project is (.+)/.exec(said)?.[1] ?? '';
  assert.ok(existsSync(workspace), said);
  const folder = path.dirname(workspace);
  t.after(() => fs.rm(folder, { recursive: true, force: true }));
  const [, cli = '', root = ''] =
    /Its turns in a terminal: "(.+)" --root "(.+)" list/.exec(said) ?? [];
  // Only the line itself says which store is meant.
  const { MEMCODE_TIMELINE_HOME: _, ...env } = process.env;
  assert.match(await mustRun(cli, ['--root', root, 'list'], { env }), /finished/);
  const listed = await mustRun(
    process.execPath,
    [path.join(projectFolder, 'dist/cli.cjs'), '--root', workspace, 'list', '--json'],
    { env: { ...process.env, MEMCODE_TIMELINE_HOME: path.join(folder, 'home/.memcode/timeline') } },
  );
  const { turns }: { turns: readonly { prompt: string; reply: string; files: unknown[] }[] } =
    JSON.parse(listed);
  const wanted = readScenario();
  assert.ok(wanted.length >= 4);
  assert.deepEqual(
    turns.map(({ prompt, reply }) => [prompt, reply]),
    wanted.map(({ prompt, steps }) => {
      const last = steps.at(-1);
      return [prompt, last?.op === 'text' ? last.text : undefined];
    }),
  );
  assert.ok(turns.every(({ files }) => files.length > 0));
  const counted = await mustRun(process.execPath, ['src/cli.js', 'data/poem.txt'], {
    cwd: workspace,
  });
  assert.equal(counted, ' 4  lines\n29  words\n', 'what the agent wrote works');
});
