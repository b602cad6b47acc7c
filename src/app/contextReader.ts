/** Reads what agents are to know in a folder, again only when something that it depends on has changed. For hosts that live on. */
import { type ContextPlace, type MemoryContext, readMemoryContext } from './memoryContext.ts';
import { isCurrent, type Stamped, stampsOf } from './memoryTold.ts';

/** Folders that are remembered. */
const most = 8;

export function contextReader(now: () => number): (place: ContextPlace) => MemoryContext {
  const known = new Map<string | null, { readonly context: MemoryContext } & Stamped>();
  return (place) => {
    const last = known.get(place.folder);
    if (last && isCurrent(last)) return last.context;
    const since = now();
    const context = readMemoryContext(place);
    known.delete(place.folder);
    known.set(place.folder, { context, ...stampsOf(context.looked, since) });
    const [oldest] = known.keys();
    if (known.size > most && oldest !== undefined) known.delete(oldest);
    return context;
  };
}
