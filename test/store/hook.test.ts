/** The hook never fails the agent, prints nothing but JSON, and says in its log what went wrong. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it, test } from 'node:test';
import { agentShapes } from '../helpers/storeAgents.ts';
import { hookFile, StoreDriver } from '../helpers/storeDriver.ts';

const quiet = { status: 0, stdout: '', stderr: '' };
const files = { 'a.txt': 'A0' };

describe('payloads that are none', () => {
  const check = (what: string, input: string | Uint8Array, log: RegExp | null) =>
    it(what, () => {
      using d = new StoreDriver({ files });
      assert.deepEqual(d.hook(input), quiet);
      if (log === null) assert.equal(d.hookLog(), '');
      else assert.match(d.hookLog(), log);
      assert.deepEqual(Object.keys(d.tree()), ['a.txt']);
      assert.equal(fs.existsSync(d.path('.memcode')), false);
    });

  check('nothing', '', /not JSON/);
  check('half an object', '{"session_id": "s", "hook_ev', /not JSON/);
  check('bytes', new Uint8Array([0, 255, 254, 128]), /not JSON/);
  check('null', 'null', /not an object/);
  check('a list', '[1,2]', /not an object/);
  check('a text', '"PreToolUse"', /not an object/);
  check('an empty object', '{}', /no name/);
  check(
    'an unknown event',
    '{"hook_event_name":"Whatever","session_id":"s"}',
    /events of kind Whatever/,
  );
  check('no session and no folder', '{"hook_event_name":"Stop"}', /neither a session nor a folder/);
  check('deep nesting', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, /not/);
  for (const value of [7, true, null, {}, [], [{}], 'x']) {
    const text = JSON.stringify(value);
    it(`every field ${text}`, () => {
      using d = new StoreDriver({ files });
      for (const event of [
        'SessionStart',
        'UserPromptSubmit',
        'PreToolUse',
        'PostToolUse',
        'Stop',
        'SessionEnd',
      ]) {
        const payload = Object.fromEntries(
          [
            'session_id',
            'cwd',
            'prompt',
            'prompt_id',
            'tool_name',
            'tool_input',
            'tool_response',
            'tool_use_id',
            'transcript_path',
            'agent_id',
            'source',
            'last_assistant_message',
            'model',
          ].map((name) => [name, value]),
        );
        assert.deepEqual(d.hook({ ...payload, hook_event_name: event }), quiet);
        assert.deepEqual(d.hook({ ...payload, cwd: d.root, hook_event_name: event }), quiet);
        const input = {
          file_path: value,
          path: value,
          edits: value,
          command: value,
          replacements: [{ filePath: value }],
        };
        assert.deepEqual(
          d.hook({
            ...payload,
            session_id: 's',
            cwd: d.root,
            hook_event_name: event,
            tool_name: 'Write',
            tool_input: input,
          }),
          quiet,
        );
      }
      d.open().dispose();
      assert.deepEqual(d.read('a.txt'), 'A0');
    });
  }
});

test('a payload’s text is not quoted in the log', () => {
  using d = new StoreDriver({ files });
  d.hook('sk-secret-key-1234567890 {"not": json}');
  d.hook(
    '{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"sk-secret-key-1234567890',
  );
  assert.doesNotMatch(d.hookLog(), /secret/);
});

test('a payload that begins with a byte order mark is read', async () => {
  using d = new StoreDriver({ files });
  const payload = d.main.payload(agentShapes.claude.prompt('Marked'));
  assert.deepEqual(d.hook(`\uFEFF${JSON.stringify(payload)}`), quiet);
  assert.deepEqual(
    (await d.turns()).map((t) => t.prompt),
    ['Marked'],
  );
});

test('a payload of 50 MB is recorded, its prompt cut', async () => {
  using d = new StoreDriver({ files });
  const long = 'x'.repeat(50 * 1024 * 1024);
  assert.deepEqual(d.hook(d.main.payload(agentShapes.claude.prompt(long))), quiet);
  const write = { ...agentShapes.claude.write('before', d.path('a.txt')) };
  const tool_input = { file_path: d.path('a.txt'), content: long };
  assert.deepEqual(d.hook(d.main.payload({ ...write, tool_input })), quiet);
  d.put('a.txt', 'A1');
  await d.main.stop();
  const [turn] = await d.turns();
  assert.ok(turn && turn.prompt.length <= 100_000);
  await d.rewind(1);
  assert.equal(d.read('a.txt'), 'A0');
});

test('an unknown agent with Claude’s shape is recorded all the same', async () => {
  using d = new StoreDriver({ files });
  const send = (body: object) =>
    assert.deepEqual(
      d.hook({ session_id: 'u', cwd: d.root, ...body }, { agent: 'brandnew' }),
      quiet,
    );
  send({ hook_event_name: 'UserPromptSubmit', prompt: 'Hello' });
  const tool = { tool_name: 'Scribble', tool_input: { target_file: 'a.txt' } };
  send({ hook_event_name: 'PreToolUse', ...tool });
  d.put('a.txt', 'A1');
  send({ hook_event_name: 'PostToolUse', ...tool });
  send({ hook_event_name: 'Stop' });
  await d.rewind(1, { session: 'u' });
  assert.equal(d.read('a.txt'), 'A0');
});

describe('when something of ours cannot be written', () => {
  /** Each event ends with 0 and in silence, or `send` throws. */
  const edit = async (d: StoreDriver) => {
    await d.main.prompt('x');
    await d.main.edit('a.txt', 'A1');
    await d.main.stop();
  };

  it('the home store: the agent works on', async () => {
    using d = new StoreDriver({ files });
    fs.writeFileSync(d.home, 'a file');
    await edit(d);
    assert.equal(d.read('a.txt'), 'A1');
  });

  it('the spool: the file is saved, and the turn is found on disk', async () => {
    using d = new StoreDriver({ files });
    fs.mkdirSync(d.home);
    fs.writeFileSync(path.join(d.home, 'spool'), 'in the way');
    await edit(d);
    assert.match(d.hookLog(), /was not noted/);
    assert.equal(fs.readFileSync(d.stored('1', 'files', 'a.txt'), 'utf8'), 'A0');
    fs.rmSync(path.join(d.home, 'spool'));
    await d.with((app) => app.sessions(d.root));
    await d.rewind(1);
    assert.equal(d.read('a.txt'), 'A0');
  });

  it('the post-images: the file is saved, and what the agent left is known', async () => {
    using d = new StoreDriver({ files });
    fs.mkdirSync(d.home);
    fs.writeFileSync(path.join(d.home, 'roots'), 'in the way');
    await edit(d);
    fs.rmSync(path.join(d.home, 'roots'));
    const report = await d.rewind(1);
    assert.deepEqual([d.read('a.txt'), report.complete], ['A0', true]);
  });

  it('the live state is damaged: a new one is begun, numbers go on', async () => {
    using d = new StoreDriver({ files });
    await edit(d);
    for (const text of [
      '',
      '{',
      'null',
      '{"format":1}',
      '{"format":99,"session":"session-1","highWater":1}',
    ]) {
      fs.writeFileSync(path.join(d.home, 'live', 'session-1', 'state.json'), text);
      await edit(d);
      d.put('a.txt', `${text} A0`);
    }
    const seqs = (await d.turns()).map((t) => t.seq);
    assert.deepEqual(seqs, [...new Set(seqs)]);
    assert.equal(d.read('a.txt')?.endsWith('A0'), true);
  });

  it('the lock of a process that died is broken', async () => {
    using d = new StoreDriver({ files });
    await edit(d);
    const gone = spawnSync(process.execPath, ['-e', '']).pid;
    const lock = path.join(d.home, 'live', 'session-1', 'lock');
    const { hostname } = await import('node:os');
    fs.writeFileSync(lock, JSON.stringify({ pid: gone, host: hostname(), nonce: 'x' }));
    await edit(d);
    assert.equal(fs.existsSync(lock), false);
    assert.equal((await d.turns()).length, 2);
  });

  it('the disk is full: said, and the edit is not held up', async () => {
    using d = new StoreDriver({ files });
    const failing = path.join(d.folder, 'failing.cjs');
    fs.writeFileSync(
      failing,
      `const fs = require('node:fs');
       const full = () => { throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }); };
       for (const name of ['writeFileSync', 'copyFileSync', 'writeSync']) fs[name] = full;`,
    );
    const payload = d.main.payload(agentShapes.claude.write('before', d.path('a.txt')));
    const result = d.hook(payload, { nodeOptions: ['--require', failing] });
    assert.deepEqual(result, quiet);
    assert.deepEqual(Object.keys(d.tree()), ['a.txt']);
    assert.deepEqual(d.hook(payload), quiet);
    d.put('a.txt', 'A1');
    await d.main.stop();
    await d.rewind(1);
    assert.equal(d.read('a.txt'), 'A0');
  });
});

