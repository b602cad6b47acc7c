/** States as the host would send them: a realistic session to look at, and small or huge ones made to measure. */

import { asOperationId, asSessionId, asTurnId } from '../../src/core/ids.ts';
import { lineSums } from '../../src/core/lineSums.ts';
import type { Cause, Change, ToolCount, TouchSummary } from '../../src/core/timeline.ts';
import { type TimelineState, type TurnRow, windowSize } from '../../src/protocol/messages.ts';

/** The moment at which every state here is looked at. */
export const now = Date.UTC(2026, 2, 12, 15, 30);

const minute = 60_000;
const hour = 60 * minute;

export function turnRow(number: number, changes: Partial<TurnRow> = {}): TurnRow {
  return {
    id: asTurnId(`turn-${number}`),
    session: asSessionId('session-1'),
    number,
    seq: number,
    agent: 'claude',
    model: 'claude-sonnet-4-5',
    prompt: `Prompt ${number}`,
    reply: null,
    startedAt: now - 5 * minute,
    endedAt: now - 4 * minute,
    end: 'stop',
    tools: [],
    files: [],
    fileCount: changes.files?.length ?? 0,
    lines: lineSums(changes.files ?? []),
    unprotected: [],
    uncapturedShell: false,
    rewoundBy: null,
    prunedAt: null,
    damaged: null,
    cut: false,
    takenBack: null,
    partly: null,
    blocked: null,
    snapshots: [],
    snapshotsBefore: [],
    ...changes,
  };
}

export function touch(
  path: string,
  change: Change,
  added: number | null,
  removed: number | null,
  cause: Cause = 'edit',
): TouchSummary {
  return { path, change, cause, added, removed };
}

/** A state around some rows, which are all the rows of the session unless told otherwise. */
export function stateOf(
  rows: readonly TurnRow[],
  changes: Partial<TimelineState> = {},
): TimelineState {
  return {
    type: 'state',
    version: 1,
    now,
    locale: 'en',
    strings: {},
    sessions: [
      {
        id: asSessionId('session-1'),
        agent: 'claude',
        title: 'Add sign-in with e-mail links',
        updatedAt: now - 2 * minute,
        turns: rows.length,
        folder: 'shop',
      },
    ],
    session: 'session-1',
    total: rows.length,
    offset: 0,
    rows,
    cursor: rows.length,
    busy: null,
    undo: null,
    error: null,
    ...changes,
  };
}

/** The window of a long session that a host would send around an index. */
export function windowOf(
  total: number,
  center: number,
  changes: Partial<TimelineState> = {},
): TimelineState {
  const offset = Math.max(0, Math.min(center - windowSize / 2, total - windowSize));
  const rows = Array.from({ length: Math.min(windowSize, total) }, (_, place) =>
    turnRow(offset + place + 1, { startedAt: now - (total - offset - place) * 10 * minute }),
  );
  return stateOf(rows, { total, offset, cursor: total, ...changes });
}

/** Twelve turns over two days, with everything that can happen to one. */
export function sampleSession(changes: Partial<TimelineState> = {}): TimelineState {
  const rows = sampleTurns.map((turn, place) => turnRow(place + 1, turn));
  return stateOf(rows, {
    cursor: 9,
    sessions: [
      {
        id: asSessionId('session-1'),
        agent: 'claude',
        title: 'Add sign-in with e-mail links',
        updatedAt: now,
        turns: rows.length,
        folder: 'shop',
      },
      {
        id: asSessionId('session-2'),
        agent: 'codex',
        title: 'Why is the cart test flaky?',
        updatedAt: now - 26 * hour,
        turns: 4,
        folder: 'shop',
      },
      {
        id: asSessionId('session-3'),
        agent: 'gemini',
        title: 'Draft the release notes',
        updatedAt: now - 75 * hour,
        turns: 2,
        folder: 'shop',
      },
    ],
    ...changes,
  });
}

const yesterday = now - 22 * hour;

