/** What real clients send to their model of memory: all of it once, a change once, and both still there when they go on. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { agentName } from '../../src/core/agentName.ts';
import type { ClientName } from './clients.ts';
import { clientWorld } from './clientWorld.ts';
import type { Script } from './model/script.ts';
import { runClient } from './runClient.ts';

const prompts = ['First turn: say hello', 'Second turn: say goodbye', 'Third turn: say nothing'];
const script: Script = {
  turns: ['hello', 'goodbye', 'nothing'].map((word, index) => ({
    prompt: prompts[index] ?? '',
    match: `say ${word}`,
    steps: [
      // It starts the helper, by which later hooks are answered.
      ...(index === 0 ? [{ op: 'shell' as const, command: 'printf made > made.txt' }] : []),
      { op: 'text', text: `So be it: ${word}.` },
    ],
  })),
};

for (const name of ['gemini', 'claude', 'codex'] as const satisfies readonly ClientName[])
  test(`${agentName(name)}: memory reaches the model`, async (t) => {
    const world = await clientWorld(t, name);
    if (world === undefined) return;
    const memory = path.join(world.home, '.memcode/timeline/memory');
    const facts = path.join(memory, 'facts', 'profile');
    fs.mkdirSync(path.dirname(facts), { recursive: true });
    fs.writeFileSync(facts, 'favourite: heliotrope\n');
    fs.writeFileSync(path.join(world.project, 'AGENTS.local.md'), 'Prefer marigold.\n@more.md\n');
    fs.writeFileSync(path.join(world.project, 'more.md'), 'Or larkspur.\n');
    const { composed } = world.cli('memory', 'compose', name) as {
      readonly composed: { readonly text: string };
    };
    const run = await runClient({
      client: name,
      project: world.project,
      home: world.home,
      script,
      prompts,
      onTurn: (_prompt, index) => {
        if (index === 1) fs.appendFileSync(facts, 'second: foxglove\n');
      },
    });
    const said = run.turns.map(({ output }) => output).join('\n');
    const requests = run.requests.map(textsIn).filter((text) => text.includes('heliotrope'));
    const count = (text: string, words: string) => text.split(words).length - 1;
    const of = (prompt: string) => requests.findLast((text) => text.includes(prompt)) ?? '';
    assert.ok(of(prompts[0] ?? '').includes(composed.text), said);
    for (const [prompt, foxgloves] of [
      [prompts[1], 1],
      [prompts[2], 1],
    ] as const)
      assert.deepEqual(
        ['heliotrope', 'marigold', 'larkspur', 'foxglove'].map((word) =>
          count(of(prompt ?? ''), word),
        ),
        [1, 1, 1, foxgloves],
        `${prompt}: ${said}`,
      );
    assert.deepEqual(
      world.turns().map(({ prompt }) => prompt),
      prompts,
    );
    assert.equal(world.hookLog(), '');
  });

/** All texts of a request; Gemini CLI escapes angle brackets of what hooks say. */
function textsIn(value: unknown): string {
  if (typeof value === 'string') return value.replaceAll('&lt;', '<').replaceAll('&gt;', '>');
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value).map(textsIn).join('\n');
}
