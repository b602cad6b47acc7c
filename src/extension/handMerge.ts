/** Where the three sides of a merge by hand are found among the turns. Pure. */
import type { Side } from '../app/timelineApp.ts';
import type { TurnId } from '../core/ids.ts';
import type { TurnSummary } from '../core/timeline.ts';
import type { Moment } from './localizer.ts';
import type { TurnFile } from './turnUri.ts';

/** A file that a person merges: what is there now, with the way from `base` to `old`. */
export interface HandMerge {
  readonly path: string;
  /** What the agent left. */
  readonly base: TurnFile;
  /** What the file goes back to. */
  readonly old: TurnFile;
  /** Of `old`. */
  readonly moment: Moment;
}

/** Of taking back these turns, oldest first. Undefined where none of them says that it touched the file. */
export function mergeOfTurns(turns: readonly TurnSummary[], path: string): HandMerge | undefined {
  const touching = touchedBy(turns, path);
  const first = touching[0];
  const last = touching.at(-1);
  if (first === undefined || last === undefined) return undefined;
  return {
    path,
    base: turnFile(last.id, path, 'after'),
    old: turnFile(first.id, path, 'before'),
    moment: { side: 'before', turn: first.number },
  };
}

/** Of restoring one file. @param turns those of the session, oldest first */
export function mergeOfRestore(
  turns: readonly TurnSummary[],
  old: TurnFile,
  turn: number,
): HandMerge | undefined {
  const last = touchedBy(turns, old.path).findLast(({ rewoundBy }) => rewoundBy === null);
  return (
    last && {
      path: old.path,
      base: turnFile(last.id, old.path, 'after'),
      old,
      moment: { side: old.side, turn },
    }
  );
}

function touchedBy(turns: readonly TurnSummary[], path: string): readonly TurnSummary[] {
  return turns.filter(({ files }) => files.some((file) => file.path === path));
}

function turnFile(turn: TurnId, path: string, side: Side): TurnFile {
  return { turn, path, side };
}