describe('a full disk of the home store', () => {
  it('is met with the room that is kept for it: the turn is whole, and doctor says why', async () => {
    using d = new StoreDriver({ files });
    await d.main.prompt();
    await d.main.stop();
    assert.equal((await d.turns()).length, 1);
    const reserve = path.join(d.home, 'reserve');
    assert.ok(fs.statSync(reserve).size > 64 * 1024);
    const full = path.join(d.folder, 'full.cjs');
    fs.writeFileSync(
      full,
      `const fs = require('node:fs');
       const isFull = (to) => fs.existsSync(${JSON.stringify(reserve)}) && String(to).startsWith(${JSON.stringify(d.home)});
       fs.statfsSync = (to) => ({ bsize: 4096, bavail: isFull(to) ? 0 : 32 });
       for (const name of ['writeFileSync', 'appendFileSync']) {
         const write = fs[name];
         fs[name] = (to, ...more) => {
           if (!isFull(to)) return write(to, ...more);
           throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
         };
       }`,
    );
    const { claude } = agentShapes;
    const hook = (payload: object) => {
      const body = { ...d.main.payload({ ...payload }), prompt_id: 'another' };
      assert.deepEqual(d.hook(body, { nodeOptions: ['--require', full] }), quiet);
    };
    hook(claude.prompt('on a full disk'));
    for (const when of ['before', 'after'] as const) {
      hook(claude.write(when, d.path('a.txt')));
      d.put('a.txt', 'A1');
    }
    hook(claude.stop);
    assert.match(d.hookLog(), /The disk of .* is full: /);
    assert.equal(fs.existsSync(reserve), false);
    const [, turn, ...more] = await d.turns();
    assert.deepEqual(more, []);
    assert.deepEqual([turn?.files.map(({ path: name }) => name), turn?.end], [['a.txt'], 'stop']);
    assert.ok(fs.existsSync(reserve), 'kept again');
    const findings = await d.with((app) => app.doctor(d.root));
    assert.ok(
      findings.some(({ text }) => /what hooks could not do; the newest: .* is full/.test(text)),
    );
  });
});

