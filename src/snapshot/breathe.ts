import { setImmediate } from 'node:timers/promises';

let lastBreath = 0;

/** Lets others of this thread have their turn, when some milliseconds have passed. */
export async function breathe(): Promise<void> {
  if (performance.now() - lastBreath < 6) return;
  await setImmediate();
  lastBreath = performance.now();
}
