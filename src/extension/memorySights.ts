/** What the Memory view shows of a window: of its one folder, or of all its folders and of what counts everywhere. No vscode. */
import type { TimelineApp } from '../app/timelineApp.ts';
import type { Root } from '../core/ids.ts';
import type { PendingWrite } from '../core/memory.ts';
import { type MemorySight, readMemorySight } from './memorySight.ts';
import type { RootFolder } from './timelineModel.ts';

export interface FolderSight extends RootFolder {
  /** Of this folder alone. */
  readonly sight: MemorySight;
}

export interface MemorySights {
  /** Of all projects; with that of its folder where a window has one. */
  readonly common: MemorySight;
  /** Empty where there is one folder, or none. */
  readonly folders: readonly FolderSight[];
}

type App = Pick<TimelineApp, 'memory' | 'memoryContext' | 'turn'>;

/** @param folders whose memory may be read @throws UserError when memory cannot be read. */
export async function readMemorySights(
  app: App,
  folders: readonly RootFolder[],
): Promise<MemorySights> {
  const [first, ...others] = folders;
  if (others.length === 0)
    return { common: await readMemorySight(app, first?.root ?? null), folders: [] };
  const common = await readMemorySight(app, null);
  const own: FolderSight[] = [];
  for (const folder of folders)
    own.push({ ...folder, sight: without(await readMemorySight(app, folder.root), common) });
  return { common, folders: own };
}

/** The folders to ask for memory; that of all projects alone where there is none. */
export function rootsOf(folders: readonly RootFolder[]): readonly (Root | null)[] {
  return folders.length === 0 ? [null] : folders.map(({ root }) => root);
}

/** How many writes wait in what was read, each counted once. */
export function waitingCount({ common, folders }: MemorySights): number {
  const all = [common, ...folders.map(({ sight }) => sight)];
  return new Set(all.flatMap(({ waiting }) => waiting.map(({ id }) => id))).size;
}

/** Everything that waits in a window, each once: folders of one repository have the same memory. */
export async function pendingIn(
  app: Pick<TimelineApp, 'memory'>,
  folders: readonly RootFolder[],
): Promise<readonly { readonly root: Root | null; readonly write: PendingWrite }[]> {
  const memory = await app.memory();
  const found = new Map<string, { readonly root: Root | null; readonly write: PendingWrite }>();
  for (const root of rootsOf(folders))
    for (const write of await memory.pending(root))
      if (!found.has(write.id)) found.set(write.id, { root, write });
  return [...found.values()];
}

/** What is of the folder alone. */
function without(sight: MemorySight, common: MemorySight): MemorySight {
  const { documents } = sight;
  const skipped = new Set(common.documents.skipped.map(({ file }) => file));
  const problems = new Set(common.problems.map(({ path, text }) => `${path}\n${text}`));
  return {
    ...sight,
    notes: sight.notes.filter(({ scope }) => scope === 'project'),
    sheets: sight.sheets.filter(({ scope }) => scope === 'environment'),
    documents: {
      ...documents,
      documents: documents.documents.filter(({ scope }) => scope !== 'user'),
      skipped: documents.skipped.filter(({ file }) => !skipped.has(file)),
    },
    presets: common.presets,
    portraits: [],
    waiting: sight.waiting.filter(({ project }) => project !== null),
    problems: sight.problems.filter(({ path, text }) => !problems.has(`${path}\n${text}`)),
  };
}
