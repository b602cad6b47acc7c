/** What agents read of memory through the real hook, one process an event. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { noteTrust } from '../../src/app/memoryTrust.ts';
import { addNote } from '../../src/checkpoint/agentNotes.ts';
import { asSessionId, type Root } from '../../src/core/ids.ts';
import { StoreDriver } from '../helpers/storeDriver.ts';

type Agent = 'claude' | 'codex' | 'gemini';

/** A session of an agent, as far as hooks see it. */
class Told implements Disposable {
  readonly driver = new StoreDriver({
    git: true,
    files: { 'AGENTS.md': 'Use tabs.\n@more.md\n', 'more.md': 'More rules.\n' },
  });
  readonly agent: Agent;
  #prompts = 0;

  constructor(agent: Agent = 'claude') {
    this.agent = agent;
    this.fact('editor: vim');
  }

  [Symbol.dispose](): void {
    assert.equal(this.driver.hookLog(), '');
    this.driver[Symbol.dispose]();
  }

  memory(name: string): string {
    const file = path.join(this.driver.home, 'memory', name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    return file;
  }

  fact(line: string): void {
    fs.appendFileSync(this.memory('facts/profile'), `${line}\n`);
  }

  payload(event: string, more: object = {}) {
    const { folder, root } = this.driver;
    return {
      session_id: 's1',
      transcript_path: `${folder}/.${this.agent}/projects/-p/s1.jsonl`,
      cwd: root,
      hook_event_name: event,
      ...(this.agent === 'gemini' && { timestamp: '2026-01-01T00:00:00Z' }),
      ...more,
    };
  }

  /** The text for the agent; '' for none. */
  event(event: string, more: object = {}): string {
    const { status, stdout, stderr } = this.driver.hook(this.payload(event, more), {
      agent: this.agent,
    });
    assert.deepEqual([status, stderr], [0, '']);
    return textIn(stdout);
  }

  start(source = 'startup'): string {
    return this.event('SessionStart', { source });
  }

  prompt(id = `p${++this.#prompts}`): string {
    return this.event(this.agent === 'gemini' ? 'BeforeAgent' : 'UserPromptSubmit', {
      prompt: `do ${id}`,
      ...(this.agent !== 'gemini' && { prompt_id: id }),
    });
  }

  stop(): void {
    const event = this.agent === 'gemini' ? 'AfterAgent' : 'Stop';
    assert.equal(this.event(event, { last_assistant_message: 'done' }), '');
  }
}

function textIn(stdout: string): string {
  if (stdout === '') return '';
  const { hookSpecificOutput } = JSON.parse(stdout) as {
    readonly hookSpecificOutput: { readonly additionalContext: string };
  };
  return hookSpecificOutput.additionalContext;
}

describe('an agent', () => {
  it('is given all memory when its session starts, and nothing with a prompt while nothing changes', () => {
    using told = new Told();
    fs.writeFileSync(told.memory('portrait/user.md'), 'I am Ann.');
    fs.writeFileSync(told.memory('notes/deploy.md'), 'Never on Friday.\n');
    told.driver.put('CLAUDE.md', 'It reads this by itself.');
    const text = told.start();
    for (const words of [
      'editor: vim',
      'I am Ann.',
      '- deploy: Never on Friday.',
      'Use tabs.\nMore rules.',
    ])
      assert.ok(text.includes(words), words);
    assert.ok(!text.includes('by itself'));
    assert.ok(!text.includes(told.driver.folder), 'no path of this machine');
    assert.equal(told.prompt(), '');
    told.stop();
    assert.equal(told.prompt(), '');
  });

  it('is told again when what it was told is damaged', () => {
    for (const damaged of ['', '{', '[]', '{"format":1,"stamps":[]}', '{"format":1,"told":{}}']) {
      using told = new Told();
      told.start();
      fs.writeFileSync(path.join(told.driver.home, 'live', 's1', 'memory.json'), damaged);
      assert.match(told.prompt(), /editor: vim/, damaged);
      told.stop();
      assert.equal(told.prompt(), '', damaged);
    }
  });

  it('is told of a change once, with the next prompt', () => {
    using told = new Told();
    told.start();
    told.prompt();
    told.fact('shell: fish');
    fs.rmSync(told.driver.path('AGENTS.md'));
    told.stop();
    const text = told.prompt();
    assert.match(text, /fact \(profile\) shell: fish/);
    assert.doesNotMatch(text, /vim/);
    told.stop();
    assert.equal(told.prompt(), '');
  });

  it('is told of a note that a hand changed without making it longer, whatever the time of the file', () => {
    using told = new Told();
    const head = '---\nname: Deploy\nupdated_at: 2026-01-01T00:00:00Z\n---\n\nHow to deploy.\n\n';
    const file = told.memory('notes/deploy.md');
    fs.writeFileSync(file, `${head}On port 8080.\n`);
    fs.utimesSync(file, 1_700_000_000, 1_700_000_000);
    told.start();
    told.prompt();
    told.stop();
    fs.writeFileSync(file, `${head}On port 9090.\n`);
    fs.utimesSync(file, 1_700_000_000, 1_700_000_000);
    assert.match(told.prompt(), /note \(global\) Deploy/);
    told.stop();
    assert.equal(told.prompt(), '');
  });

  it('is not told of what was taken back meanwhile', () => {
    using told = new Told();
    told.start();
    told.prompt();
    const file = told.memory('facts/profile');
    const before = fs.readFileSync(file);
    told.fact('shell: fish');
    fs.writeFileSync(file, before);
    told.stop();
    assert.equal(told.prompt(), '');
  });

  it('hears it again when the prompt that brought it came to nothing', () => {
    using told = new Told();
    told.start();
    told.prompt();
    told.stop();
    told.fact('shell: fish');
    assert.match(told.prompt('blocked'), /fish/);
    assert.match(told.prompt('accepted'), /fish/);
    told.event('PreToolUse', { prompt_id: 'accepted', tool_name: 'Read', tool_input: {} });
    assert.equal(told.prompt('next'), '');
  });

  it('hears it once though two configuration files send the same prompt', () => {
    using told = new Told();
    told.start();
    told.prompt();
    told.stop();
    told.fact('shell: fish');
    assert.match(told.prompt('same'), /fish/);
    assert.equal(told.prompt('same'), '');
  });

  it('hears it once though several hooks run at the same time', async () => {
    using told = new Told();
    const payload = told.payload('UserPromptSubmit', { prompt: 'do it', prompt_id: 'same' });
    const results = await Promise.all(
      [1, 2, 3, 4].map(() => told.driver.hookInBackground(payload)),
    );
    assert.equal(results.filter(({ stdout }) => stdout.includes('editor: vim')).length, 1);
  });

  it('without a start is given all of it with its first prompt', () => {
    using told = new Told();
    assert.match(told.prompt(), /editor: vim/);
    told.stop();
    assert.equal(told.prompt(), '');
  });

  it('is given all of it again when it has lost it, and what changed when it goes on', () => {
    using told = new Told();
    told.start();
    told.prompt();
    told.stop();
    assert.equal(told.start('resume'), '');
    told.fact('shell: fish');
    assert.match(told.start('resume'), /shell: fish/);
    assert.equal(told.prompt(), '');
    assert.match(told.start('compact'), /editor: vim\nshell: fish/);
    assert.match(told.start('clear'), /editor: vim\nshell: fish/);
  });

  it('that starts and is prompted at the same time is given it once', () => {
    using told = new Told();
    assert.match(told.prompt(), /vim/);
    assert.equal(told.start(), '');
  });

  it('is given nothing of a folder that is not trusted', () => {
    using told = new Told();
    told.driver.put('CLAUDE.md', 'It reads this by itself.');
    noteTrust(told.driver.home, told.driver.root as Root, false);
    const text = told.start();
    assert.match(text, /editor: vim/);
    assert.doesNotMatch(text, /tabs|rules/);
    noteTrust(told.driver.home, told.driver.root as Root, true);
    assert.match(told.prompt(), /AGENTS\.md/);
  });

  it('is given nothing when there is nothing, or when a person wants so', () => {
    using told = new Told();
    fs.rmSync(told.memory('facts/profile'));
    fs.rmSync(told.driver.path('AGENTS.md'));
    assert.deepEqual([told.start(), told.prompt()], ['', '']);
    told.stop();
    told.fact('shell: fish');
    fs.writeFileSync(told.memory('context.json'), '{"isGiven": false}');
    assert.equal(told.prompt(), '');
    told.stop();
    fs.writeFileSync(told.memory('context.json'), '{"isGiven": true}');
    assert.match(told.prompt(), /shell: fish/);
  });

  it('hears that what it remembered is gone when a rewind has taken it back', async () => {
    using told = new Told();
    told.start();
    told.prompt('one');
    told.driver.put('a.txt', 'a');
    const tool = {
      prompt_id: 'one',
      tool_name: 'Write',
      tool_use_id: 'c1',
      tool_input: { file_path: told.driver.path('a.txt') },
    };
    told.event('PreToolUse', tool);
    told.driver.put('a.txt', 'b');
    told.event('PostToolUse', { ...tool, tool_response: {} });
    const app = told.driver.open();
    try {
      app.ingest();
      const memory = await app.memory();
      memory.setAgentWrites('auto');
      const { root } = told.driver;
      const write = {
        act: 'remember',
        scope: 'project',
        name: 'Colour',
        body: 'It is blue.',
      } as const;
      await memory.write(root, write, { actor: 'agent', agent: 'claude', session: 's1' });
      told.event('Stop', { prompt_id: 'one' });
      assert.match(told.prompt('two'), /note \(project\) Colour: It is blue\./);
      told.event('Stop', { prompt_id: 'two' });
      app.ingest();
      const [first] = app.turns(asSessionId('s1'));
      assert.ok(first);
      await app.rewind(first.id, { memory: 'take-back' });
    } finally {
      app.dispose();
    }
    assert.match(told.prompt('three'), /disregard it: note project Colour/);
  });

  it('is given the newest of thousands of notes that nobody has listed yet', () => {
    using told = new Told();
    for (let n = 0; n < 1_000; n++) {
      const file = told.memory(`notes/n${n}.md`);
      fs.writeFileSync(file, `---\nname: Note ${n}\n---\n\nWords.\n`);
      fs.utimesSync(file, n, n);
    }
    const text = told.start();
    assert.match(text, /- Note 999: Words\./);
    assert.doesNotMatch(text, /- Note 500:/);
    assert.equal(fs.existsSync(told.memory('index.db')), false);
  });

  it('never reads more of us than it takes, rewound files included', () => {
    using told = new Told();
    told.driver.put('CLAUDE.md', 'x');
    told.driver.put('AGENTS.md', 'A rule of many words.\n'.repeat(2_000));
    const paths = Array.from({ length: 90 }, (_, n) => `${'folder/'.repeat(10)}file-${n}.ts`);
    addNote(told.driver.home, asSessionId('s1'), { label: 'Rewound', paths });
    const text = told.prompt();
    assert.ok(text.length > 8_000 && text.length < 9_000, String(text.length));
    assert.match(text, /^Memcode Timeline: since your last turn/);
    assert.ok(text.trimEnd().endsWith('</memcode-memory>'));
    assert.match(text, /bytes are left out; the whole is in AGENTS\.md\]/);
  });

  it('of Gemini CLI is told with the prompt, since a resumed session loses what its start was given', () => {
    using told = new Told('gemini');
    assert.equal(told.start(), '');
    assert.match(told.prompt(), /editor: vim[\s\S]*Use tabs/);
    told.stop();
    assert.equal(told.start('resume'), '');
    told.fact('shell: fish');
    assert.match(told.prompt(), /shell: fish/);
    told.stop();
    assert.equal(told.start('clear'), '');
    assert.match(told.prompt(), /editor: vim\nshell: fish/);
  });

  it('of Codex gets a document that it reads itself only for its imports', () => {
    using told = new Told('codex');
    assert.match(told.start(), /Use tabs\.\nMore rules\./);
    told.driver.put('AGENTS.md', 'Use tabs.\n');
    assert.doesNotMatch(told.start(), /Use tabs/);
  });
});

