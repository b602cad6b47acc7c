/** The folders that keys lie in, by name; nothing is looked at. */

/** Keys of the folders above a key, outermost first. */
export function foldersAbove(key: string): readonly string[] {
  const segments = key.split('/').slice(0, -1);
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
}

/** Every folder above one of the keys; each comes after those it lies in. */
export function allFoldersAbove(keys: Iterable<string>): ReadonlySet<string> {
  const all = new Set<string>();
  for (const key of keys) {
    const folders = foldersAbove(key);
    const innermost = folders.at(-1);
    // What is above a folder that is known is known as well.
    if (innermost === undefined || all.has(innermost)) continue;
    for (const folder of folders) all.add(folder);
  }
  return all;
}
