/**
 * Random sequences of everything agents, people and the timeline do, against a naive account of who wrote what.
 * `MODEL_RUNS` says how many, `MODEL_SEED` which: without it always the same ones, so that a failure has its reason in what
 * was changed; `MODEL_SEED=random` looks for new ones. A failure prints the shortest sequence that shows it, to be kept in
 * `modelCases.test.ts`.
 */
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { runSteps } from '../helpers/modelRun.ts';
import { stepsArbitrary } from '../helpers/modelSteps.ts';

const runs = Number(process.env['MODEL_RUNS'] ?? 2_000);
const wanted = process.env['MODEL_SEED'] ?? '1366006696';
const seed = wanted === 'random' ? randomInt(2 ** 31) : Number(wanted);
/** Tests of so many sequences each: a test that is heard of now and then. */
const chunk = 250;

for (let from = 0; from < runs; from += chunk) {
  const numRuns = Math.min(chunk, runs - from);
  test(`random sequences ${from + 1} to ${from + numRuns} (MODEL_SEED=${seed})`, async () => {
    await fc.assert(fc.asyncProperty(stepsArbitrary(), runSteps), { seed: seed + from, numRuns });
  });
}
