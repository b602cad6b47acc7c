/** Loading and activating the extension, its own work alone: milliseconds, not a ratio. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { projectFolder } from '../../tools/paths.ts';
import type { Bar } from '../bar.ts';
import { median, spread } from '../interleave.ts';

const rounds = 30;

export async function activation(): Promise<Bar> {
  const bundle = path.join(projectFolder, 'dist', 'extension.cjs');
  const child = path.join(import.meta.dirname, 'activateOnce.ts');
  const samples = Array.from({ length: rounds }, () => {
    const output = execFileSync(process.execPath, [child, bundle], { encoding: 'utf8' });
    const { milliseconds, commands } = JSON.parse(output);
    assert.ok(commands > 0, 'no command was registered');
    return Number(milliseconds);
  });
  return {
    name: 'hook.activation',
    measured: median(samples),
    limit: 50,
    notes: [spread('load and activate', samples)],
  };
}
