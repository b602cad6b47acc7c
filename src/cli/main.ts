#!/usr/bin/env node
/**
 * Entry of `memcode-timeline`. The only file of the CLI that reads the environment, the home folder and `process`. A
 * `hook` call goes straight to the hook entry: whatever else the CLI needs is imported afterwards, if at all.
 */

async function main(): Promise<void> {
  const [verb, ...rest] = process.argv.slice(2);
  if (verb === 'hook' && !rest.some((arg) => arg === '--help' || arg === '-h')) {
    await runHook(rest);
    return;
  }
  const { runProcess } = await import('./runProcess.ts');
  await runProcess(process, process.env, runHook);
}

/** The hook entry runs when it is loaded and reads its agent from the arguments, as in its own bundle. */
async function runHook(args: readonly string[]): Promise<void> {
  process.argv.splice(2, process.argv.length, ...args);
  await import('./hook.ts');
}

void main();