describe('a prompt that is a note', () => {
  const said = (told: Told, prompt: string, id: string): string =>
    told.event('UserPromptSubmit', { prompt, prompt_id: id });

  it('is kept in the person’s own document where that is switched on, once, and the agent is told', () => {
    using told = new Told();
    const local = () => told.driver.read('AGENTS.local.md') ?? '';
    told.start();
    assert.equal(said(told, '# never push', 'p1'), '', 'off by default');
    assert.equal(local(), '');
    told.stop();
    fs.writeFileSync(told.memory('context.json'), '{"keepsPromptNotes": true}');
    const text = said(told, '# never push', 'p2');
    assert.match(
      text,
      /^The prompt is a note .* stands in AGENTS\.local\.md now; just say so\.\n\n/,
    );
    assert.match(text, /the document AGENTS\.local\.md changed/, 'as after any change of it');
    assert.match(local(), /\n## Notes\n\n- never push\n$/);
    assert.match(said(told, '# never push', 'p2'), /stands in AGENTS\.local\.md/, 'a second hook');
    assert.equal(local().split('never push').length, 2);
    told.stop();
    assert.equal(said(told, '# Heading\n\nA pasted text.', 'p3'), '');
    assert.equal(local().includes('Heading'), false);
    assert.equal(told.driver.read('AGENTS.md'), 'Use tabs.\n@more.md\n');
    told.stop();
    for (let hook = 0; hook < 2; hook++) said(told, '# - never rebase', 'p4');
    assert.equal(local().split('never rebase').length, 2, 'also one that is escaped');
  });

  it('that is a secret or in an untrusted folder is kept nowhere', () => {
    using told = new Told();
    fs.writeFileSync(told.memory('context.json'), '{"keepsPromptNotes": true}');
    told.start();
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const text = said(told, `# the token is ${secret}`, 'p1');
    assert.match(text, /was not kept: .*Secrets are not kept in memory/);
    assert.equal(text.includes(secret), false);
    told.stop();
    noteTrust(told.driver.home, told.driver.root as Root, false);
    assert.doesNotMatch(said(told, '# never push', 'p2'), /note of the person/);
    assert.equal(told.driver.read('AGENTS.local.md'), undefined);
  });
});
