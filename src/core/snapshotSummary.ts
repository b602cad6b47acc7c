/** A whole-tree snapshot as hosts show it. Pure types and derivations. */
import type { SessionId, TurnId } from './ids.ts';
import { labelOf } from './label.ts';
import type { Change } from './timeline.ts';

/**
 * person: somebody asked for it. restore: taken before going back to another one. command: around a shell command or at
 * the end of a turn. check: taken to see what is there now.
 */
export type SnapshotReason = 'person' | 'restore' | 'command' | 'check';

export interface SnapshotSummary {
  /** Forty hex digits. */
  readonly id: string;
  /** The first eight of them. */
  readonly shortId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly reason: SnapshotReason;
  /** What a person called it, or the tool and its arguments; data of an agent, on one line. */
  readonly label: string;
  readonly session: SessionId | null;
  readonly turn: TurnId | null;
  /** The turn's number in its session; 0 outside any. */
  readonly turnNumber: number;
}

/** One path in which two snapshots differ. */
export interface SnapshotChange {
  /** Relative to the root, `/`-separated. */
  readonly path: string;
  readonly change: Change;
}

/** The tool names that our own snapshots bear. */
export const snapshotTools = { person: 'snapshot', restore: 'restore', check: 'check' } as const;

export function snapshotReason(tool: string, preRollback: boolean): SnapshotReason {
  if (preRollback || tool === snapshotTools.restore) return 'restore';
  if (tool === snapshotTools.person) return 'person';
  return tool === snapshotTools.check || tool === 'start' ? 'check' : 'command';
}

/** One line for people. @param args of the tool; data of an agent */
export function snapshotLabel(
  reason: SnapshotReason,
  { label = '', tool, args }: { label?: string | undefined; tool: string; args: string },
): string {
  switch (reason) {
    case 'person':
      return labelOf(label) || 'Snapshot';
    case 'restore':
      return 'Before a restore';
    case 'check':
      return 'As found';
    case 'command':
      return [labelOf(tool), labelOf(args)].filter(Boolean).join(': ');
  }
}
