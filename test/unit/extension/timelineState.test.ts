import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asOperationId, asSessionId } from '../../../src/core/ids.ts';
import type { TouchSummary } from '../../../src/core/timeline.ts';
import {
  type TimelineFacts,
  timelineState,
  windowOffset,
} from '../../../src/extension/timelineState.ts';
import { filesShown, windowSize } from '../../../src/protocol/messages.ts';
import { fakeTurn } from '../../helpers/fakeTimelineApp.ts';
import { plainLocalizer } from '../../helpers/plainLocalizer.ts';

const file: TouchSummary = {
  path: 'a.txt',
  change: 'modified',
  cause: 'edit',
  added: 1,
  removed: 0,
};

function facts(given: Partial<TimelineFacts>): TimelineFacts {
  return {
    version: 1,
    now: 0,
    locale: 'en',
    strings: {},
    sessions: [],
    session: 's',
    turns: [],
    operations: [],
    snapshots: [],
    cursor: 0,
    center: 0,
    trusted: true,
    busy: null,
    undo: null,
    error: null,
    ...given,
  };
}

const turns = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    fakeTurn({ id: `t${index}`, session: 's', number: index + 1, files: [file] }),
  );

test('a window lies around its centre and never leaves the list', () => {
  const half = windowSize / 2;
  const cases: [total: number, center: number, offset: number][] = [
    [0, -1, 0],
    [5, 4, 0],
    [windowSize, windowSize - 1, 0],
    [1000, 0, 0],
    [1000, 500, 500 - half],
    [1000, 999, 1000 - windowSize],
    [1000, 5000, 1000 - windowSize],
  ];
  for (const [total, center, offset] of cases) {
    assert.equal(windowOffset(total, center), offset, `${total} ${center}`);
  }
});

test('the state holds the window and how much there is', () => {
  const state = timelineState(
    facts({ turns: turns(1000), center: 700, cursor: 701 }),
    plainLocalizer,
  );
  assert.equal(state.total, 1000);
  assert.equal(state.rows.length, windowSize);
  assert.equal(state.rows[0]?.number, state.offset + 1);
  assert.ok(state.offset <= 700 && 700 < state.offset + windowSize);
});

test('only text that a row shows is sent', () => {
  const turn = fakeTurn({
    id: 't',
    session: 's',
    number: 1,
    prompt: 'p'.repeat(9000),
    reply: 'r'.repeat(9000),
  });
  const [row] = timelineState(facts({ turns: [turn] }), plainLocalizer).rows;
  assert.equal(row?.prompt.length, 300);
  assert.equal(row?.reply?.length, 300);
  assert.equal(row?.cut, true);
  const lines = fakeTurn({
    id: 't',
    session: 's',
    number: 1,
    reply: '\n1\n2\n3\n4\n5\n6\n7\n8\n9',
  });
  const [short] = timelineState(facts({ turns: [lines] }), plainLocalizer).rows;
  assert.deepEqual([short?.reply, short?.cut], ['1\n2\n3\n4\n5\n6\n7\n8…', true]);
  assert.equal(timelineState(facts({ turns: turns(1) }), plainLocalizer).rows[0]?.cut, false);
});

test('a row names what took it back, or took back a part of it', () => {
  const operation = {
    ...{ kind: 'rewind' as const, session: asSessionId('s'), paths: [], undone: false },
    pruned: false,
  };
  const operations = [
    { ...operation, id: asOperationId('o4'), at: 4, label: 'Gone', undone: true, partly: part(2) },
    { ...operation, id: asOperationId('o3'), at: 3, label: 'Again', partly: part(2) },
    { ...operation, id: asOperationId('o2'), at: 2, label: 'First', partly: part(2) },
    { ...operation, id: asOperationId('o1'), at: 1, label: 'Whole', partly: part(3) },
  ];
  const list = turns(3).map((turn) =>
    turn.number === 3 ? { ...turn, rewoundBy: asOperationId('o1') } : turn,
  );
  const { rows } = timelineState(facts({ turns: list, operations }), plainLocalizer);
  assert.deepEqual(
    rows.map(({ takenBack, partly }) => [takenBack, partly]),
    [
      [null, null],
      [null, { label: 'Again', at: 3, kept: ['mine'] }],
      [{ label: 'Whole', at: 1 }, null],
    ],
  );
});

function part(seq: number) {
  return { seq, kept: ['mine'] };
}

test('a row says why its turn cannot be rewound', () => {
  const list = [
    ...turns(1),
    fakeTurn({ id: 'last', session: 's', number: 2, rewoundBy: asOperationId('o') }),
  ];
  const blocked = (trusted: boolean) =>
    timelineState(facts({ turns: list, trusted }), plainLocalizer).rows.map((row) => row.blocked);
  assert.deepEqual(blocked(true), [null, 'Already taken back.']);
  assert.deepEqual(new Set(blocked(false)), new Set(['Rewinding needs a trusted workspace.']));
});

test('refusals go with their rows in any window', () => {
  const list = turns(1000).map((turn) => (turn.number === 990 ? { ...turn, prunedAt: 1 } : turn));
  const { rows } = timelineState(facts({ turns: list, center: 999 }), plainLocalizer);
  assert.deepEqual(
    rows.filter((row) => row.blocked === null).map(({ number }) => number),
    Array.from({ length: 10 }, (_, index) => 991 + index),
  );
});

test('snapshots that a person took stand with the turn they were taken after', () => {
  const three = turns(3).map((turn, index) => ({ ...turn, startedAt: (index + 1) * 100 }));
  const snapshot = (at: number, reason: 'person' | 'command' = 'person') => ({
    id: `${at}`.padStart(40, '0'),
    shortId: `${at}`,
    at,
    reason,
    label: `at ${at}\nmore`,
    session: null,
    turn: null,
    turnNumber: 0,
  });
  const snapshots = [350, 250, 240, 220, 50].map((at) =>
    snapshot(at, at === 240 ? 'command' : 'person'),
  );
  const { rows } = timelineState(facts({ turns: three, snapshots }), plainLocalizer);
  assert.deepEqual(
    rows.map((row) => row.snapshots.map(({ label }) => label)),
    [[], ['at 250', 'at 220'], ['at 350']],
  );
  assert.deepEqual(
    rows.map((row) => row.snapshotsBefore.length),
    [1, 0, 0],
  );
});

test('of a turn with very many files the page gets the first, the count and the sums', () => {
  const files = Array.from({ length: 20_000 }, (_, n) => ({
    path: `f${n}`,
    change: 'modified' as const,
    cause: 'shell' as const,
    added: 2,
    removed: 1,
  }));
  const list = turns(1).map((turn) => ({ ...turn, files }));
  const { rows } = timelineState(facts({ turns: list }), plainLocalizer);
  const [row] = rows;
  assert.deepEqual(
    [row?.files.length, row?.fileCount, row?.lines],
    [filesShown, 20_000, { added: 40_000, removed: 20_000 }],
  );
});
