/** What the next pre-image needs made ahead: see `spareFiles.ts`. */
import { lstatIfExists } from '../base/lstatIfExists.ts';
import { keepSpares } from '../base/spareFiles.ts';
import type { Root } from '../core/ids.ts';
import { memcodeFolder } from './places.ts';

/** A copy and a manifest. */
const forOneEdit = 2;

/** Call when nobody waits. Nothing is made where there is no store yet, nor through a link (invariant 1). @throws system errors. */
export function keepCaptureSpares(root: Root): void {
  const folder = memcodeFolder(root);
  if (lstatIfExists(folder)?.isDirectory()) keepSpares(folder, forOneEdit);
}