const sampleTurns: readonly Partial<TurnRow>[] = [
  {
    ...at(yesterday, 3 * minute),
    prompt: 'Look around and tell me how sessions are stored today.',
    reply: 'Sessions live in `src/session/store.ts`, in memory only; nothing survives a restart.',
    tools: tools('Read 7', 'Grep 3'),
  },
  {
    ...at(yesterday + 6 * minute, 4 * minute),
    prompt: 'Store them in SQLite instead, with a migration.',
    tools: tools('Edit 4', 'Write 2', 'Bash'),
    files: [
      touch('src/session/store.ts', 'modified', 88, 41),
      touch('src/session/schema.sql', 'added', 34, 0),
      touch('src/db/migrate.ts', 'added', 57, 0),
      touch('package.json', 'modified', 1, 0),
    ],
  },
  {
    ...at(yesterday + 14 * minute, 2 * minute),
    prompt: 'Run the tests and fix what broke',
    end: 'failed',
    tools: tools('Bash 3', 'Edit 2'),
    files: [touch('test/session/store.test.ts', 'modified', 23, 17)],
    uncapturedShell: true,
  },
  {
    ...at(yesterday + 21 * minute, 1 * minute),
    prompt: 'You dropped the index on email. Put it back.',
    tools: tools('Edit'),
    files: [touch('src/session/schema.sql', 'modified', 1, 0)],
  },
  {
    ...at(now - 190 * minute, 6 * minute),
    prompt: 'Add sign-in by e-mail link: a form, a token that lives 15 minutes, a mail.',
    reply:
      'The form posts to /sign-in, which stores a hashed token and sends the mail. Opening the link within 15 minutes starts a session.',
    tools: tools('Write 5', 'Edit 6', 'Bash 2'),
    files: [
      touch('src/auth/token.ts', 'added', 64, 0),
      touch('src/auth/mail.ts', 'added', 48, 0),
      touch('src/auth/routes.ts', 'added', 91, 0),
      touch('src/server.ts', 'modified', 6, 1),
      touch('public/sign-in.html', 'added', 29, 0),
      touch('public/logo.png', 'added', null, null),
    ],
  },
  {
    ...at(now - 160 * minute, 1 * minute),
    snapshots: [
      { id: 'a'.repeat(40), label: 'before the cart is touched', at: now - 120 * minute },
    ],
    prompt: 'Rate-limit it to five mails an hour',
    tools: tools('Edit 2'),
    files: [
      touch('src/auth/routes.ts', 'modified', 22, 3),
      touch('src/auth/limit.ts', 'added', 31, 0),
    ],
    end: 'interrupt',
  },
  {
    ...at(now - 96 * minute, 2 * minute),
    prompt: 'continue',
    tools: tools('Edit'),
    files: [touch('src/auth/limit.ts', 'modified', 9, 12)],
  },
  {
    ...at(now - 71 * minute, 8 * minute),
    prompt: 'Regenerate the client from the OpenAPI file',
    tools: tools('Bash 4'),
    files: [
      touch('src/client/api.ts', 'modified', 412, 388, 'shell'),
      touch('src/client/models.ts', 'deleted', 0, 96, 'shell'),
    ],
    unprotected: [{ path: 'fixtures/dump.bin', reason: 'it is larger than 64 MB' }],
  },
  {
    ...at(now - 42 * minute, 3 * minute),
    prompt: 'Make the sign-in form remember the e-mail address and focus the field',
    reply:
      'The address is kept in a cookie for 30 days, and the field has the focus when the page opens. I removed the unused remember-me box.',
    tools: tools('Read 2', 'Edit 3', 'Write'),
    files: [
      touch('public/sign-in.html', 'modified', 12, 8),
      touch('src/auth/routes.ts', 'modified', 17, 2),
      touch('src/auth/rememberMe.ts', 'deleted', 0, 26),
      touch('test/auth/signIn.test.ts', 'added', 44, 0),
    ],
  },
  {
    ...at(now - 24 * minute, 2 * minute),
    prompt: 'Use a signed JWT instead of the session table',
    tools: tools('Edit 5', 'Bash'),
    files: [
      touch('src/session/store.ts', 'modified', 35, 102),
      touch('src/auth/token.ts', 'modified', 40, 12),
    ],
    rewoundBy: asOperationId('operation-1'),
    takenBack: { label: 'Rewound to before turn 10', at: now - 6 * minute },
    blocked: 'Already taken back by a rewind.',
  },
  {
    ...at(now - 19 * minute, 1 * minute),
    prompt: 'Hm, drop the refresh token again',
    tools: tools('Edit 2'),
    files: [touch('src/auth/token.ts', 'modified', 2, 31)],
    rewoundBy: asOperationId('operation-1'),
    takenBack: { label: 'Rewound to before turn 10', at: now - 6 * minute },
    blocked: 'Already taken back by a rewind.',
  },
  {
    startedAt: now - 40_000,
    endedAt: null,
    end: 'running',
    prompt: 'Write the end-to-end test for signing in on a second device',
    tools: tools('Read 4', 'Write'),
    files: [touch('test/e2e/secondDevice.test.ts', 'added', 38, 0)],
  },
];

function at(startedAt: number, took: number): Pick<TurnRow, 'startedAt' | 'endedAt'> {
  return { startedAt, endedAt: startedAt + took };
}

/** `tools('Read 2', 'Bash')`. */
function tools(...used: readonly string[]): readonly ToolCount[] {
  return used.map((tool) => {
    const [name = '', count = '1'] = tool.split(' ');
    return { name, count: Number(count) };
  });
}
