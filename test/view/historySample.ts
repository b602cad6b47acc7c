/** States of a session's history as the host would send them. */
import { branchLanes } from '../../src/core/branchLanes.ts';
import type {
  HistoryRow,
  HistoryState,
  MessageView,
  OpenTurn,
} from '../../src/protocol/historyMessages.ts';
import { windowSize } from '../../src/protocol/messages.ts';
import { now } from './sampleState.ts';

const minute = 60_000;

interface Told {
  readonly prompt: string;
  readonly branch?: string;
  /** Line of the turn it goes on from; default: the one before on its branch. */
  readonly from?: number;
  readonly changes?: Partial<HistoryRow>;
}

const conversation: readonly Told[] = [
  { prompt: 'Look around and tell me how sessions are stored today.', changes: { tools: 10 } },
  { prompt: 'Store them in SQLite instead, with a migration.', changes: { tools: 7, files: 4 } },
  {
    prompt: 'Run the tests and fix what broke',
    changes: { end: 'failed', tools: 5, files: 1, imported: true },
  },
  { prompt: 'Use a JSON file instead', branch: 'retry-a1b2', from: 0, changes: { files: 2 } },
  { prompt: 'Add sign-in by e-mail link: a form, a token, a mail.', changes: { tools: 13 } },
  { prompt: 'Lock the file while it is written', branch: 'retry-a1b2' },
  { prompt: 'Rate-limit it to five mails an hour', branch: 'retry-c3d4', from: 4 },
  { prompt: 'continue', changes: { end: 'running', commit: null } },
];

/** Rows of all branches, oldest first. */
export function historyRowsOf(told: readonly Told[]): readonly HistoryRow[] {
  const ids = told.map((_, line) => `turn-${line + 1}`);
  const lastOf = new Map<string, number>();
  const parents = told.map(({ branch = 'main', from }, line) => {
    const parent = from ?? lastOf.get(branch);
    lastOf.set(branch, line);
    return parent;
  });
  const numbers: number[] = [];
  for (const parent of parents) numbers.push(parent === undefined ? 1 : (numbers[parent] ?? 0) + 1);
  const lanes = branchLanes(
    told.map(({ branch = 'main' }, line) => {
      const parent = parents[line];
      return {
        id: ids[line] ?? '',
        branch,
        parent: parent === undefined ? null : (ids[parent] ?? null),
      };
    }),
  );
  return told.map(({ prompt, branch = 'main', from, changes }, line) => ({
    ...lanes[line]!,
    id: ids[line] ?? '',
    number: numbers[line] ?? 0,
    branch,
    begins:
      line === 0 ? { from: null } : from === undefined ? null : { from: numbers[from] ?? null },
    isTip: lastOf.get(branch) === line,
    prompt,
    agent: 'claude',
    startedAt: now - (told.length - line) * 10 * minute,
    end: 'stop',
    tools: 0,
    files: 0,
    imported: false,
    commit: 'c0ffee1234',
    ...changes,
  }));
}

export function historyState(
  rows: readonly HistoryRow[],
  changes: Partial<HistoryState> = {},
): HistoryState {
  return {
    type: 'history',
    version: 1,
    now,
    locale: 'en',
    strings: {},
    session: {
      id: 'session-1',
      title: 'Add sign-in with e-mail links',
      agent: 'claude',
      folder: 'shop',
    },
    branches: [{ name: 'main', turns: rows.length, isCurrent: true }],
    branch: 'main',
    position: { index: rows.length, count: rows.length, isLatest: true },
    cursor: rows.length - 1,
    total: rows.length,
    offset: 0,
    rows,
    lanes: rows.reduce(
      (most, { lane, forks }) => Math.max(most, lane + 1, ...forks.map((f) => f + 1)),
      1,
    ),
    open: null,
    search: null,
    mirror: null,
    error: null,
    ...changes,
  };
}

/** Three branches, one of them looked at, its last turn read. */
export function sampleHistory(changes: Partial<HistoryState> = {}): HistoryState {
  const rows = historyRowsOf(conversation);
  return historyState(rows, {
    branches: [
      { name: 'main', turns: 5, isCurrent: true },
      { name: 'retry-a1b2', turns: 3, isCurrent: false },
      { name: 'retry-c3d4', turns: 5, isCurrent: false },
    ],
    position: { index: 4, count: 5, isLatest: false },
    cursor: 4,
    open: openOf(rows[4]!),
    ...changes,
  });
}

export function openOf(row: HistoryRow, changes: Partial<OpenTurn> = {}): OpenTurn {
  return {
    id: row.id,
    row,
    model: 'claude-sonnet-4-5',
    tokens: 18_250,
    duration: 95_000,
    messages: [
      message('p', { role: 'user', content: row.prompt }),
      message('t1', {
        name: 'Bash',
        input: [{ key: 'command', text: 'npm test' }],
        content: '12 passed, 1 failed\n  sign-in: expected 200, got 404',
        said: 'First the tests, to see where we are.',
        duration: 4_200,
        failed: true,
      }),
      message('t2', {
        name: 'Edit',
        input: [
          { key: 'replace_all', text: 'false' },
          { key: 'file_path', text: 'src/auth/routes.ts' },
          { key: 'new_string', text: 'route("/sign-in");\nroute("/sign-out");' },
          { key: 'old_string', text: '' },
        ],
        content: 'ok',
      }),
      message('r', { role: 'assistant', content: reply }),
    ],
    message: null,
    omitted: 0,
    next: [],
    ...changes,
  };
}

export function message(id: string, changes: Partial<MessageView> = {}): MessageView {
  return {
    id,
    role: 'tool',
    content: '',
    name: null,
    input: [],
    said: null,
    failed: false,
    duration: null,
    cut: false,
    ...changes,
  };
}

/** The window of a long session that a host would send around an index. */
export function historyWindow(
  total: number,
  center: number,
  changes: Partial<HistoryState> = {},
): HistoryState {
  const rows = historyRowsOf(
    Array.from({ length: total }, (_, line) => ({ prompt: `Prompt ${line + 1}` })),
  );
  const offset = Math.max(0, Math.min(center - windowSize / 2, total - windowSize));
  return historyState(rows, { offset, rows: rows.slice(offset, offset + windowSize), ...changes });
}

const reply = `The form posts to \`/sign-in\`. **Three** parts:

1. a *hashed* token in [src/auth/token.ts](src/auth/token.ts:12)
2. a mail, see <https://example.com/mail>
   - with a text part
3. a session

## What is left

| file | lines |
| --- | ---: |
| \`routes.ts\` | 91 |

\`\`\`ts
export const minutes = 15;
\`\`\`

> It lives fifteen minutes.

- [x] form
- [ ] second device, see [\`routes.ts\`](https://example.com/routes)`;
