/** Reads the turns of sessions as a conversation: with their branches, and what their messages sum up to. */
import { type BranchLayout, layoutBranches, mainBranch, type TurnLink } from '../core/branches.ts';
import type { BranchSummary, HistoryTurn } from '../core/history.ts';
import { asSessionId, asTurnId } from '../core/ids.ts';
import type { TurnEnd } from '../core/timeline.ts';
import type { Database } from './database.ts';
import { nodeId } from './nodeId.ts';
import { statement } from './statements.ts';

export interface Conversation {
  /** By seq. */
  readonly links: readonly TurnLink[];
  readonly layout: BranchLayout;
  /** The branch of the newest turn. */
  readonly current: string;
}

/** Only ids and edges: cheap for any length. */
export function conversationOf(database: Database, session: string): Conversation {
  const links = statement(
    database,
    'SELECT id, seq, parent FROM turns WHERE session = ? ORDER BY seq',
  )
    .all(session)
    .map((row) => ({
      id: String(row['id']),
      parent: row['parent'] === null ? null : String(row['parent']),
      node: nodeId(session, Number(row['seq']), 'assistant'),
    }));
  const layout = layoutBranches(links);
  const newest = links.at(-1);
  const current = newest === undefined ? mainBranch : layout.branchOf.get(newest.id);
  return { links, layout, current: current ?? mainBranch };
}

/** Oldest first. @param branch default the current one */
export function turnIdsOn(conversation: Conversation, branch: string): readonly string[] {
  const byId = new Map(conversation.links.map((link) => [link.id, link]));
  const ids: string[] = [];
  for (let at = conversation.layout.tips.get(branch); at !== undefined; ) {
    ids.push(at);
    at = byId.get(at)?.parent ?? undefined;
    if (ids.length > conversation.links.length) break;
  }
  return ids.reverse();
}

export function branchesOf({ links, layout, current }: Conversation): readonly BranchSummary[] {
  const first = new Set(links.map(({ id }) => id));
  return [...layout.tips].map(([name, tip]) => {
    const fork = layout.forks.get(name) ?? null;
    return {
      name,
      turns: layout.depthOf.get(tip) ?? 0,
      tip: asTurnId(tip),
      forkedFrom: fork !== null && first.has(fork) ? asTurnId(fork) : null,
      isCurrent: name === current,
    };
  });
}

/** By seq: every branch. */
export function historyTurns(
  database: Database,
  session: string,
  { links, layout }: Conversation,
): readonly HistoryTurn[] {
  const next = new Map<string, string[]>();
  for (const { id, parent } of links)
    if (parent !== null) next.set(parent, [...(next.get(parent) ?? []), id]);
  const tools = new Map<string, Map<string, number>>();
  for (const row of statement(
    database,
    "SELECT turn, name FROM nodes WHERE session = ? AND role = 'tool' ORDER BY seq",
  ).all(session)) {
    const counts = tools.get(String(row['turn'])) ?? new Map<string, number>();
    counts.set(String(row['name']), (counts.get(String(row['name'])) ?? 0) + 1);
    tools.set(String(row['turn']), counts);
  }
  return statement(
    database,
    `SELECT t.*, n.id AS node, n.input_tokens, n.output_tokens, n.duration, c.id AS commit_id,
       (SELECT count(*) FROM touches WHERE turn = t.id) AS files
     FROM turns t LEFT JOIN nodes n ON n.turn = t.id AND n.role = 'assistant'
       LEFT JOIN mirror_commits c ON c.turn = t.id WHERE t.session = ? ORDER BY t.seq`,
  )
    .all(session)
    .map((row) => {
      const id = String(row['id']);
      return {
        id: asTurnId(id),
        session: asSessionId(session),
        node: text(row['node']) ?? nodeId(session, Number(row['seq']), 'assistant'),
        parent: row['parent'] === null ? null : asTurnId(String(row['parent'])),
        number: layout.depthOf.get(id) ?? Number(row['number']),
        branch: layout.branchOf.get(id) ?? mainBranch,
        prompt: String(row['prompt']),
        reply: text(row['reply']),
        agent: String(row['agent']),
        model: text(row['model']),
        startedAt: Number(row['started_at']),
        endedAt: count(row['ended_at']),
        end: String(row['ending']) as TurnEnd,
        tools: [...(tools.get(id) ?? [])].map(([name, n]) => ({ name, count: n })),
        files: Number(row['files']),
        inputTokens: count(row['input_tokens']),
        outputTokens: count(row['output_tokens']),
        duration: count(row['duration']),
        next: (next.get(id) ?? []).map(asTurnId),
        imported: row['imported_at'] !== null,
        commit: text(row['commit_id']),
      };
    });
}

const text = (value: unknown): string | null => (value === null ? null : String(value));
const count = (value: unknown): number | null => (value === null ? null : Number(value));
