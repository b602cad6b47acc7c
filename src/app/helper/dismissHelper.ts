/** Ends a root's helper: what it works on is about to go. */
import type { Root } from '../../core/ids.ts';
import { connectHelper } from './connectHelper.ts';

/** Above any of ours: every helper makes way for it. */
const newest = '999999.0.0';

/** Returns when it has left, or there was none; one that does not answer is left alone. */
export async function dismissHelper(home: string, root: Root): Promise<void> {
  const connected = await connectHelper({ home, root, version: newest });
  if (typeof connected === 'object') connected.close();
}
