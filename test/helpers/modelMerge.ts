/** Three-way merges of states as a child would do them: line by line. */
import type { State } from './modelDisk.ts';

interface Parts {
  readonly mode: string;
  readonly lines: readonly string[];
}

/**
 * `ours` with what was changed from `base` to `theirs`; its mode stays its own. Undefined where that is not plain to see:
 * no files, other numbers of lines, a line that both changed.
 */
export function mergeStates(ours: State, base: State, theirs: State): State | undefined {
  const [a, b, c] = [partsOf(ours), partsOf(base), partsOf(theirs)];
  if (!a || !b || !c) return undefined;
  if (a.lines.length !== b.lines.length || b.lines.length !== c.lines.length) return undefined;
  const lines = b.lines.map((old, i) => mergeLine(a.lines[i], old, c.lines[i]));
  return lines.includes(undefined) ? undefined : `file ${a.mode} ${lines.join('\n')}`;
}

function mergeLine(
  ours: string | undefined,
  base: string,
  theirs: string | undefined,
): string | undefined {
  if (theirs === base || ours === theirs) return ours;
  return ours === base ? theirs : undefined;
}

function partsOf(state: State): Parts | undefined {
  const [, mode, text] = /^file (\d+) (.*)$/s.exec(state) ?? [];
  return mode === undefined || text === undefined ? undefined : { mode, lines: text.split('\n') };
}
