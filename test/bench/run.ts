/**
 * `npm run bench -- GROUP…`: builds, runs the groups' bars (`test/bench/GROUP/*.bench.ts`; none named: all) and prints one
 * line a bar. Ends with 1 when a bar is missed.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectFolder } from '../tools/paths.ts';
import { mustRun } from '../tools/runCommand.ts';
import { type Bench, barLine, isMet } from './bar.ts';

/** Names the file that a process runs. */
const benchFile = 'MEMCODE_BENCH_FILE';

const one = process.env[benchFile];
await (one === undefined ? main(process.argv.slice(2)) : runFile(one));

async function main(wanted: readonly string[]): Promise<void> {
  const known = groups();
  const unknown = wanted.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    console.error(`There is no group ${unknown.join(', ')}. Groups: ${known.join(' ')}`);
    process.exitCode = 2;
    return;
  }
  await mustRun('npm', ['run', '--silent', 'build'], { cwd: projectFolder });
  const missed: string[] = [];
  for (const group of wanted.length === 0 ? known : wanted)
    for (const file of benchFiles(group)) missed.push(...(await inProcess(file)));
  for (const name of missed) console.error(`missed: ${name}`);
  if (missed.length > 0) process.exitCode = 1;
}

/**
 * Each file in a process of its own: what one leaves in memory makes every process longer to start that the next one
 * measures. @returns names of the bars missed
 */
async function inProcess(file: string): Promise<readonly string[]> {
  const child = fork(import.meta.filename, [], { env: { ...process.env, [benchFile]: file } });
  const missed: string[] = [];
  child.on('message', (name) => missed.push(String(name)));
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${path.basename(file)} ended with ${code}.`);
  return missed;
}

async function runFile(file: string): Promise<void> {
  const exported: object = await import(pathToFileURL(file).href);
  const benches = Object.values(exported).filter(
    (value): value is Bench => typeof value === 'function',
  );
  for (const bench of benches)
    for (const bar of [await bench()].flat()) {
      console.log(barLine(bar));
      for (const note of bar.notes ?? []) console.log(`    ${note}`);
      if (!isMet(bar)) process.send?.(bar.name);
    }
  process.disconnect?.();
}

function groups(): readonly string[] {
  return readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

function benchFiles(group: string): readonly string[] {
  const files = globSync(`${group}/*.bench.ts`, { cwd: import.meta.dirname }).sort();
  if (files.length === 0) throw new Error(`The group ${group} has no bench.`);
  return files.map((file) => path.join(import.meta.dirname, file));
}
