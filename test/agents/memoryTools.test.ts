/** Real clients with our MCP server: what they remember belongs to their turn, and goes with it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { launcherFile } from '../../src/app/launcher.ts';
import { agentName } from '../../src/core/agentName.ts';
import type { MemoryOrigin } from '../../src/core/memory.ts';
import type { ClientName } from './clients.ts';
import { clientWorld } from './clientWorld.ts';
import type { Script } from './model/script.ts';

const script: Script = {
  turns: [
    {
      prompt: 'First turn: learn how we build',
      match: 'First turn',
      steps: [
        { op: 'create', path: 'made.txt', content: 'made\n' },
        {
          op: 'tool',
          tool: 'mcp__memcode__remember',
          args: { name: 'Building', body: 'Build with make.' },
        },
        { op: 'text', text: 'Learned.' },
      ],
    },
    {
      prompt: 'Second turn: learn how we deploy',
      match: 'Second turn',
      steps: [
        { op: 'tool', tool: 'mcp__memcode__recall', args: { query: 'make' } },
        {
          op: 'tool',
          tool: 'mcp__memcode__remember',
          args: { name: 'Deploying', body: 'Only on Mondays.' },
        },
        { op: 'text', text: 'Learned too.' },
      ],
    },
  ],
};

/** As a person would set the server up in the client. */
const setUps: Readonly<Record<ClientName, (home: string, command: string) => void>> = {
  claude(home, command) {
    change(path.join(home, '.claude.json'), (settings) => ({
      ...settings,
      mcpServers: { memcode: { type: 'stdio', command, args: ['mcp'] } },
    }));
    change(path.join(home, '.claude/settings.json'), (settings) => ({
      ...settings,
      permissions: { allow: ['mcp__memcode'] },
      // Else its tools are only found by a search that nobody scripted.
      env: { ENABLE_TOOL_SEARCH: 'false' },
    }));
  },
  gemini(home, command) {
    change(path.join(home, '.gemini/settings.json'), (settings) => ({
      ...settings,
      mcpServers: { memcode: { command, args: ['mcp'], trust: true } },
    }));
  },
  codex(home, command) {
    const table = `\n[mcp_servers.memcode]\ncommand = ${JSON.stringify(command)}\nargs = ["mcp"]\n`;
    fs.appendFileSync(path.join(home, '.codex/config.toml'), table);
  },
};

for (const name of ['claude', 'gemini', 'codex'] as const satisfies readonly ClientName[])
  test(`${agentName(name)}: what it remembers goes with its turn`, async (t) => {
    const world = await clientWorld(t, name);
    if (world === undefined) return;
    const store = path.join(world.home, '.memcode/timeline');
    setUps[name](world.home, launcherFile(store, process.platform));
    world.cli('memory', 'writes', 'auto');
    const run = await world.run(script);
    const said = run.turns.map(({ output }) => output).join('\n');
    const notes = () =>
      (world.cli('memory', 'list') as { notes: { name: string; origin: MemoryOrigin }[] }).notes;
    const turns = world.turns();
    assert.deepEqual(
      notes()
        .map((note) => [note.name, note.origin.agent, note.origin.turn])
        .sort(),
      [
        ['Building', name, turns[0]?.id],
        ['Deploying', name, turns[1]?.id],
      ],
      said,
    );
    assert.ok(JSON.stringify(run.requests).includes('> Build with make.'), said);
    world.cli('rewind', '2', '--memory', 'take-back', '--yes');
    assert.deepEqual(
      notes().map((note) => note.name),
      ['Building'],
    );
    world.cli('rewind', '1', '--memory', 'take-back', '--yes');
    assert.deepEqual(notes(), []);
    assert.equal(world.files()['made.txt'], undefined);
    world.cli('redo', '--yes');
    assert.deepEqual(
      notes().map((note) => note.name),
      ['Building'],
    );
    assert.equal(world.hookLog(), '');
  });

function change(
  file: string,
  to: (settings: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): void {
  const before = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify(to(before), null, 2));
}
