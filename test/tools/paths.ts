/** Where the project is, and where its tests may keep what is expensive to fetch. */
import os from 'node:os';
import path from 'node:path';

export const projectFolder = path.resolve(import.meta.dirname, '..', '..');

/** Kept between runs and outside the project; `MEMCODE_TIMELINE_CACHE` moves it. */
export function cacheFolder(): string {
  return (
    process.env['MEMCODE_TIMELINE_CACHE'] ?? path.join(os.homedir(), '.cache/memcode-timeline')
  );
}

/** Screenshots and logs of the last runs, below the project but not tracked. */
export const artifactsFolder = path.join(projectFolder, 'test/.cache');
