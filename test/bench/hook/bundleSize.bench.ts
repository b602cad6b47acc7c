/** What VS Code has to read: of the extension, all that opening the timeline loads; of the page, everything. */
import fs from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../../tools/paths.ts';
import type { Bar } from '../bar.ts';

const folder = path.join(projectFolder, 'dist', 'extension');

export async function bundleSize(): Promise<readonly Bar[]> {
  const files = fs.readdirSync(folder);
  const opening = files.filter((name) => /^openTimelineApp-\w+\.mjs$/.test(name));
  if (opening.length !== 1)
    throw new Error(`${folder} has ${opening.length} parts that open the timeline.`);
  const loaded = closure(['activate.mjs', ...opening]);
  const entry = sizeOf('extension.cjs');
  return [
    {
      name: 'hook.extensionBytes',
      measured: entry + sum(loaded),
      limit: 600_000,
      notes: [
        `at activation ${entry + sum(closure(['activate.mjs']))}, with everything that only some commands need ${entry + sum(files)}`,
      ],
    },
    { name: 'hook.webviewBytes', measured: sizeOf('timeline.js'), limit: 250_000 },
  ];
}

/** The files and what they import, except by `import()`. */
function closure(entries: readonly string[]): readonly string[] {
  const reached = new Set(entries);
  for (const name of reached) {
    const text = fs.readFileSync(path.join(folder, name), 'utf8');
    for (const [, imported = ''] of text.matchAll(/(?:from|import)"\.\/([\w.-]+)"/g))
      reached.add(imported);
  }
  return [...reached];
}

function sum(names: readonly string[]): number {
  return names.reduce((total, name) => total + sizeOf(path.join('extension', name)), 0);
}

function sizeOf(name: string): number {
  return fs.statSync(path.join(projectFolder, 'dist', name)).size;
}
