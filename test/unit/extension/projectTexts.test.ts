/** Rows of the Projects view, notices about skipped turns, and the state of a project's page. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SkipReason, TurnCommit } from '../../../src/core/autoCommit.ts';
import { asProjectId, asSessionId, asTurnId } from '../../../src/core/ids.ts';
import { projectRow, sessionRow, turnRow } from '../../../src/extension/projectItems.ts';
import {
  canCommitAgentPaths,
  committedText,
  skipNotice,
  standingSkip,
} from '../../../src/extension/projectNotice.ts';
import { projectState } from '../../../src/extension/projectState.ts';
import { parseProjectIntent } from '../../../src/protocol/parseProjectIntent.ts';
import { projectStrings } from '../../../src/protocol/projectStrings.ts';
import { fakeProject } from '../../helpers/fakeProjects.ts';
import { fakeTurn } from '../../helpers/fakeTimelineApp.ts';
import { plainLocalizer as l10n } from '../../helpers/plainLocalizer.ts';

const project = fakeProject({ id: 'p', name: 'Shop', sessions: [asSessionId('s')] });

function skipped(reason: SkipReason, given: Partial<TurnCommit> = {}): TurnCommit {
  return {
    ...{ turn: asTurnId('s#3'), session: asSessionId('s'), project: asProjectId('p') },
    ...{ state: 'skipped', commit: null, branch: null, reason, detail: null },
    ...{ paths: [], leftOut: [], olderTurns: [], at: 5 },
    ...given,
  };
}

test('a project’s row: status, sessions, whose folder it is, and a warning only for a reason', () => {
  const row = projectRow(project, true, null, l10n);
  assert.deepEqual(row, {
    label: 'Shop',
    description: 'active · 1 session · this folder',
    tooltip: 'Shop\n/repo\nAgents’ work is not committed.',
    icon: 'project',
    context: 'project.active',
  });
  assert.equal(projectRow(project, false, 'Why.', l10n).icon, 'warning');
  const paused = { ...project, status: 'paused' as const, name: 'a $(trash)' };
  assert.deepEqual(
    [projectRow(paused, false, 'Why.', l10n).icon, projectRow(paused, false, null, l10n).label],
    ['debug-pause', 'a $\u200b(trash)'],
  );
  const missing = projectRow({ ...project, isMissing: true }, false, null, l10n);
  assert.deepEqual(
    [missing.icon, missing.context, missing.description],
    ['warning', 'project.active.missing', 'folder missing · 1 session'],
  );
});

test('rows of sessions and turns say in one line what they are', () => {
  const session = {
    ...{ id: asSessionId('s'), agent: 'claude', root: '/repo', title: 'First\nsecond' },
    ...{ startedAt: 0, updatedAt: 0, endedAt: null, turns: 2 },
  };
  assert.deepEqual(
    [sessionRow(session, 'en', l10n).label, sessionRow(session, 'en', l10n).description],
    ['First', 'Claude Code · 2 turns'],
  );
  const turn = fakeTurn({ id: 't', session: 's', number: 3, prompt: 'Do it\nnow' });
  assert.deepEqual(
    [turnRow(turn, l10n).label, turnRow(turn, l10n).icon],
    ['Turn 3: Do it', 'circle-outline'],
  );
  const committed = {
    ...turn,
    autoCommit: skipped('merge', { commit: 'c0ffee0012', reason: null, state: 'committed' }),
  };
  assert.deepEqual(
    [turnRow(committed, l10n).description, turnRow(committed, l10n).icon],
    ['c0ffee00', 'git-commit'],
  );
});

test('a notice offers to commit the agent’s files only where that may help', () => {
  const ids = (reason: SkipReason, autoCommit: typeof project.autoCommit = 'whenClean') =>
    skipNotice(skipped(reason), { ...project, autoCommit }, 3, l10n).choices.map(({ id }) => id);
  assert.deepEqual(ids('userChanges'), ['commit', 'show', 'mute']);
  assert.deepEqual(ids('merge'), ['show', 'mute']);
  assert.deepEqual(ids('detachedHead'), ['branch', 'show', 'mute']);
  assert.deepEqual(ids('changedBefore', 'agentPathsOnly'), ['show', 'mute']);
  const leftOut = [{ path: 'a.txt', reason: 'userStaged' as const }];
  assert.equal(
    skipNotice(skipped('userStaged', { leftOut }), project, 3, l10n).message,
    'Shop, turn 3: Not committed: a.txt: is staged.',
  );
});

test('what stands is shown: the newest decision, unless it is quiet or was only put off', () => {
  assert.match(standingSkip(skipped('merge')) ?? '', /A merge is going on/);
  assert.equal(standingSkip(skipped('nothingToCommit')), null);
  assert.equal(standingSkip(skipped('indexLocked', { state: 'waiting' })), null);
  assert.equal(standingSkip(undefined), null);
  assert.equal(canCommitAgentPaths(skipped('merge')), false);
  assert.match(committedText(skipped('merge'), project, 3, l10n), /^Shop, turn 3: A merge/);
  const made = skipped('merge', { state: 'committed', commit: 'c0ffee0012', reason: null });
  assert.match(committedText(made, project, 3, l10n), /^Turn 3 was committed as c0ffee00\./);
});

test('the page’s state: cut texts, one row a decision, none of turns that are gone', () => {
  const turn = fakeTurn({ id: 's#3', session: 's', number: 3, prompt: `${'x'.repeat(200)}\ny` });
  const facts = {
    version: 1,
    now: 9,
    locale: 'en',
    strings: {},
    trusted: true,
    disk: null,
    memory: null,
  };
  const state = projectState({
    ...facts,
    project,
    sessions: [],
    commits: [skipped('userChanges'), skipped('merge', { turn: asTurnId('s#9') })],
    turn: ({ turn: id }) => (id === turn.id ? turn : undefined),
  });
  assert.deepEqual(
    state.commits.map(({ number, prompt, canCommit }) => [number, prompt.length, canCommit]),
    [[3, 120, true]],
  );
  assert.equal(state.project !== null && 'sessions' in state.project, false);
  const gone = projectState({
    ...facts,
    project: undefined,
    sessions: [],
    commits: [],
    turn: () => undefined,
  });
  assert.equal(gone.project, null);
});

test('intents of the page are parsed; anything else is nothing', () => {
  for (const intent of [
    { type: 'ready' },
    { type: 'act', act: 'rename' },
    { type: 'setStatus', status: 'paused' },
    { type: 'setAutoCommit', mode: 'whenClean' },
    { type: 'setJoins', byFolder: false },
    { type: 'openTurn', turn: 't' },
    { type: 'commitTurn', turn: 't' },
    { type: 'openSession', session: 's' },
    { type: 'openNote', name: 'n' },
    { type: 'detach', session: 's' },
  ])
    assert.deepEqual(parseProjectIntent(intent), intent);
  for (const strange of [
    null,
    {},
    { type: 'act', act: 'erase' },
    { type: 'setStatus', status: 'gone' },
    { type: 'setAutoCommit', mode: 'all' },
    { type: 'openTurn' },
    { type: 'openTurn', turn: 'x'.repeat(5000) },
  ])
    assert.equal(parseProjectIntent(strange), undefined);
});

test('placeholders of the page’s sentences are numbered from 0 without a gap', () => {
  for (const [id, sentence] of Object.entries(projectStrings)) {
    const numbers = [...sentence.matchAll(/\{(\d+)\}/g)].map(([, number]) => Number(number));
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => index),
      id,
    );
  }
});
