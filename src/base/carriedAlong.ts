/**
 * Spares flushes of folders. ext3, ext4 and XFS write the changes of names of a whole file system out in the order they
 * were made, in one log: who makes the last one durable has made those before it durable. Elsewhere (btrfs, APFS, NTFS,
 * networks) each folder has to be flushed on its own. On ext2 and without a journal no order of names outlives a crash,
 * whatever is flushed.
 */
import fs from 'node:fs';

const oneLog = new Set([0xef53, 0x58465342]);

/** Whether flushing `last` later makes what has been renamed or created in `folder` by then durable too. @throws system errors. */
export function isCarriedAlong(folder: string, last: string): boolean {
  return (
    process.platform === 'linux' &&
    oneLog.has(fs.statfsSync(last).type) &&
    fs.statSync(folder).dev === fs.statSync(last).dev
  );
}
