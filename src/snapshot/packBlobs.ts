/** Reads many paths, stores what the repository lacks in one pack of their own. For worker threads. */
import path from 'node:path';
import { rawId } from '../git/gitObject.ts';
import { ObjectStore } from '../git/objectStore.ts';
import { PackWriter } from '../git/packWriter.ts';
import type { Stamp } from './fileTable.ts';
import { readBlob } from './readBlob.ts';
import { type PackReply, packStatus } from './workerMessages.ts';

export interface PackJob {
  readonly root: string;
  /** `objects` of the repository. */
  readonly objects: string;
  readonly maxFileSize: number;
  readonly durable: boolean;
  readonly paths: readonly string[];
  readonly areLinks: Uint8Array;
}

/** @throws the system error of a store that cannot be written; nothing of the pack is left then. */
export function packBlobs(job: PackJob): PackReply {
  const store = new ObjectStore(job.objects);
  const pack = new PackWriter(path.join(job.objects, 'pack'), { durable: job.durable });
  const status = new Uint8Array(job.paths.length);
  const ids = Buffer.alloc(job.paths.length * 20);
  const stamps: (Stamp | undefined)[] = [];
  let bytes = 0;
  let base: string | undefined;
  try {
    job.paths.forEach((name, i) => {
      const read = readBlob(job.root, name, job.areLinks[i] === 1, job.maxFileSize);
      status[i] = packStatus.indexOf(read.kind);
      stamps.push(read.kind === 'blob' ? read.stamp : undefined);
      if (read.kind !== 'blob') return;
      const raw = rawId('blob', read.bytes);
      ids.set(raw, i * 20);
      bytes += read.bytes.length;
      if (!store.hasRaw(raw)) pack.addKnown('blob', raw, raw.toString('hex'), read.bytes);
    });
    base = pack.finish();
  } catch (error) {
    pack.discard();
    throw error;
  } finally {
    store.close();
  }
  return { status, ids, stamps, bytes, base };
}
