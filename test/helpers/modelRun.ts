/** Runs one sequence and checks, after each step and at the end, what must always hold. */
import assert from 'node:assert/strict';
import type { SideContent } from '../../src/app/timelineApp.ts';
import { asTurnId } from '../../src/core/ids.ts';
import { isFolder } from './modelDisk.ts';
import { operate } from './modelOperation.ts';
import type { OperationStep, Step } from './modelSteps.ts';
import { ModelWorld } from './modelWorld.ts';

export async function runSteps(steps: readonly Step[]): Promise<void> {
  using world = new ModelWorld();
  for (const step of steps) {
    if (isOperation(step)) await operate(world, step);
    else await world.take(step);
    checkMarks(world);
  }
  world.ingest();
  checkMarks(world);
  world.unseen(() => {
    checkTurns(world);
    checkContents(world);
  });
  const findings = await world.app.doctor(world.root);
  assert.deepEqual(
    findings.filter((finding) => finding.severity === 'problem'),
    [],
    'the doctor',
  );
}

function isOperation(step: Step): step is OperationStep {
  return ['rewind', 'revert', 'restore', 'redo'].includes(step.do);
}

/** Which turns are taken back, and by what. */
function checkMarks(world: ModelWorld): void {
  const isFresh = world.isFresh();
  const told = ([0, 1] as const).flatMap((by) => world.turns(by));
  for (const { id, rewoundBy, damaged } of told) {
    const turn = world.book.turns.get(id);
    assert.ok(turn, `nobody began ${id}`);
    assert.equal(rewoundBy, turn.rewoundBy, `what took ${id} back`);
    // A turn that turns out to have changed nothing has no checkpoint any more, which is known when its end is taken in.
    if (isFresh) assert.equal(damaged, null, `${id} is damaged`);
  }
}

function checkTurns(world: ModelWorld): void {
  for (const by of [0, 1] as const) {
    assert.deepEqual(
      world.turns(by).map(({ id, seq }) => [id, seq]),
      world.book.turnsOf(by).map(({ id, seq }) => [id, seq]),
      'the turns',
    );
  }
}

/** Both sides of every file that a turn changed, also of a turn that was taken back. */
function checkContents(world: ModelWorld): void {
  for (const turn of world.book.turns.values()) {
    const made = world.book.foldersMadeBy([turn]);
    for (const { path, before, left } of turn.rows.values()) {
      if (left === undefined || left === before) continue;
      // Before its first edit it was not there, before the one that named it, it was.
      if (isFolder(before) && made.has(path)) continue;
      const sides = (['before', 'after'] as const).map((side) =>
        stateOfContent(world.app.content(asTurnId(turn.id), path, side)),
      );
      assert.deepEqual(sides, [plain(before), plain(left)], `${path} of ${turn.id}`);
    }
  }
}

function stateOfContent(content: SideContent): string {
  switch (content.kind) {
    case 'bytes':
      return `file ${content.mode?.toString(8)} ${Buffer.from(content.bytes).toString('latin1')}`;
    case 'symlink':
      return `link ${content.target}`;
    case 'directory':
      return 'folder';
    case 'absent':
      return 'absent';
    case 'unavailable':
      return content.reason;
  }
}

const plain = (state: string): string => (isFolder(state) ? 'folder' : state);
