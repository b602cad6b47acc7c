/** Runs one sequence and checks, after each step and at the end, what must always hold. */
import assert from 'node:assert/strict';
import { operate } from './modelOperation.ts';
import type { OperationStep, Step } from './modelSteps.ts';
import { ModelWorld, type PlainStep } from './modelWorld.ts';

export async function runSteps(steps: readonly Step[]): Promise<void> {
  using world = new ModelWorld();
  for (const step of steps) {
    if (isOperation(step)) await operate(world, step);
    else await world.take(step);
    checkMarks(world);
  }
  world.ingest();
  checkMarks(world);
  checkTurns(world);
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

export type { PlainStep };
