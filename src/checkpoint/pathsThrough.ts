/** Which files a tool changes that writes to a path: the path itself and, where it is a link, what the link leads to. */
import fs from 'node:fs';
import path from 'node:path';
import { textOf } from '../base/bytesAsText.ts';
import { lstatIfExists } from '../base/lstatIfExists.ts';

const mostLinks = 40;

/**
 * `given` first, then the end of each link. Nothing is refused here: where a link leads out of the root, saving what is
 * there is refused, and said. @param base absolute folder that relative names start from
 */
export function pathsThrough(given: string, base: string): readonly string[] {
  const paths = [given];
  // Joined by hand, as in `canonicalKey`: the disk goes through a link before it goes up.
  let at = path.isAbsolute(given) ? given : `${base}${path.sep}${given}`;
  try {
    while (paths.length <= mostLinks && lstatIfExists(at)?.isSymbolicLink()) {
      const target = textOf(fs.readlinkSync(at, 'buffer'));
      if (target === undefined) break;
      at = path.isAbsolute(target) ? target : `${path.dirname(at)}${path.sep}${target}`;
      paths.push(at);
    }
  } catch {
    // What cannot be looked at cannot be written through either; saving `given` itself says why.
  }
  return paths;
}
