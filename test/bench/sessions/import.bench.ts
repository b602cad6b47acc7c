/** Importing one transcript of Claude Code of 100 MB: how fast it is read, and how much memory that takes. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Bar } from '../bar.ts';
import { SessionsWorld } from './world.ts';

const size = 100e6;

export async function importing(): Promise<readonly Bar[]> {
  using world = new SessionsWorld();
  const file = path.join(world.userHome, '.claude', 'projects', '-repo', 'big.jsonl');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  writeTranscript(world, file);
  const run = (what: 'parse' | 'import') =>
    JSON.parse(
      execFileSync(
        process.execPath,
        [path.join(import.meta.dirname, 'importOnce.ts'), what, file, world.home, world.userHome],
        { encoding: 'utf8' },
      ),
    ) as { readonly seconds: number; readonly peak: number; readonly turns: number };
  const parsed = [run('parse'), run('parse'), run('parse')].sort((a, b) => a.seconds - b.seconds);
  const parse = parsed[1] ?? parsed[0];
  const whole = run('import');
  const megabytes = fs.statSync(file).size / 1e6;
  return [
    {
      name: 'sessions.parseSeconds',
      measured: parse?.seconds ?? Number.NaN,
      limit: megabytes / 50,
      notes: [
        `a Claude transcript of ${megabytes.toFixed(0)} MB: ${(megabytes / (parse?.seconds ?? 1)).toFixed(0)} MB/s, ${parse?.turns} turns, the middle of 3 processes`,
        `import of the same into an empty store: ${whole.seconds.toFixed(1)} s, ${whole.turns} turns`,
      ],
    },
    {
      name: 'sessions.importMemoryMB',
      measured: whole.peak / 1e6,
      limit: 300,
    },
  ];
}

function writeTranscript(world: SessionsWorld, file: string): void {
  const fd = fs.openSync(file, 'w');
  let last: string | null = null;
  let count = 0;
  let written = 0;
  const pool = Array.from({ length: 300 }, () => world.text(4000));
  const text = (length: number) => (pool[world.random(pool.length)] ?? '').slice(0, length);
  const line = (record: object) => {
    const uuid = `00000000-0000-4000-8000-${String(count++).padStart(12, '0')}`;
    const whole = {
      parentUuid: last,
      isSidechain: false,
      ...record,
      uuid,
      timestamp: new Date(1_767_225_600_000 + count * 500).toISOString(),
      userType: 'external',
      cwd: '/repo',
      sessionId: 'big',
      version: '2.1.332',
      gitBranch: 'main',
    };
    written += fs.writeSync(fd, `${JSON.stringify(whole)}\n`);
    last = uuid;
  };
  const usage = { input_tokens: 10, cache_read_input_tokens: 20_000, output_tokens: 50 };
  const say = (content: object, stop: string) =>
    line({
      type: 'assistant',
      message: {
        id: `msg_${count}`,
        role: 'assistant',
        model: 'model-x',
        content: [content],
        stop_reason: stop,
        usage,
      },
    });
  for (let turn = 0; written < size; turn++) {
    line({ type: 'user', promptId: `p${turn}`, message: { role: 'user', content: text(200) } });
    line({ type: 'attachment', attachment: { type: 'environment' } });
    for (let call = 0; call < 6; call++) {
      const id = `toolu_${count}`;
      const isEdit = call % 3 === 2;
      say(
        {
          type: 'tool_use',
          id,
          name: isEdit ? 'Edit' : 'Read',
          input: { file_path: '/repo/src/a.ts', old_string: text(200), new_string: text(200) },
        },
        'tool_use',
      );
      const shown = text(isEdit ? 150 : 4000);
      line({
        type: 'user',
        message: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: id, content: shown }],
        },
        toolUseResult: isEdit
          ? {
              filePath: '/repo/src/a.ts',
              originalFile: text(4000) + text(4000),
              structuredPatch: [{ lines: ['-a', '+b'] }],
            }
          : { type: 'text', file: { filePath: '/repo/src/a.ts', content: shown } },
      });
    }
    say({ type: 'text', text: text(600) }, 'end_turn');
  }
  fs.closeSync(fd);
}
