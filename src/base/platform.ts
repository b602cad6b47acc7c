/** What differs between operating systems, in one place. Every function takes the platform, so that each runs in tests. */
import path from 'node:path';

/** True where file names usually fold case (and, on macOS, Unicode form). */
export function foldsNames(platform: NodeJS.Platform): boolean {
  return platform === 'darwin' || platform === 'win32';
}

/** One text for all spellings that a folding file system takes for the same name. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Whether permission bits mean anything. */
export function hasModes(platform: NodeJS.Platform): boolean {
  return platform !== 'win32';
}

/** Whether `inner` is `outer` or below it. Both absolute and normalised, of the same platform. */
export function isInside(outer: string, inner: string, platform: NodeJS.Platform): boolean {
  const flavour = platform === 'win32' ? path.win32 : path.posix;
  const fold = foldsNames(platform) ? foldName : (name: string) => name;
  const relative = flavour.relative(fold(outer), fold(inner));
  return (
    relative === '' ||
    (!flavour.isAbsolute(relative) && relative !== '..' && !relative.startsWith(`..${flavour.sep}`))
  );
}

/** Whether a process of that number exists on this host, whoever's it is. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
