/** Builds the state that the page of a session's history shows. Pure. */
import { branchLanes } from '../core/branchLanes.ts';
import type { BranchSummary, HistoryTurn, MessageNode } from '../core/history.ts';
import { type InputField, inputFields } from '../core/toolInput.ts';
import type {
  BranchChoice,
  HistoryRow,
  HistoryState,
  MessageView,
  OpenTurn,
} from '../protocol/historyMessages.ts';
import { windowSize } from '../protocol/messages.ts';
import { firstLine } from './shortText.ts';
import { windowOffset } from './timelineState.ts';

const rowTextLength = 200;
const commitLength = 10;
/** UTF-16 units of a prompt or a reply that the page gets; the text editor has the rest. */
const longestWords = 100_000;
const longestTool = 8_000;
/** Of all tools of a turn together. */
const longestTools = 600_000;
const mostTools = 500;

/** Every turn of a session as a row, oldest first. */
export function historyRows(
  turns: readonly HistoryTurn[],
  branches: readonly BranchSummary[],
): readonly HistoryRow[] {
  const lanes = branchLanes(turns);
  const byId = new Map<string, HistoryTurn>(turns.map((turn) => [turn.id, turn]));
  const tips = new Set<string>(branches.map(({ tip }) => tip));
  const seen = new Set<string>();
  return turns.map((turn, line) => {
    const begins = !seen.has(turn.branch) && branches.length > 1;
    seen.add(turn.branch);
    const parent = turn.parent === null ? undefined : byId.get(turn.parent);
    const lane = lanes[line] ?? {
      ...{ lane: 0, through: [], fromBefore: false, toAfter: false, forks: [] },
    };
    return {
      ...lane,
      id: turn.id,
      number: turn.number,
      branch: turn.branch,
      begins: begins ? { from: parent?.number ?? null } : null,
      isTip: tips.has(turn.id),
      prompt: firstLine(turn.prompt, rowTextLength),
      agent: turn.agent,
      startedAt: turn.startedAt,
      end: turn.end,
      tools: turn.tools.reduce((sum, { count }) => sum + count, 0),
      files: turn.files,
      imported: turn.imported,
      commit: turn.commit?.slice(0, commitLength) ?? null,
    };
  });
}

/** @param center index of the turn that the window is laid around */
export function rowWindow(
  rows: readonly HistoryRow[],
  center: number,
): Pick<HistoryState, 'total' | 'offset' | 'rows' | 'lanes'> {
  const offset = windowOffset(rows.length, center);
  return {
    total: rows.length,
    offset,
    rows: rows.slice(offset, offset + windowSize),
    lanes: rows.reduce(
      (most, row) => Math.max(most, row.lane + 1, ...row.forks.map((f) => f + 1)),
      1,
    ),
  };
}

export function branchChoices(branches: readonly BranchSummary[]): readonly BranchChoice[] {
  return branches.map(({ name, turns, isCurrent }) => ({ name, turns, isCurrent }));
}

/** @param message the one that a search led to */
export function openTurn(
  turn: HistoryTurn,
  row: HistoryRow,
  nodes: readonly MessageNode[],
  turns: readonly HistoryTurn[],
  message: string | null,
): OpenTurn {
  const tools = nodes.filter(({ role }) => role === 'tool');
  const shown = new Set(tools.slice(0, mostTools).map(({ id }) => id));
  if (message !== null) shown.add(message);
  const branchOf = new Map(turns.map(({ id, branch }) => [id, branch]));
  let left = longestTools;
  const views = tools
    .filter(({ id }) => shown.has(id))
    .map((node) => {
      const view = messageView(node, Math.min(longestTool, left));
      left -= view.content.length + sizeOf(view.input);
      return view;
    });
  const words = (role: 'user' | 'assistant'): readonly MessageView[] =>
    nodes.filter((node) => node.role === role).map((node) => messageView(node, longestWords));
  const { inputTokens, outputTokens } = turn;
  return {
    id: turn.id,
    row,
    model: turn.model,
    tokens:
      inputTokens === null && outputTokens === null
        ? null
        : (inputTokens ?? 0) + (outputTokens ?? 0),
    duration: turn.duration,
    messages: [...words('user'), ...views, ...words('assistant')],
    message,
    omitted: tools.length - views.length,
    next:
      turn.next.length < 2
        ? []
        : turn.next.map((id) => ({ id, branch: branchOf.get(id) ?? turn.branch })),
  };
}

function messageView(node: MessageNode, most: number): MessageView {
  const content = cut(node.content, most);
  const fields = inputFields(node.input ?? '');
  const input = cutFields(fields, Math.max(0, most - content.length));
  const said = node.said === null ? null : cut(node.said, longestTool);
  return {
    id: node.id,
    role: node.role,
    content,
    name: node.name,
    input,
    said,
    failed: node.failed,
    duration: node.duration,
    cut: content !== node.content || sizeOf(input) < sizeOf(fields) || said !== node.said,
  };
}

function sizeOf(fields: readonly InputField[]): number {
  return fields.reduce((sum, { key, text }) => sum + key.length + text.length, 0);
}

function cutFields(fields: readonly InputField[], most: number): readonly InputField[] {
  const kept: InputField[] = [];
  let left = most;
  for (const { key, text } of fields) {
    left -= key.length;
    if (left <= 0) break;
    kept.push({ key, text: cut(text, left) });
    left -= text.length;
  }
  return kept;
}

/** Never half a character. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}
