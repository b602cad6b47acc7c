/** Composing what an agent is given: a thousand notes, fifty documents with imports, facts, a preset. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { contextReader } from '../../../src/app/contextReader.ts';
import { composeFor, memoryPlaces, readMemoryContext } from '../../../src/app/memoryContext.ts';
import type { Root } from '../../../src/core/ids.ts';
import type { Bar } from '../bar.ts';
import { interleave, median, spread, timed } from '../interleave.ts';

const notes = 1_000;
/** Each with two documents, one of which has an import. */
const folders = 25;

export async function compose(): Promise<readonly Bar[]> {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-compose-')));
  try {
    const [home, root] = [path.join(base, 'home'), path.join(base, 'project')];
    const folder = fill(home, root);
    const place = {
      home,
      userHome: base,
      root: root as Root,
      folder,
      places: memoryPlaces(home, 'p'),
    };
    const warm = contextReader(Date.now);
    const { contents } = readMemoryContext(place);
    if (contents.notes.length !== notes || contents.documents.length !== folders * 2)
      throw new Error('Not everything was read.');
    const times = await interleave(20, {
      'warm, nothing changed': () => timed(() => composeFor(warm(place), 'gemini')),
      'everything read again': () => timed(() => composeFor(readMemoryContext(place), 'gemini')),
    });
    return [
      {
        name: 'memory.compose',
        measured: median(times['warm, nothing changed']),
        limit: 20,
        notes: Object.entries(times).map(([name, samples]) => spread(name, samples)),
      },
    ];
  } finally {
    fs.rmSync(base, { recursive: true, force: true });
  }
}

/** @returns the lowest folder of the project */
function fill(home: string, root: string): string {
  const memory = path.join(home, 'memory');
  write(path.join(memory, 'facts/profile'), 'editor: vim\nname: Ann\n');
  for (let n = 0; n < notes; n++)
    write(
      path.join(memory, 'notes', `note-${n}.md`),
      `---\nname: Note ${n}\nupdated_at: 2026-01-01T00:00:00Z\n---\n\nWhat is known of ${n}.\n\nMore.\n`,
    );
  fs.mkdirSync(path.join(root, '.git'), { recursive: true });
  write(path.join(root, 'shared.md'), 'Shared words.\n'.repeat(20));
  let at = root;
  for (let n = 0; n < folders; n++) {
    const up = '../'.repeat(n);
    write(
      path.join(at, 'AGENTS.md'),
      `# Rules ${n}\n\n@${up}shared.md\n\n${'A rule.\n'.repeat(60)}`,
    );
    write(path.join(at, 'CLAUDE.md'), `# More ${n}\n\n${'Another rule.\n'.repeat(60)}`);
    if (n < folders - 1) at = path.join(at, `f${n}`);
  }
  return at;
}

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}
