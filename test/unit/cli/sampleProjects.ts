/** Two projects, and a turn of each thing that can become of one. */
import type { TurnCommit } from '../../../src/core/autoCommit.ts';
import { asProjectId, asSessionId, asTurnId } from '../../../src/core/ids.ts';
import { fixedNow } from '../../helpers/cliRun.ts';
import { fakeProject } from '../../helpers/fakeProjects.ts';
import type { FakeTimelineApp } from '../../helpers/fakeTimelineApp.ts';

const session = asSessionId('4f2a9c10-1111-4222-8333-444455556666');

export function addProjects({ projects }: FakeTimelineApp): void {
  projects.projectList.push(
    fakeProject({
      id: '0b1c2d3e-1111-4222-8333-444455556666',
      name: 'shop',
      description: 'The shop and its tools',
      createdAt: fixedNow - 3 * 24 * 3_600_000,
      autoCommit: 'whenClean',
      sessions: [session],
    }),
    fakeProject({
      id: '9a8b7c6d-1111-4222-8333-444455556666',
      name: 'site',
      workdir: '/elsewhere/site \u001b[31m',
      isMissing: true,
      joinsByFolder: false,
      createdAt: fixedNow - 60_000,
    }),
  );
  projects.candidates.push({ workdir: '/repo', sessions: 2, isRepository: true });
  const id = asProjectId('0b1c2d3e-1111-4222-8333-444455556666');
  const base: TurnCommit = {
    turn: asTurnId('4f2a#4'),
    session,
    project: id,
    state: 'committed',
    commit: '1234567890abcdef1234567890abcdef12345678',
    branch: 'main',
    reason: null,
    detail: null,
    paths: ['src/a.ts', 'src/b.ts'],
    leftOut: [{ path: 'mine.txt', reason: 'changedBefore' }],
    olderTurns: [],
    at: fixedNow - 60_000,
  };
  const none = {
    ...base,
    commit: null,
    branch: null,
    paths: [],
    leftOut: [],
    state: 'skipped',
  } as const;
  projects.commitList.push(
    base,
    {
      ...none,
      turn: asTurnId('4f2a#3'),
      reason: 'userChanges',
      leftOut: [{ path: 'no\u001btes.txt', reason: 'userChanges' }],
    },
    { ...none, turn: asTurnId('4f2a#2'), state: 'waiting', reason: 'indexLocked' },
    { ...base, turn: asTurnId('4f2a#0'), revertedBy: 'beef'.repeat(10) },
    { ...none, turn: asTurnId('4f2a#1'), reason: 'gitFailed', detail: 'git write-tree: disk full' },
  );
}
