import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChainRow, chainStates, type Text } from '../../../src/app/reconstructedChain.ts';

/** A diff is `old>new`, for the whole text. */
const patching = {
  apply: (text: string, patch: string) =>
    text === patch.split('>')[0] ? patch.split('>')[1] : undefined,
  reverse: (text: string, patch: string) =>
    text === patch.split('>')[1] ? patch.split('>')[0] : undefined,
};

const row = (turn: string, changes: Partial<ChainRow>): ChainRow => ({
  turn,
  before: undefined,
  after: undefined,
  patches: [],
  isReplayed: false,
  ...changes,
});

/** `turn before after`; a state that holds ends with `!`. */
function told(rows: readonly ChainRow[], end: Text): readonly string[] {
  const states = chainStates(rows, end, patching);
  const shown = (state: { text: string | null; verified: boolean } | undefined): string =>
    state === undefined ? '?' : `${state.text ?? 'none'}${state.verified ? '!' : ''}`;
  return [...states].map(([turn, { before, after }]) => `${turn} ${shown(before)} ${shown(after)}`);
}

test('what two records tell alike holds, and what was made of it', () => {
  const rows = [
    row('1', { before: 'a', after: 'b', isReplayed: true }),
    row('2', { before: 'b', after: 'c', isReplayed: true }),
  ];
  assert.deepEqual(told(rows, undefined), ['1 a! b!', '2 b! c!']);
  assert.deepEqual(told(rows, 'c'), ['1 a! b!', '2 b! c!']);
  assert.deepEqual(told(rows, 'edited by somebody'), ['1 a! b!', '2 b! c!']);
});

test('one record alone holds only where the file still is as it left it', () => {
  const rows = [row('1', { before: 'a', after: 'b', isReplayed: true })];
  assert.deepEqual(told(rows, undefined), ['1 a b']);
  assert.deepEqual(told(rows, 'x'), ['1 a b']);
  assert.deepEqual(told(rows, 'b'), ['1 a! b!']);
});

test('a file written anew says nothing of what was there', () => {
  const rows = [row('1', { before: 'a', after: 'b' })];
  assert.deepEqual(told(rows, 'b'), ['1 a b!']);
});

test('somebody’s change between two turns breaks the chain there', () => {
  const rows = [
    row('1', { before: 'a', after: 'b', isReplayed: true }),
    row('2', { before: 'x', after: 'c', isReplayed: true }),
    row('3', { before: 'c', after: 'd', isReplayed: true }),
  ];
  assert.deepEqual(told(rows, undefined), ['1 a b', '2 x! c!', '3 c! d!']);
});

test('diffs lead on from a text, and back from the file', () => {
  const added = row('1', { before: null, after: 'a', isReplayed: true });
  const rows = [added, row('2', { patches: ['a>b', 'b>c'] }), row('3', { patches: ['c>d'] })];
  assert.deepEqual(told(rows, 'd'), ['1 none! a!', '2 a! c!', '3 c! d!']);
  assert.deepEqual(told(rows, 'else'), ['1 none a', '2 a c', '3 c d']);
  // Nothing but diffs: what they lead back to can be looked at; nobody else tells of it.
  assert.deepEqual(told(rows.slice(1), 'd'), ['2 a c', '3 c d']);
  assert.deepEqual(told(rows.slice(1), 'else'), ['2 ? ?', '3 ? ?']);
});

test('a deleted file', () => {
  const rows = [row('1', { before: 'a', after: null, isReplayed: true })];
  assert.deepEqual(told(rows, null), ['1 a! none!']);
});

test('texts that lost something of their bytes never hold', () => {
  const rows = [
    row('1', { before: 'a\n', after: 'b\n', isReplayed: true }),
    row('2', { before: 'b\n', after: 'c\n', isReplayed: true }),
  ];
  assert.deepEqual(told(rows, 'c\r\n'), ['1 a\n b\n', '2 b\n c\n']);
  assert.deepEqual(told(rows, '\ufeffc\n'), ['1 a\n b\n', '2 b\n c\n']);
  const lost = [row('1', { before: 'a', after: '\ufffd', isReplayed: true })];
  assert.deepEqual(told(lost, '\ufffd'), ['1 a \ufffd']);
});
