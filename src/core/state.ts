/** What can be at a path, and when two such states are the same. Pure. */

export type FileState = {
  readonly kind: 'file';
  /** Permission bits only (`mode & 0o7777`). */
  readonly mode: number;
  /** Bytes. */
  readonly size: number;
  /** Lower-case hex; missing while a large file has not been hashed yet, or in a store memcode wrote. */
  readonly sha256?: string;
};

export type PathState =
  | { readonly kind: 'absent' }
  | FileState
  | { readonly kind: 'symlink'; readonly target: string }
  | { readonly kind: 'directory'; readonly mode: number }
  /** FIFO, socket, device: never opened, never restored. */
  | { readonly kind: 'other' };

export const absent: PathState = { kind: 'absent' };

/** 'unknown' when both are files that agree as far as is known but a hash is missing. */
export type Sameness = 'same' | 'different' | 'unknown';

/** Compares content and mode. */
export function compareStates(a: PathState, b: PathState): Sameness {
  if (a.kind !== b.kind) return 'different';
  if (a.kind === 'file' && b.kind === 'file') {
    if (a.mode !== b.mode || a.size !== b.size) return 'different';
    if (a.sha256 === undefined || b.sha256 === undefined) return 'unknown';
    return a.sha256 === b.sha256 ? 'same' : 'different';
  }
  if (a.kind === 'symlink' && b.kind === 'symlink')
    return a.target === b.target ? 'same' : 'different';
  if (a.kind === 'directory' && b.kind === 'directory')
    return a.mode === b.mode ? 'same' : 'different';
  if (a.kind === 'other') return 'unknown';
  return 'same';
}

/** The hash of what is in a file, by which it is known again elsewhere; undefined for what tells nothing, as an empty file. */
export function contentOf(state: PathState): string | undefined {
  return state.kind === 'file' && state.size > 0 ? state.sha256 : undefined;
}