describe('how it is called', () => {
  const call = (d: StoreDriver, args: readonly string[], stdin: 'ignore' | 'pipe', input = '') => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [hookFile(), ...args], {
      cwd: d.root,
      env: d.environment,
      encoding: 'utf8',
      stdio: [stdin, 'pipe', 'pipe'],
      input,
    });
    return { status, stdout, stderr };
  };

  it('without input', () => {
    using d = new StoreDriver();
    assert.deepEqual(call(d, ['hook', 'claude'], 'ignore'), quiet);
  });

  it('without or with odd arguments', async () => {
    using d = new StoreDriver({ files });
    const prompt = JSON.stringify(d.main.payload(agentShapes.claude.prompt('x')));
    for (const args of [
      [],
      ['hook'],
      ['hook', ''],
      ['claude'],
      ['hook', '--help'],
      ['hook', '../..', '-x'],
    ])
      assert.deepEqual(call(d, args, 'pipe', prompt), quiet);
    assert.equal((await d.turns()).length, 1);
  });

  it('in a folder that is gone', () => {
    using d = new StoreDriver({ files });
    const payload = {
      ...d.main.payload(agentShapes.claude.prompt('x')),
      cwd: path.join(d.folder, 'gone'),
    };
    assert.deepEqual(d.hook(payload), quiet);
    assert.match(d.hookLog(), /no folder/);
  });

  it('with stdout closed', () => {
    using d = new StoreDriver({ files });
    const script = `"$1" "$2" hook claude <&0 >&- 2>&-; echo $?`;
    const { stdout } = spawnSync('sh', ['-c', script, '-', process.execPath, hookFile()], {
      cwd: d.root,
      env: d.environment,
      encoding: 'utf8',
      input: JSON.stringify(d.main.payload(agentShapes.claude.prompt('x'))),
    });
    assert.equal(stdout.trim(), '0');
  });
});

test('nothing of the environment is in our stores', async () => {
  using d = new StoreDriver({ files });
  const env = {
    ANTHROPIC_API_KEY: 'env-secret-value',
    GIT_CONFIG_COUNT: '1',
    SOME_VARIABLE: 'env-secret-value',
  };
  const send = (body: object) => d.hook(d.main.payload({ ...body }), { env });
  send(agentShapes.claude.prompt('x'));
  send(agentShapes.claude.write('before', d.path('a.txt')));
  d.put('a.txt', 'A1');
  send(agentShapes.claude.write('after', d.path('a.txt')));
  send(agentShapes.claude.stop);
  await d.rewind(1);
  const { stdout } = spawnSync('grep', ['-rl', 'env-secret-value', d.folder], { encoding: 'utf8' });
  assert.equal(stdout, '');
});
