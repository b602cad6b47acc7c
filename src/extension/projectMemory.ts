/** What a project's page shows of memory: what is remembered of this project alone. */
import type { MemoryUse } from '../app/memoryUse.ts';
import type { Root } from '../core/ids.ts';
import type { ProjectMemory } from '../protocol/projectMessages.ts';

const mostNotes = 50;

/** @throws UserError when memory cannot be read. */
export async function projectMemory(memory: MemoryUse, root: Root): Promise<ProjectMemory> {
  const [notes, sheets, pending] = await Promise.all([
    memory.list(root, { scope: 'project' }),
    memory.facts(root),
    memory.pending(root),
  ]);
  return {
    notes: notes.slice(0, mostNotes).map(({ name, hook, pinned, updatedAt }) => ({
      ...{ name, hook, pinned, updatedAt },
    })),
    noteCount: notes.length,
    facts: sheets.filter(({ scope }) => scope === 'environment').flatMap(({ facts }) => facts),
    pending: pending.filter(({ project }) => project !== null).length,
  };
}
