/** The contract of snapshots as operations of the helper: what `snapshotsByHelper` asks is what these answer. */
import type { RestoreStep } from '../../snapshot/restorePlan.ts';
import type { SnapshotMeta } from '../../snapshot/snapshotTypes.ts';
import type { CreateWhen, MaintainOptions, RestoreOptions, Snapshots } from '../snapshots.ts';
import type { Asked, Operations } from './helperServer.ts';

/** Of `create`, in the helper: progress goes to whoever asked. */
export type CreateFor = (
  meta: SnapshotMeta,
  when: CreateWhen,
  onProgress: Asked['onProgress'],
) => ReturnType<Snapshots['create']>;

/** Arguments are what a client of the same protocol sends, who has shown the token: taken as they are. */
export function snapshotOperations(snapshots: Snapshots, create: CreateFor): Operations {
  const text = (value: unknown): string => String(value);
  return {
    create: ([meta, within], { signal, onProgress }) =>
      create(
        meta as SnapshotMeta,
        { signal, ...(typeof within === 'number' && { within }) },
        onProgress,
      ),
    list: () => snapshots.list(),
    lookup: ([prefix]) => snapshots.lookup(text(prefix)),
    diff: ([before, after]) => snapshots.diff(text(before), text(after)),
    stateAt: ([id, at]) => snapshots.stateAt(text(id), text(at)),
    plainStateAt: ([id, at]) => snapshots.plainStateAt(text(id), text(at)),
    async read([id, at]) {
      return Buffer.from(await snapshots.read(text(id), text(at))).toString('base64');
    },
    copyTo: ([id, at, file]) => snapshots.copyTo(text(id), text(at), text(file)),
    restorePlan: ([id, options], { signal }) =>
      snapshots.restorePlan(text(id), { ...(options as RestoreOptions), signal }),
    materialise: ([steps, folder]) =>
      snapshots.materialise(steps as readonly RestoreStep[], text(folder)),
    archive: ([name, folder, held]) =>
      snapshots.archive(text(name), text(folder), held as readonly string[]),
    archives: () => snapshots.archives(),
    unarchive: ([name, folder]) => snapshots.unarchive(text(name), text(folder)),
    dropArchive: ([name]) => snapshots.dropArchive(text(name)),
    settle: () => snapshots.settle(),
    maintain: ([options]) => snapshots.maintain(options as MaintainOptions),
  };
}
