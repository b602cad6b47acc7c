/** The history of a `FakeTimelineApp`: empty, and nothing can be done to it. Tests of histories use the real app. */
import type { SessionHistory } from '../../src/app/sessionHistory.ts';

export function fakeHistory(): SessionHistory {
  const none = (): never => {
    throw new Error('The fake has no history.');
  };
  return {
    turns: () => [],
    branch: () => [],
    branches: () => [],
    nodes: () => [],
    position: (session) => ({
      session,
      branch: 'main',
      turn: null,
      index: 0,
      count: 0,
      isLatest: true,
    }),
    step: none,
    goTo: none,
    switchTo: none,
    search: () => [],
    export: none,
    complete: () => false,
    mirrorState: none,
    mirrorsBehind: () => [],
    syncMirrors: none,
    setRemote: none,
    importSessions: none,
  };
}
