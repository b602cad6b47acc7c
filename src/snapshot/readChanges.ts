/** Reads the files that changed, gives each its id, and puts what the store lacks into a pack: here, or by threads. */

import { rawId } from '../git/gitObject.ts';
import type { ObjectStore } from '../git/objectStore.ts';
import type { PackWriter } from '../git/packWriter.ts';
import { isRacy } from './applyListing.ts';
import { breathe } from './breathe.ts';
import { type FileTable, racy, type Stamp, unread } from './fileTable.ts';
import { readBlob } from './readBlob.ts';
import { type PackReply, packStatus } from './workerMessages.ts';
import type { WorkerPool } from './workerPool.ts';

/** From this many files or bytes on, threads read. */
const worthThreads = { files: 150, bytes: 8 << 20 };

export interface ReadJob {
  readonly root: string;
  readonly table: FileTable;
  readonly entries: ReadonlySet<number>;
  readonly store: ObjectStore;
  readonly pack: PackWriter;
  /** `objects` of the repository. */
  readonly objects: string;
  readonly maxFileSize: number;
  readonly durable: boolean;
  readonly pool: WorkerPool | undefined;
  /** When looking for changes began, milliseconds. */
  readonly start: number;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((done: number, total: number) => void) | undefined;
  /** Packs that threads wrote are added here, without suffix; to be released once a ref reaches them, or none will. */
  readonly packs: string[];
}

/**
 * @throws the signal's reason, or the system error of a store that cannot be written.
 */
export async function readChanges(job: ReadJob): Promise<void> {
  const entries = [...job.entries];
  const bytes = entries.reduce((sum, entry) => sum + (job.table.columns.size[entry] ?? 0), 0);
  const isMuch = entries.length >= worthThreads.files || bytes >= worthThreads.bytes;
  if (job.pool?.isUsable && isMuch) return readByThreads(job, job.pool, entries);
  return readHere(job, entries);
}

async function readHere(job: ReadJob, entries: readonly number[]): Promise<void> {
  const { table, store, pack } = job;
  for (const [i, entry] of entries.entries()) {
    const isLink = table.isLink(entry);
    const read = readBlob(job.root, table.pathOf(entry), isLink, job.maxFileSize);
    if (read.kind !== 'blob') {
      leaveOut(table, entry, read.kind);
      continue;
    }
    const raw = rawId('blob', read.bytes);
    const isKnown = table.idOf(entry).equals(raw) && !table.hasFlag(entry, unread);
    if (!isKnown && !store.hasRaw(raw)) pack.addKnown('blob', raw, raw.toString('hex'), read.bytes);
    settle(job, entry, raw, read.stamp);
    job.onProgress?.(i + 1, entries.length);
    await breathe();
    job.signal?.throwIfAborted();
  }
}

/** Large jobs in parts, so that they can be followed and stopped; one pack a part and thread. */
async function readByThreads(
  job: ReadJob,
  pool: WorkerPool,
  entries: readonly number[],
): Promise<void> {
  const { table } = job;
  const perRequest = Math.max(64, Math.min(25_000, Math.ceil(entries.length / pool.size)));
  let done = 0;
  for (let at = 0; at < entries.length; at += perRequest * pool.size) {
    const round = entries.slice(at, at + perRequest * pool.size);
    const parts = Array.from({ length: pool.size }, (_, k) =>
      round.filter((__, i) => i % pool.size === k),
    ).filter((part) => part.length > 0);
    const replies = await pool.run(
      parts.map((part) => ({
        op: 'pack' as const,
        root: job.root,
        objects: job.objects,
        maxFileSize: job.maxFileSize,
        durable: job.durable,
        paths: part.map((entry) => table.pathOf(entry)),
        areLinks: Uint8Array.from(part, (entry) => Number(table.isLink(entry))),
      })),
    );
    parts.forEach((part, k) => {
      const reply = replies[k];
      if (reply === undefined) return;
      settleAll(job, part, reply);
      if (reply.base !== undefined) job.packs.push(reply.base);
    });
    done += round.length;
    job.onProgress?.(done, entries.length);
    job.signal?.throwIfAborted();
  }
  job.store.refresh();
}

function settleAll(job: ReadJob, part: readonly number[], reply: PackReply): void {
  const ids = Buffer.from(reply.ids.buffer, reply.ids.byteOffset, reply.ids.byteLength);
  part.forEach((entry, i) => {
    const kind = packStatus[reply.status[i] ?? 0] ?? 'gone';
    const stamp = reply.stamps[i];
    if (kind === 'blob' && stamp) settle(job, entry, ids.subarray(i * 20, i * 20 + 20), stamp);
    else if (kind !== 'blob') leaveOut(job.table, entry, kind);
  });
}

function settle(job: ReadJob, entry: number, raw: Buffer, stamp: Stamp): void {
  const { table } = job;
  const mode = table.gitMode(entry);
  const isSame = table.idOf(entry).equals(raw);
  table.idOf(entry).set(raw);
  table.setStamp(entry, stamp);
  table.setFlag(entry, unread, false);
  table.setFlag(entry, racy, isRacy(stamp, job.start));
  if (!isSame || mode !== table.gitMode(entry)) table.markDirty(table.parentOf(entry));
}

/** It went, or cannot be had, between looking and reading: the next snapshot looks at its folder again. */
function leaveOut(
  table: FileTable,
  entry: number,
  why: 'gone' | 'unreadable' | 'tooLarge' | 'changed',
): void {
  const folder = table.parentOf(entry);
  const name = table.names[entry] ?? '';
  table.setChildren(
    folder,
    folder.children.filter((child) => child !== entry),
  );
  table.setFlag(folder.entry, racy, true);
  if (why === 'unreadable' || why === 'tooLarge')
    table.setSkipped(folder, new Map([...folder.skipped, [name, why]]));
}
