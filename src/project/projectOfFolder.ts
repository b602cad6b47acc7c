/** Which project a folder belongs to. Pure. */
import { isInside } from '../base/platform.ts';

export interface Placed {
  readonly workdir: string;
}

/** The one whose folder it is, or the nearest above it. */
export function projectAround<P extends Placed>(
  projects: readonly P[],
  folder: string,
  platform: NodeJS.Platform = process.platform,
): P | undefined {
  return deepest(projects.filter(({ workdir }) => isInside(workdir, folder, platform)));
}

/**
 * The one that work in a root counts for: its folder is the root or above it, or else a part of the root that holds all
 * of these paths.
 * @param paths relative to the root, `/`-separated; with none, a part of the root is not chosen
 */
export function projectOfWork<P extends Placed>(
  projects: readonly P[],
  root: string,
  paths: readonly string[],
  platform: NodeJS.Platform = process.platform,
): P | undefined {
  const inner = projects.filter(
    ({ workdir }) =>
      workdir !== root &&
      isInside(root, workdir, platform) &&
      paths.length > 0 &&
      paths.every((at) => isInside(workdir, `${root}/${at}`, platform)),
  );
  return deepest(inner) ?? projectAround(projects, root, platform);
}

function deepest<P extends Placed>(projects: readonly P[]): P | undefined {
  return [...projects].sort((a, b) => b.workdir.length - a.workdir.length)[0];
}
