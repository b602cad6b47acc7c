/** Lists a whole work tree of which nothing is known yet: level by level in this thread, until there is enough for threads. */
import type { RuleSet } from '../git/ignoreRules.ts';
import { breathe } from './breathe.ts';
import type { CaptureRules } from './captureRules.ts';
import { join } from './fileTable.ts';
import type { EncodedListing } from './listingCodec.ts';
import { isFolderMode, type ListedFolder, type ListTask, listTree } from './listTree.ts';
import type { WorkerPool } from './workerPool.ts';

/** Below this many entries threads cost more than they save. */
export const worthThreads = 3000;
/** Listing tasks handed to threads at a time: enough that none idles for long. */
const wantedTasks = 48;

export interface WholeListing {
  readonly top: ListTask;
  /** Calls with what the threads are to take for the root. */
  readonly fromRoot: (work: (from: string) => Promise<void>) => Promise<void>;
  /** Parents come first, in both. */
  readonly onFolder: (listed: ListedFolder) => void;
  readonly onListing: (listing: EncodedListing) => void;
  /** What this thread does once the others are busy; not called where they are not needed. */
  readonly beside: () => void;
}

/** @param pool undefined: everything in this thread. @throws what the calls throw; system errors */
export async function listEverything(
  rules: CaptureRules,
  pool: WorkerPool | undefined,
  { top, fromRoot, onFolder, onListing, beside }: WholeListing,
): Promise<void> {
  let tasks: ListTask[] = [top];
  let entries = 0;
  while (tasks.length > 0) {
    if (pool && (tasks.length >= wantedTasks || (entries > worthThreads && tasks.length > 1)))
      break;
    const next: ListTask[] = [];
    for (const task of tasks) {
      const [folder] = listTree(rules, task, () => false);
      if (folder === undefined) continue;
      onFolder(folder);
      entries += folder.entries.length;
      next.push(...tasksIn(rules, folder, rules.chainIn(task.above, task.path)));
      await breathe();
    }
    tasks = next;
  }
  if (tasks.length === 0 || !pool) return;
  const size = Math.ceil(tasks.length / wantedTasks);
  await fromRoot(async (root) => {
    const data = { ...rules.data, root };
    const requests = chunksOf(tasks, size).map((part) => ({
      op: 'list' as const,
      rules: data,
      tasks: part.map(({ path, onlyTracked, stamp }) => ({ path, onlyTracked, stamp })),
    }));
    const listed = pool.run(requests, ({ listing }) => onListing(listing));
    await Promise.all([listed, (async () => beside())()]);
  });
}

function tasksIn(
  rules: CaptureRules,
  folder: ListedFolder,
  above: readonly RuleSet[],
): readonly ListTask[] {
  return folder.entries.flatMap((entry) => {
    if (!isFolderMode(entry.mode)) return [];
    const path = join(folder.path, entry.name);
    const judged = rules.judgeFolder(above, path, entry.name, folder.onlyTracked);
    return judged.capture ? [{ path, onlyTracked: judged.onlyTracked, stamp: entry, above }] : [];
  });
}

function chunksOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}
