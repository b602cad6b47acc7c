import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../../src/app/timelineApp.ts';
import { verbs } from '../../../src/cli/verbs.ts';
import { asOperationId, asSessionId, asTurnId } from '../../../src/core/ids.ts';
import type { ConflictPath, OperationSummary, TurnSummary } from '../../../src/core/timeline.ts';
import { type CliSetup, cliRun, fixedNow, transcript } from '../../helpers/cliRun.ts';
import type { FakeTimelineApp } from '../../helpers/fakeTimelineApp.ts';
import { assertGolden } from '../../helpers/golden.ts';
import { addProjects } from './sampleProjects.ts';
import { sampleTimeline } from './sampleTimeline.ts';

interface Check extends CliSetup {
  readonly prepare?: (app: FakeTimelineApp) => void;
  /** Each line meets the timeline as it was; otherwise one line sees what the line before has done. */
  readonly fresh?: boolean;
}

const check = (name: string, lines: readonly string[], given: Check = {}) =>
  it(name, async () => {
    const { prepare, fresh, ...setup } = given;
    let app = sampleTimeline();
    prepare?.(app);
    let text = '';
    for (const line of lines) {
      const args = line.split(' ');
      text += transcript(args, await cliRun(args, { app, ...setup }));
      if (!line.includes('help')) assert.equal(app.disposed, true);
      if (!fresh) continue;
      app = sampleTimeline();
      prepare?.(app);
    }
    assertGolden(`cli/${name}.txt`, text);
  });

