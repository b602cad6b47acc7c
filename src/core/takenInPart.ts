/** Which turns an operation took back only in part. Pure. */
import type { OperationSummary, TurnSummary } from './timeline.ts';

export interface InPart<O> {
  readonly operation: O;
  /** What was kept: of the turn it was asked for all, of any other the files which that turn changed. May be empty. */
  readonly kept: readonly string[];
}

/**
 * The newest operation that stands, put back files of a turn which is still in force, and kept others.
 * @param newestFirst the operations of the turn's root
 */
export function takenInPart<O extends OperationSummary>(
  turn: TurnSummary,
  newestFirst: readonly O[],
): InPart<O> | undefined {
  if (turn.rewoundBy !== null) return undefined;
  for (const operation of newestFirst) {
    const kept = keptOf(turn, operation);
    if (kept !== undefined) return { operation, kept };
  }
  return undefined;
}

/** Undefined where the operation did nothing about this turn. */
function keptOf(turn: TurnSummary, operation: OperationSummary): readonly string[] | undefined {
  const { session, partly, undone, paths } = operation;
  if (partly === undefined || undone || session !== turn.session) return undefined;
  if (partly.seq === turn.seq) return partly.kept;
  if (partly.seqs?.includes(turn.seq) !== true) return undefined;
  const changed = new Set(turn.files.map(({ path }) => path));
  const kept = partly.kept.filter((path) => changed.has(path));
  return kept.length > 0 || paths.some((path) => changed.has(path)) ? kept : undefined;
}
