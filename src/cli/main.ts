#!/usr/bin/env node
/**
 * Entry of `memcode-timeline`: hands `process` and its environment to `runProcess`, beyond which nothing of the CLI
 * touches either. A `hook` call goes straight to the hook entry: whatever else the CLI needs is imported afterwards.
 */

async function main(): Promise<void> {
  const [verb, ...rest] = process.argv.slice(2);
  if (verb === 'hook' && !rest.some((arg) => arg === '--help' || arg === '-h')) {
    await callHook(rest);
    return;
  }
  const { runProcess } = await import('./runProcess.ts');
  await runProcess(process, process.env, callHook);
}

async function callHook(args: readonly string[]): Promise<void> {
  const { runHook } = await import('./hook.ts');
  await runHook(args, process.env);
}

void main();
