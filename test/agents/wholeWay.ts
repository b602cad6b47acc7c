/** What holds for every client once it has run `scripts/basic.json`: turns recorded, rewound, brought back. */
import assert from 'node:assert/strict';
import type { OperationReport } from '../../src/core/timeline.ts';
import type { ClientWorld } from './clientWorld.ts';
import type { ClientRun } from './runClient.ts';

/** @param tools of the first turn, sorted: those that our hooks ask to see. */
export function checkWholeWay(world: ClientWorld, run: ClientRun, tools: readonly string[]): void {
  const said = run.turns.map(({ output }) => output).join('\n');
  const after = world.files();
  const greeting = (word: string) =>
    `export function greet(name) {\n  return '${word}, ' + name;\n}\n`;
  assert.equal(after['src/app.js'], `${greeting('goodbye')}// end\n`, said);
  assert.equal(after['src/deep/added.js'], 'export const added = 2;\n', said);
  assert.equal(after['made.txt'], 'made by the shell\n', said);
  assert.equal(after['renamed.txt'], 'doomed\n', said);

  const turns = world.turns();
  assert.deepEqual(
    turns.map(({ number, prompt, end, reply }) => ({ number, prompt, end, reply })),
    [
      {
        number: 1,
        prompt: 'Make the greeting friendlier',
        end: 'stop',
        reply: 'All three changes are done.',
      },
      { number: 2, prompt: 'Second turn: say goodbye', end: 'stop', reply: 'Goodbye it is.' },
    ],
  );
  assert.deepEqual(new Set(turns.map((turn) => turn.agent)), new Set([world.agent]));
  assert.deepEqual(
    turns.map(({ files }) => files.map(({ path, change, cause }) => `${change} ${path} ${cause}`)),
    [
      ['modified src/app.js edit', 'added src/deep/added.js edit'],
      [
        'deleted doomed.txt shell',
        'added made.txt shell',
        'added renamed.txt shell',
        'modified src/app.js edit',
        'modified src/deep/added.js edit',
      ],
    ],
  );
  assert.deepEqual(
    turns.map(({ uncapturedShell }) => uncapturedShell),
    [false, false],
  );
  assert.deepEqual(turns[0]?.tools.map(({ name }) => name).sort(), tools);
  assert.deepEqual(
    turns.flatMap(({ unprotected }) => unprotected),
    [],
  );

  world.cli('rewind', '2', '--yes');
  assert.equal(world.files()['src/app.js'], greeting('hello'));
  assert.equal(world.files()['doomed.txt'], 'doomed\n');
  world.cli('redo', '--yes');
  assert.deepEqual(world.files(), after);
  const report = world.cli('rewind', '1', '--yes') as OperationReport;
  assert.deepEqual(report.paths.map(({ path, result }) => `${result} ${path}`).sort(), [
    'deleted made.txt',
    'deleted renamed.txt',
    'deleted src/deep/added.js',
    'recreated doomed.txt',
    'restored src/app.js',
  ]);
  assert.deepEqual(world.files(), {
    'README.md': '# demo\n',
    'doomed.txt': 'doomed\n',
    'src/app.js': "export function greet(name) {\n  return 'hi ' + name;\n}\n",
  });
  assert.equal(world.hookLog(), '');

  world.cli('disconnect', world.agent, '--yes');
  assert.deepEqual(world.settings(), world.settingsAtFirst);
}
