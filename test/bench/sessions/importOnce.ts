/** One process of `import.bench.ts`: reads or imports a transcript and prints time and memory. */

import { claudeTranscripts } from '../../../src/agents/claude/transcript.ts';
import { openTimelineApp } from '../../../src/app/openTimelineApp.ts';
import { recordsOf, transcriptFile } from '../../../src/app/readTranscript.ts';

const [what, file = '', home = '', userHome = ''] = process.argv.slice(2);
const began = performance.now();
const turns = what === 'parse' ? parse() : await importAll();
const seconds = (performance.now() - began) / 1000;
console.log(JSON.stringify({ seconds, turns, peak: process.resourceUsage().maxRSS * 1024 }));

function parse(): number {
  const at = transcriptFile(file);
  if (at === undefined) throw new Error('There is no transcript.');
  const reader = claudeTranscripts.reader();
  let count = 0;
  for (const { record, position } of recordsOf(claudeTranscripts, at, 0)) {
    if (record) reader.take(record, position);
    count += reader.finished().length;
  }
  return count;
}

async function importAll(): Promise<number> {
  const app = openTimelineApp({ home, userHome, now: Date.now, log: () => undefined });
  const { files } = await app.history.importSessions({});
  app.dispose();
  return files.reduce((sum, { added }) => sum + added, 0);
}
