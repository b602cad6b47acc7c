/** What doctor says of memory: files in it that cannot be read, or are not read. Changes nothing, and makes no memory. */
import fs from 'node:fs';
import { memoryFolder } from '../base/home.ts';
import type { Root } from '../core/ids.ts';
import type { OpenedMemory } from './openedMemory.ts';
import type { Finding } from './timelineApp.ts';

export async function memoryFindings(
  home: string,
  memory: OpenedMemory,
  root: Root,
): Promise<readonly Finding[]> {
  if (!fs.existsSync(memoryFolder(home))) return [];
  const problems = await (await memory.use()).problems(root);
  return problems.map(({ path, text }) => ({
    severity: 'problem',
    subject: `memory: ${path}`,
    text,
  }));
}
