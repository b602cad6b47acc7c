/**
 * `npm run bench -- GROUP…`: builds, runs the groups' bars (`test/bench/GROUP/*.bench.ts`; none named: all) and prints one
 * line a bar. Ends with 1 when a bar is missed.
 */
import { globSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectFolder } from '../tools/paths.ts';
import { mustRun } from '../tools/runCommand.ts';
import { type Bar, type Bench, barLine, isMet } from './bar.ts';

await main(process.argv.slice(2));

async function main(wanted: readonly string[]): Promise<void> {
  const known = groups();
  const unknown = wanted.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    console.error(`There is no group ${unknown.join(', ')}. Groups: ${known.join(' ')}`);
    process.exitCode = 2;
    return;
  }
  await mustRun('npm', ['run', '--silent', 'build'], { cwd: projectFolder });
  const missed: Bar[] = [];
  for (const group of wanted.length === 0 ? known : wanted)
    for (const bench of await benches(group))
      for (const bar of [await bench()].flat()) {
        console.log(barLine(bar));
        for (const note of bar.notes ?? []) console.log(`    ${note}`);
        if (!isMet(bar)) missed.push(bar);
      }
  for (const { name } of missed) console.error(`missed: ${name}`);
  if (missed.length > 0) process.exitCode = 1;
}

function groups(): readonly string[] {
  return readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

async function benches(group: string): Promise<readonly Bench[]> {
  const files = globSync(`${group}/*.bench.ts`, { cwd: import.meta.dirname }).sort();
  const found: Bench[] = [];
  for (const file of files) {
    const exported: object = await import(pathToFileURL(path.join(import.meta.dirname, file)).href);
    found.push(...Object.values(exported).filter((value) => typeof value === 'function'));
  }
  if (found.length === 0) throw new Error(`The group ${group} has no bench.`);
  return found;
}