describe('golden texts', () => {
  check('help', ['--help', ...verbs.map(({ name }) => `help ${name}`)]);
  check('sessions', ['sessions', 'sessions --verbose', 'sessions --json']);
  check('list', ['list', 'list --verbose', 'list --session 4f77']);
  check('list-json', ['list --json --session 4f77']);
  check('list-narrow', ['list', 'sessions'], { columns: 72 });
  check('list-colour', ['list'], { columns: 100, colour: true });
  check('show', ['show 1', 'show 2', 'show 3 --verbose', 'show 4', 'show 5', 'show 6']);
  check('show-json', ['show turn-a --json', 'show turn-aaaa1 --json']);
  check('diff', ['diff 1', 'diff 1 src', 'diff 1 src/my', 'diff 2', 'diff 3 src/reader.ts']);
  check('diff-terminal', ['diff 1'], { columns: 80, colour: true });
  check('diff-json', ['diff 1 --json', 'diff 3 --json']);
  check('preview', ['preview 1', 'preview 3', 'preview 6', 'preview 5'], { prepare: plan });
  check('projects', ['projects', 'projects --verbose', 'projects --json'], {
    prepare: addProjects,
  });
  check('projects-none', ['projects', 'project show', 'project create', 'project show']);
  check(
    'project',
    [
      'project show',
      'project show site',
      'project show --json',
      'project auto-commit agentPathsOnly',
      'project auto-commit site off',
      'project rename site web',
      'project describe Everything',
      'project joins hand',
      'project pause',
      'project resume --json',
      'project done shop',
      'project move web',
      'project init',
      'project attach --session 4f77',
      'project detach --session 4f77',
      'project import',
      'project remove web',
      'project remove web --yes',
      'project show web',
      'projects',
    ],
    { prepare: addProjects },
  );
  check(
    'project-json',
    [
      'project create new --json --init --by-hand --description About',
      'project attach --json',
      'project detach --json',
      'project import --json',
      'project remove --json --yes',
    ],
    { prepare: addProjects, fresh: true },
  );
  check(
    'project-revert-commits',
    [
      'revert 3 --yes',
      'project revert-commits',
      'project revert-commits 3 --yes',
      'project revert-commits --json',
      'project revert-commits 4 --yes',
      'project revert-commits --yes',
    ],
    {
      prepare(app) {
        addProjects(app);
        const [made] = app.projects.commitList;
        for (const { id } of made ? app.turnList.slice(0, 3).toReversed() : [])
          app.projects.revertableList.push({ ...made!, turn: id });
      },
    },
  );
  check('project-strange', ['project create', 'project show', 'project create --yes'], {
    prepare: (app) => {
      addProjects(app);
      const [project] = app.projects.projectList;
      if (project) app.projects.here = { kind: 'unsure', project };
    },
  });
  check('preview-json', ['preview 3 --json', 'preview 5 --json'], { prepare: plan });
  check(
    'rewind',
    ['rewind 3 --yes', 'redo', 'redo --yes', 'redo --yes', 'rewind 1 --yes', 'redo --yes'],
    { prepare: plan },
  );
  check(
    'rewind-json',
    ['rewind 3 --json', 'rewind 3 --yes --json', 'redo --json', 'redo --yes --json'],
    { prepare: plan },
  );
  check(
    'rewind-conflicts',
    ['keep', 'fail', 'take', 'merge'].flatMap((choice) => [
      `rewind 3 --conflicts ${choice}`,
      `rewind 3 --conflicts ${choice} --yes`,
    ]),
    { prepare: plan, fresh: true },
  );
  check('rewind-kept', ['rewind 3 --yes', 'rewind 3 --yes --json'], {
    prepare: (app) =>
      app.plans.set(asTurnId('turn-bbbb3333'), { paths: [], conflicts: conflicting }),
  });
  check('rewind-in-part', ['rewind 3 --yes --root .', 'operations', 'show 3', 'redo --yes'], {
    prepare: plan,
  });
  check(
    'rewind-partial',
    ['rewind 3', 'rewind 3 --yes', 'rewind 3 --partial', 'rewind 3 --partial --yes'],
    { prepare: lose },
  );
  check('rewind-asked', ['rewind 3', 'redo'], { interactive: true, typed: 'y\n', prepare: plan });
  check('rewind-declined', ['rewind 3'], { interactive: true, typed: 'n\n', prepare: plan });
  check('rewind-running', ['rewind 6 --yes', 'rewind 6 --yes --force']);
  check(
    'revert',
    ['revert 3', 'revert 3 --yes', 'list', 'revert 3 --yes --conflicts fail', 'undo --yes', 'list'],
    { prepare: plan },
  );
  check(
    'revert-conflicts',
    ['keep', 'fail', 'take', 'merge'].flatMap((choice) => [
      `revert 3 --conflicts ${choice}`,
      `revert 3 --conflicts ${choice} --yes`,
    ]),
    { prepare: plan, fresh: true },
  );
  check('revert-json', ['revert 3 --json', 'revert 3 --yes --json'], { prepare: plan });
  check('revert-declined', ['revert 3'], { interactive: true, typed: 'n\n', prepare: plan });
  check('restore', [
    'restore 3 src/reader.ts',
    'restore 3 src/reader.ts --yes',
    'restore 3 src/reader.ts --after --yes',
    'restore 1 src/my',
    'redo',
    'undo --yes',
  ]);
  check('restore-kept', ['restore 3 src/reader.ts --yes', 'restore 3 src/reader.ts --yes --json'], {
    prepare: (app) =>
      app.plans.set(asTurnId('turn-bbbb3333'), { conflicts: [{ ...ownEdit, act: 'write' }] }),
  });
  check('restore-json', [
    'restore 3 src/reader.ts --json',
    'restore 3 src/reader.ts --after --yes --json',
  ]);
  check('restore-asked', ['restore 3 src/reader.ts'], { interactive: true, typed: 'y\n' });
  check(
    'operations',
    ['operations', 'operations --verbose', 'operations --json', 'operations --session 4f77'],
    { prepare: act },
  );
  check('operations-narrow', ['operations'], { columns: 80, prepare: act });
  check('operations-none', ['operations', 'operations --json', 'undo --yes', 'redo --yes']);
  check(
    'undo',
    [
      'undo',
      'undo --yes',
      'undo --yes',
      'undo 3 --yes',
      'undo 2 --yes',
      'undo 5',
      'undo op',
      'undo op99',
    ],
    { prepare: act },
  );
  check('undo-json', ['undo --json', 'undo 5 --yes --json'], { prepare: act });
  check('undo-asked', ['undo op3'], { interactive: true, typed: 'y\n', prepare: act });
  check('snapshots', ['snapshots', 'snapshots --verbose', 'snapshots --json', 'snapshot mine'], {
    prepare: photograph,
  });
  check('snapshots-none', ['snapshots', 'snapshots --json']);
  check('compare', ['compare aaaa', 'compare aaaa bbbb --names', 'compare aaaa --json'], {
    prepare: photograph,
  });
  check('compare-unknown', ['compare ffff'], { prepare: photograph });
  check(
    'restore-snapshot',
    ['restore-snapshot aaaa', 'restore-snapshot aaaa --yes', 'operations', 'undo --yes'],
    { prepare: photograph },
  );
  check('restore-snapshot-json', ['restore-snapshot aaaa --yes --json'], { prepare: photograph });
  check('pruned', ['list', 'show 1', 'show 2', 'show 4'], { prepare: act });
  check('doctor', ['doctor', 'doctor --json', 'doctor --finish']);
  check('doctor-problems', ['doctor', 'doctor --json', 'doctor --roll-back'], { prepare: breakIt });
  check(
    'doctor-repair',
    [
      'doctor --repair',
      'doctor --repair --json --roll-back',
      'doctor --repair --finish',
      'doctor --repair',
    ],
    { prepare: breakIt },
  );
  check('doctor-repair-all', ['doctor --repair --roll-back'], { prepare: breakIt });
});

const conflicting: readonly ConflictPath[] = [
  { path: 'notes.md', reason: 'It changed after turn 3.', act: 'write', merge: 'clean' },
  { path: 'new.ts', reason: 'It is gone.', act: 'create', merge: 'impossible' },
];

