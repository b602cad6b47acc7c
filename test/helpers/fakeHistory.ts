/** The history of a `FakeTimelineApp`: empty, and nothing can be done to it. Tests of histories use the real app. */
import type { SessionHistory } from '../../src/app/sessionHistory.ts';
import type { HistoryTurn } from '../../src/core/history.ts';
import { asSessionId, asTurnId } from '../../src/core/ids.ts';

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

/** A turn of the main branch, without tools, unless told otherwise. */
export function fakeHistoryTurn(
  given: Partial<Omit<HistoryTurn, 'id'>> & { readonly id: string; readonly number: number },
): HistoryTurn {
  const { id, number, ...rest } = given;
  return {
    id: asTurnId(id),
    session: asSessionId('s'),
    node: `node-${id}`,
    parent: null,
    number,
    branch: 'main',
    prompt: `prompt ${number}`,
    reply: `reply ${number}`,
    agent: 'claude',
    model: null,
    startedAt: 0,
    endedAt: 0,
    end: 'stop',
    tools: [],
    files: 0,
    inputTokens: null,
    outputTokens: null,
    duration: null,
    next: [],
    imported: false,
    commit: null,
    ...rest,
  };
}
