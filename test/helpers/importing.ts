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