function plan(app: FakeTimelineApp): void {
  app.plans.set(asTurnId('turn-bbbb3333'), {
    paths: [
      { path: 'src/reader.ts', act: 'write', added: 12, removed: 40, unverified: false },
      { path: 'evil\u001b[2J\nname', act: 'delete', added: null, removed: 1, unverified: false },
      { path: 'old.ts', act: 'create', added: 9, removed: null, unverified: true },
      { path: 'same.ts', act: 'none', added: 0, removed: 0, unverified: false },
    ],
    conflicts: conflicting,
    warnings: ['HEAD is now at another commit than when turn 3 began.'],
  });
}

const ownEdit = { path: 'src/reader.ts', reason: 'It was changed after the agent left it.' };

/** Operations of every kind, in every condition, and turns that they and the limits took. */
function act(app: FakeTimelineApp): void {
  const session = asSessionId('4f2a9c10-1111-4222-8333-444455556666');
  const add = (given: Pick<OperationSummary, 'kind' | 'label'> & Partial<OperationSummary>) => {
    const number = app.operationList.length + 1;
    app.operationList.push({
      id: asOperationId(`op${number}`),
      session,
      at: fixedNow - (60 - number) * 3_600_000,
      paths: ['src/reader.ts'],
      undone: false,
      pruned: false,
      ...given,
    });
  };
  add({ kind: 'rewind', label: 'Rewound to before turn 1', undone: true, pruned: true });
  add({ kind: 'redo', label: 'Undid: Rewound to before turn 1', pruned: true });
  add({
    kind: 'rewind',
    label: 'Rewound to before turn 2',
    paths: ['old.ts', 'evil\u001b[2J\nname', 'a/long/way/down/to/the/file.ts'],
  });
  add({ kind: 'revert', label: 'Reverted turn 4' });
  add({
    kind: 'restore',
    label: 'Restored src/cli.ts to before turn 1',
    paths: ['src/cli.ts'],
    session: asSessionId('4f77aa00-0000-4000-8000-000000000001'),
  });
  const change = (number: number, change: Partial<TurnSummary>) => {
    const at = app.turnList.findIndex((turn) => turn.number === number);
    const turn = app.turnList[at];
    if (turn !== undefined) app.turnList[at] = { ...turn, ...change };
  };
  change(1, { rewoundBy: asOperationId('op1'), prunedAt: fixedNow - 86_400_000 });
  change(2, { prunedAt: fixedNow - 86_400_000 });
  change(4, { rewoundBy: asOperationId('op4') });
}

function lose(app: FakeTimelineApp): void {
  app.plans.set(asTurnId('turn-bbbb3333'), {
    notRestorable: [{ path: 'big.bin', reason: 'Its saved bytes are gone.' }],
  });
}

const mendable: readonly Finding[] = [
  { severity: 'note', subject: '/store/.memcode-tmp-\u001b', text: 'It was left behind.' },
  { severity: 'problem', subject: 'turn 4', text: 'It is marked as taken back.' },
];

function breakIt(app: FakeTimelineApp): void {
  app.pendingList = [
    {
      operation: asOperationId('op7'),
      kind: 'rewind',
      root: '/repo',
      startedAt: Date.UTC(2026, 2, 5, 11, 30),
      paths: ['a.txt', 'b\u001b[1m.txt'],
    },
  ];
  app.findings = [
    { severity: 'note', subject: 'store', text: '12 checkpoints, 3.1 MB.' },
    { severity: 'problem', subject: 'turn 5', text: 'Its manifest is not JSON.' },
    ...mendable,
  ];
  app.mendable = [...mendable];
}

/** Two snapshots, and what lies between the older one and the present. */
function photograph(app: FakeTimelineApp): void {
  const base = { at: fixedNow - 60_000, session: null, turn: null, turnNumber: 0 };
  const ids = ['b'.repeat(40), 'a'.repeat(40)] as const;
  app.snapshotList.push(
    {
      ...base,
      id: ids[0],
      shortId: ids[0].slice(0, 8),
      reason: 'command',
      label: 'Bash: make \u001b[31mall',
      session: asSessionId('s'),
      turn: asTurnId('turn-a'),
      turnNumber: 3,
    },
    { ...base, id: ids[1], shortId: ids[1].slice(0, 8), reason: 'person', label: 'mine' },
  );
  app.snapshotPlan = {
    paths: [{ path: 'a.txt', act: 'write', added: 1, removed: 1, unverified: false }],
    notRestorable: [{ path: 'big.bin', reason: 'It was not captured then (tooLarge).' }],
  };
  const bytes = (text: string) => ({
    kind: 'bytes' as const,
    bytes: Buffer.from(text),
    verified: true,
    mode: 0o644,
  });
  app.contents.set(`${ids[1]} a.txt`, bytes('old\n'));
  app.contents.set(`${ids[0]} a.txt`, bytes('new\n'));
}
