/**
 * Spares flushes of folders. ext3, ext4 and XFS write the changes of names of a whole file system out in the order they
 * were made, in one log: who makes the last one durable has made those before it durable. Elsewhere (btrfs, APFS, NTFS,
 * networks) each folder has to be flushed on its own. On ext2 and without a journal no order of names outlives a crash,
 * whatever is flushed.
 */
import fs from 'node:fs';

const oneLog = new Set([0xef53, 0x58465342]);

/**
 * Whether flushing `last` later makes what has been renamed or created in a folder by then durable too.
 * @throws system errors, now (`last` is looked at once) and when asked.
 */
export function carriedBy(last: string): (folder: string) => boolean {
  if (process.platform !== 'linux' || !oneLog.has(fs.statfsSync(last).type)) return () => false;
  const { dev } = fs.statSync(last);
  return (folder) => fs.statSync(folder).dev === dev;
}
