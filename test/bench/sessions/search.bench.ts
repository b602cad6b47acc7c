/** Searching a million messages: words that are everywhere, rare ones, several, and a file. */
import { inTransaction } from '../../../src/session/database.ts';
import { searchNodes } from '../../../src/session/searchNodes.ts';
import type { Bar } from '../bar.ts';
import { interleave, median, spread, timed } from '../interleave.ts';
import { addSession, SessionsWorld } from './world.ts';

const sessions = 200;
const turns = 1000;
const perTurn = 5;

export async function search(): Promise<readonly Bar[]> {
  using world = new SessionsWorld();
  const database = world.database();
  database.exec('PRAGMA synchronous = OFF');
  const texts = Array.from({ length: 5000 }, () => world.text(200));
  const turn = database.prepare(
    `INSERT INTO turns (id, session, seq, number, root, agent, prompt, started_at, last_at, ending, recorded)
     VALUES (?, ?, ?, ?, ?, 'claude', '', 0, 0, 'stop', 2)`,
  );
  const node = database.prepare(
    `INSERT INTO nodes (key, id, session, turn, seq, role, content, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const words = database.prepare('INSERT INTO node_words (rowid, words) VALUES (?, ?)');
  const touch = database.prepare(
    "INSERT INTO touches (turn, path, change, cause) VALUES (?, ?, 'modified', 'edit')",
  );
  let key = 0;
  for (let s = 0; s < sessions; s++)
    inTransaction(database, () => {
      const session = `s${s}`;
      addSession(database, session, world.root);
      for (let t = 1; t <= turns; t++) {
        const id = `${session}#${t}`;
        turn.run(id, session, t, t, world.root);
        touch.run(id, `src/file-${world.random(3000)}.ts`);
        for (let n = 0; n < perTurn; n++) {
          key++;
          const text = `${texts[world.random(texts.length)]}${key === 5000 ? ' needle' : ''}`;
          node.run(
            key,
            `n${key}`,
            session,
            id,
            t * perTurn + n,
            n === 0 ? 'user' : 'tool',
            text,
            key,
          );
          words.run(key, text);
        }
      }
    });
  const queries = {
    everywhere: { text: 'w1' },
    'a beginning': { text: 'w12' },
    'a longer beginning': { text: 'w123' },
    rare: { text: 'needle' },
    several: { text: 'w7 w11 w31' },
    phrase: { text: '"w1 w2"' },
    'of a file': { file: 'file-77.ts' },
    'words of a file': { text: 'w1', file: 'file-7' },
    nothing: { text: 'nowhere' },
  } as const;
  const times = await interleave(
    15,
    Object.fromEntries(
      Object.entries(queries).map(([name, query]) => [
        name,
        () => timed(() => searchNodes(database, query)),
      ]),
    ),
  );
  database.close();
  const slowest = Math.max(...Object.values(times).map(median));
  return [
    {
      name: 'sessions.searchMs',
      measured: slowest,
      limit: 100,
      notes: Object.entries(times).map(([name, samples]) => spread(name, samples)),
    },
  ];
}
