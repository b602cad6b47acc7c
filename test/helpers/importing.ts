/** What tests of imports share: transcripts put where agents keep them, and what came of them. */
import fs from 'node:fs';
import path from 'node:path';
import type { ImportReport } from '../../src/app/sessionHistory.ts';
import { type HistoryWorld, id } from './historyWorld.ts';

export const fixtures = path.join(import.meta.dirname, '..', 'fixtures', 'transcripts');

export const counts = (report: ImportReport) =>
  report.files.map((f) => [f.agent, f.added, f.updated, f.isUnchanged, f.problem]);

export const put = (world: HistoryWorld, name: string, place: string): string => {
  const file = path.join(world.userHome, ...place.split('/'));
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.copyFileSync(path.join(fixtures, name), file);
  return file;
};

export const turnsOf = (world: HistoryWorld, session: string) =>
  world.app.history
    .turns(id(session))
    .map(({ number, prompt, reply, tools, end }) => [
      number,
      prompt,
      reply,
      tools.map(({ name, count }) => `${name} ${count}`).join(),
      end,
    ]);

/** Where each agent keeps the transcript of `fixtures` that is called after it. */
export const real = [
  {
    agent: 'claude',
    place: '.claude/projects/-repo/c2f66677-e59e-40ff-8b01-7d9c544c6312.jsonl',
    session: 'c2f66677-e59e-40ff-8b01-7d9c544c6312',
    tools: ['Read 2,Edit 3,Write 1,Bash 1', 'Read 1,Edit 1'],
  },
  {
    agent: 'codex',
    place: '.codex/sessions/2026/11/30/rollout-2026-11-30-01a22d59.jsonl',
    session: '01a22d59-8909-7491-a8c7-488c6b1b35f8',
    tools: ['Bash 3,apply_patch 3,exec 1', 'Bash 1,apply_patch 1'],
  },
  {
    agent: 'gemini',
    place: '.gemini/tmp/repo/chats/session-2026-11-30.jsonl',
    session: '04213d6d-a42e-421c-87c8-6441424b4f3a',
    tools: ['read_file 2,replace 3,write_file 1,run_shell_command 1', 'read_file 1,replace 1'],
  },
  {
    agent: 'copilot',
    place: '.copilot/session-state/62d64141/events.jsonl',
    session: '62d64141-6228-4f56-97fb-1c4005792a1f',
    tools: ['view 2,edit 3,create 1,bash 1', 'view 1,edit 1'],
  },
] as const;
