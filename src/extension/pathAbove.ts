/** The URI path of a folder above another one. Pure. */

/**
 * @param below URI path of the lower folder
 * @param relative from the upper folder to the lower one, as `path.relative` says it
 * @returns undefined when the one does not lie in the other, or not by the names in its path (there is a link between)
 */
export function pathAbove(below: string, relative: string, separator: string): string | undefined {
  if (relative === '') return below;
  const names = relative.split(separator);
  if (names[0] === '..' || /^([a-z]:|\\\\|\/)/i.test(relative)) return undefined;
  const tail = `/${names.join('/')}`;
  return below.endsWith(tail) ? below.slice(0, -tail.length) || '/' : undefined;
}
