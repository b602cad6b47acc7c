/** What VS Code has to read before anything shows. */
import fs from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../../tools/paths.ts';
import type { Bar } from '../bar.ts';

export async function bundleSize(): Promise<readonly Bar[]> {
  return [
    { name: 'hook.extensionBytes', measured: sizeOf('extension.cjs'), limit: 600_000 },
    { name: 'hook.webviewBytes', measured: sizeOf('timeline.js'), limit: 250_000 },
  ];
}

function sizeOf(name: string): number {
  return fs.statSync(path.join(projectFolder, 'dist', name)).size;
}
