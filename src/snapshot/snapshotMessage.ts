/**
 * The one-line JSON message of a snapshot's commit: `turn trigger_tool trigger_args pre_rollback` first and in this order
 * (as the store this replaces had them), then ours.
 */
import { cutGraphemes, maskSecrets } from '../core/label.ts';
import type { Commit, ObjectId } from '../git/gitObject.ts';
import type { Snapshot, SnapshotMeta } from './snapshotTypes.ts';

/** Author and committer of every commit of ours; no user name need be configured. */
export const identity = 'Memcode Timeline <timeline@memcode>';
const longestArgs = 500;

export function messageOfMeta(meta: SnapshotMeta, side: ObjectId): string {
  return JSON.stringify({
    turn: meta.turn,
    trigger_tool: meta.triggerTool,
    trigger_args: cutGraphemes(maskSecrets(meta.triggerArgs.toWellFormed()), longestArgs),
    pre_rollback: meta.preRollback,
    session: meta.session,
    turn_id: meta.turnId,
    label: meta.label,
    restored_from: meta.restoredFrom,
    side,
  }).replace(/[\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16)}`);
}

/** Undefined for a commit that is not a snapshot of ours. */
export function snapshotOf(id: ObjectId, commit: Commit): Snapshot | undefined {
  const fields = fieldsOf(commit.message);
  if (fields === undefined) return undefined;
  const { turn, trigger_tool: tool, trigger_args: args, pre_rollback: pre, side } = fields;
  if (typeof turn !== 'number' || typeof tool !== 'string' || typeof args !== 'string')
    return undefined;
  if (typeof pre !== 'boolean' || typeof side !== 'string' || !/^[0-9a-f]{40}$/.test(side))
    return undefined;
  return {
    id,
    shortId: id.slice(0, 8),
    parent: commit.parents[0],
    at: commit.at * 1000,
    tree: commit.tree,
    side,
    meta: {
      turn,
      triggerTool: tool,
      triggerArgs: args,
      preRollback: pre,
      ...optional('session', fields['session']),
      ...optional('turnId', fields['turn_id']),
      ...optional('label', fields['label']),
      ...optional('restoredFrom', fields['restored_from']),
    },
  };
}

function fieldsOf(message: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(message);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    // Somebody else's commit.
    return undefined;
  }
}

function optional<Name extends string>(name: Name, value: unknown): { [K in Name]?: string } {
  return typeof value === 'string' ? ({ [name]: value } as { [K in Name]?: string }) : {};
}
