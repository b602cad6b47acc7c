/** Recalling among 10,000 notes, through the whole use case: the files are asked for what changed, texts are read. */
import fs from 'node:fs';
import path from 'node:path';
import { openTimelineApp } from '../../../src/app/openTimelineApp.ts';
import type { Root } from '../../../src/core/ids.ts';
import type { Bar } from '../bar.ts';
import { inBenchFolder } from '../benchFolder.ts';
import { interleave, median, spread } from '../interleave.ts';

const notes = 10_000;
const rounds = 15;
const limit = 20;

export async function recall(): Promise<Bar> {
  return inBenchFolder(async (folder) => {
    const root = path.join(folder, 'work') as Root;
    const home = path.join(folder, 'home');
    const place = path.join(home, 'memory', 'notes');
    fs.mkdirSync(root);
    fs.mkdirSync(place, { recursive: true });
    for (let n = 0; n < notes; n++) fs.writeFileSync(path.join(place, `note-${n}.md`), text(n));
    const app = openTimelineApp({ home, userHome: folder, now: Date.now, log: () => undefined });
    try {
      const memory = await app.memory();
      const began = performance.now();
      await memory.list(root);
      const first = performance.now() - began;
      const queries = {
        rare: 'needle',
        everywhere: 'common',
        several: 'common w17 w31',
        'none with all': 'needle w17 nothere common',
        beginning: 'w12',
        Chinese: '构建',
      };
      const times = await interleave(
        rounds,
        Object.fromEntries(
          Object.entries(queries).map(([name, words]) => [
            name,
            async () => {
              const started = performance.now();
              await memory.recall(root, { words });
              return performance.now() - started;
            },
          ]),
        ),
      );
      const slowest = Math.max(...Object.values(times).map((each) => median(each)));
      return {
        name: 'memory.recall',
        measured: slowest,
        limit,
        notes: [
          ...Object.entries(times).map(([name, each]) => spread(name, each)),
          `all ${notes} notes read for the first time: ${first.toFixed(0)} ms`,
        ],
      };
    } finally {
      app.dispose();
    }
  });
}

/** Some 60 words, one of them in all notes, one in few. */
function text(n: number): string {
  const words = Array.from({ length: 60 }, (_, at) => `w${(n * 31 + at * at * 7) % 997}`);
  const rare = n % 2_000 === 7 ? ' needle 构建顺序' : '';
  return `---\nname: Note ${n}\ncreated_at: 2026-01-01T00:00:00Z\n---\n\nThis is common. ${words.join(' ')}${rare}\n`;
}
