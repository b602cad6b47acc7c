/** A session as text: Markdown for people, JSON for programs. */
import type { HistoryTurn, MessageNode } from '../core/history.ts';
import type { Database } from '../session/database.ts';
import { nodesOfSession } from '../session/nodeStore.ts';
import { statement } from '../session/statements.ts';
import type { ExportFormat } from './sessionHistory.ts';

export function exportSession(
  database: Database,
  session: string,
  turns: readonly HistoryTurn[],
  format: ExportFormat,
): string {
  const row = statement(database, 'SELECT * FROM sessions WHERE id = ?').get(session);
  const nodes = new Map<string, MessageNode[]>();
  for (const node of nodesOfSession(database, session)) {
    const known = nodes.get(node.turn);
    if (known) known.push(node);
    else nodes.set(node.turn, [node]);
  }
  const head = {
    session,
    agent: String(row?.['agent']),
    root: String(row?.['root']),
    title: row?.['title'] === null ? session : String(row?.['title']),
    startedAt: Number(row?.['started_at']),
  };
  if (format === 'json') {
    const whole = turns.map((turn) => ({ ...turn, messages: nodes.get(turn.id) ?? [] }));
    return `${JSON.stringify({ ...head, turns: whole }, null, 2)}\n`;
  }
  const parts = [
    `# ${oneLine(head.title)}`,
    `${head.agent} · ${head.root} · ${new Date(head.startedAt).toISOString()} · session ${oneLine(session)}`,
    ...turns.flatMap((turn) => markdownOf(turn, nodes.get(turn.id) ?? [])),
  ];
  return `${parts.join('\n\n')}\n`;
}

function markdownOf(turn: HistoryTurn, nodes: readonly MessageNode[]): readonly string[] {
  const branch = turn.branch === 'main' ? '' : ` (${turn.branch})`;
  const reply = nodes.find(({ role }) => role === 'assistant');
  return [
    `## Turn ${turn.number}${branch}`,
    turn.prompt.trim().replace(/^/gm, '> '),
    ...nodes.filter(({ role }) => role === 'tool').flatMap(toolMarkdown),
    ...(reply?.content ? [reply.content.trim()] : []),
  ];
}

function toolMarkdown(tool: MessageNode): readonly string[] {
  return [
    ...(tool.said === null ? [] : [tool.said.trim()]),
    `**${oneLine(tool.name ?? 'tool')}**${tool.failed ? ' (failed)' : ''}`,
    ...(tool.input ? [fenced(tool.input)] : []),
    ...(tool.content ? [fenced(tool.content)] : []),
  ];
}

/** A fence longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
