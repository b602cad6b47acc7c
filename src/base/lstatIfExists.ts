/** What is at a path, or nothing. Node's own `throwIfNoEntry: false` still throws when a folder on the way is a file. */
import fs from 'node:fs';
import { isMissing } from './atomicFile.ts';

/** Does not follow a link in the last place. @throws any system error but "nothing is there". */
export function lstatIfExists(file: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
