/** The memory of a sample project, read and written by an app of the test's own. */
import type { MemoryContextUse } from '../../src/app/memoryContextUse.ts';
import type { MemoryUse } from '../../src/app/memoryUse.ts';
import { openTimelineApp } from '../../src/app/openTimelineApp.ts';
import type { TimelineApp } from '../../src/app/timelineApp.ts';
import type { Root } from '../../src/core/ids.ts';
import type { Demo } from '../demo/prepareDemo.ts';

export interface OpenMemory {
  readonly app: TimelineApp;
  readonly memory: MemoryUse;
  readonly context: MemoryContextUse;
  readonly root: Root;
}

export async function withMemory<T>(
  demo: Demo,
  use: (opened: OpenMemory) => T | Promise<T>,
): Promise<T> {
  const app = openTimelineApp({
    home: demo.timelineHome,
    userHome: demo.home,
    now: Date.now,
    log: () => undefined,
  });
  try {
    app.ingest();
    const [memory, context] = await Promise.all([app.memory(), app.memoryContext()]);
    return await use({ app, memory, context, root: app.rootOf(demo.workspace) });
  } finally {
    app.dispose();
  }
}
