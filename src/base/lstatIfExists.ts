/** What is at a path, or nothing. Node's own `throwIfNoEntry: false` still throws when a folder on the way is a file. */
import fs from 'node:fs';
import { isMissing } from './atomicFile.ts';

/** Does not follow a link in the last place. @throws any system error but "nothing is there". */
export function lstatIfExists(file: string): fs.Stats | undefined {
  return orNothing(() => fs.lstatSync(file, { throwIfNoEntry: false }));
}

/** The same with whole nanoseconds and all digits of the inode. */
export function exactLstat(file: string): fs.BigIntStats | undefined {
  return orNothing(() => fs.lstatSync(file, { bigint: true, throwIfNoEntry: false }));
}

function orNothing<T>(look: () => T | undefined): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
