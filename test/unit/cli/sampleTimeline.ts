/** A small timeline with one of everything that the CLI shows. */
import { asOperationId, type TurnId } from '../../../src/core/ids.ts';
import type { TouchSummary } from '../../../src/core/timeline.ts';
import { fixedNow } from '../../helpers/cliRun.ts';
import {
  bytesSide,
  FakeTimelineApp,
  fakeSession,
  fakeTurn,
} from '../../helpers/fakeTimelineApp.ts';

const minute = 60_000;
const ago = (minutes: number) => fixedNow - minutes * minute;

export function sampleTimeline(): FakeTimelineApp {
  const app = new FakeTimelineApp();
  app.sessionList.push(
    fakeSession({
      id: '4f2a9c10-1111-4222-8333-444455556666',
      title: 'Rename the parser to reader and keep the tests green',
      startedAt: ago(190),
      updatedAt: ago(2),
      turns: 6,
    }),
    fakeSession({
      id: '4f77aa00-0000-4000-8000-000000000001',
      agent: 'codex',
      title: 'Add a --quiet flag',
      startedAt: ago(3000),
      updatedAt: ago(2000),
      endedAt: ago(2000),
      turns: 1,
    }),
    fakeSession({
      id: 'sess \u001b[31mred\u202e',
      agent: 'memcode',
      title: '日本語のタイトル 🙂 with a bell \u0007',
      startedAt: ago(100_000),
      updatedAt: ago(90_000),
      turns: 0,
    }),
  );
  app.turnList.push(
    fakeTurn({
      id: 'turn-aaaa1111',
      session: '4f2a9c10-1111-4222-8333-444455556666',
      number: 1,
      model: 'model-7',
      prompt: 'Rename the parser to reader and keep the tests green',
      reply: 'Done. I renamed `parser.ts` to `reader.ts`.\n\nAll 12 tests pass.',
      startedAt: ago(190),
      endedAt: ago(186) + 20_000,
      tools: [
        { name: 'Edit', count: 3 },
        { name: 'Bash', count: 1 },
      ],
      files: [
        touch('src/parser.ts', 'deleted', null, 3),
        touch('src/reader.ts', 'added', 4, null),
        touch('src/my index.ts', 'modified', 1, 1),
        touch('bin/run', 'mode', 0, 0, 'shell'),
        touch('logo.png', 'modified', null, null),
        touch('current', 'modified', 1, 1),
        touch('plain', 'type', 1, 2),
      ],
    }),
    fakeTurn({
      id: 'turn-aaaa2222',
      session: '4f2a9c10-1111-4222-8333-444455556666',
      number: 2,
      prompt: 'Explain the reader',
      startedAt: ago(130),
      endedAt: ago(129),
      end: 'nextPrompt',
    }),
    fakeTurn({
      id: 'turn-bbbb3333',
      session: '4f2a9c10-1111-4222-8333-444455556666',
      number: 3,
      prompt: 'Make it fast\nand do not\tbreak \u001b]0;owned\u0007 it',
      startedAt: ago(61),
      endedAt: ago(60),
      end: 'interrupt',
      tools: [{ name: 'Bash', count: 2 }],
      files: [
        touch('src/reader.ts', 'modified', 40, 12),
        touch('evil\u001b[2J\nname', 'added', 1, null),
      ],
      unprotected: [{ path: 'big.bin', reason: 'larger than the limit of 50 MB' }],
      uncapturedShell: true,
    }),
    fakeTurn({
      id: 'turn-cccc4444',
      session: '4f2a9c10-1111-4222-8333-444455556666',
      number: 4,
      prompt: 'Try another way',
      startedAt: ago(40),
      endedAt: ago(38),
      rewoundBy: asOperationId('op0'),
      files: [touch('src/reader.ts', 'modified', 2, 2)],
    }),
    fakeTurn({
      id: 'turn-dddd5555',
      session: '4f2a9c10-1111-4222-8333-444455556666',
      number: 5,
      seq: 7,
      prompt: 'Update the docs',
      startedAt: ago(20),
      endedAt: ago(19),
      damaged: '.memcode/checkpoints/4f2a9c10/7/manifest.json is not JSON',
    }),
    fakeTurn({
      id: 'turn-eeee6666',
      session: '4f2a9c10-1111-4222-8333-444455556666',
      number: 6,
      seq: 8,
      prompt: '日本語の長い長い長い長い長い長い長い長い長い長い長い長い長い長い長い長い依頼',
      startedAt: ago(2),
      endedAt: null,
      end: 'running',
    }),
    fakeTurn({
      id: '99990000-aaaa',
      session: '4f77aa00-0000-4000-8000-000000000001',
      number: 1,
      agent: 'codex',
      prompt: 'Add a --quiet flag',
      files: [touch('src/cli.ts', 'modified', 3, 0)],
    }),
  );
  putContents(app);
  return app;
}

function putContents(app: FakeTimelineApp): void {
  const one = app.turnList[0]?.id as TurnId;
  const absent = { kind: 'absent' } as const;
  app.put(one, 'src/parser.ts', bytesSide('a\nb\nc\n', 0o644), absent);
  app.put(one, 'src/reader.ts', absent, bytesSide('a\nb\nc\nd', 0o644));
  app.put(
    one,
    'src/my index.ts',
    bytesSide(`import './parser';\n${'x\n'.repeat(9)}`),
    bytesSide(`import './reader';\n${'x\n'.repeat(9)}`),
  );
  app.put(one, 'bin/run', bytesSide('#!/bin/sh\n', 0o644), bytesSide('#!/bin/sh\n', 0o755));
  app.put(one, 'logo.png', bytesSide('\u0000old'), bytesSide('\u0000new'));
  app.put(one, 'current', { kind: 'symlink', target: 'v1' }, { kind: 'symlink', target: 'v2' });
  app.put(one, 'plain', bytesSide('1\n2\n', 0o600), { kind: 'symlink', target: '/dev/null' });
}

function touch(
  path: string,
  change: TouchSummary['change'],
  added: number | null,
  removed: number | null,
  cause: TouchSummary['cause'] = 'edit',
): TouchSummary {
  return { path, change, cause, added, removed };
}
