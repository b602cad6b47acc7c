/** What transcripts tell of files before and after imported turns: looked at, and restored where two records agree. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { TurnId } from '../../src/core/ids.ts';
import { HistoryWorld, id } from '../helpers/historyWorld.ts';
import { fixtures, real } from '../helpers/importing.ts';

describe('what transcripts tell of files', () => {
  const app = (word: string) => `export function greet(name) {\n  return '${word}' + name;\n}\n`;

  /** The fixture of an agent for the world's project, imported. @returns its two turns */
  async function imported(
    world: HistoryWorld,
    agent: 'claude' | 'gemini' | 'codex' | 'copilot',
    prepare: (transcript: string) => void = () => undefined,
  ): Promise<readonly [TurnId, TurnId]> {
    const text = fs
      .readFileSync(path.join(fixtures, `${agent}.jsonl`), 'utf8')
      .replaceAll('/repo', world.root);
    const given = real.find((each) => each.agent === agent);
    const file = path.join(world.userHome, ...(given?.place ?? '').split('/'));
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    if (agent === 'gemini') {
      const marker = path.join(path.dirname(path.dirname(file)), '.project_root');
      fs.writeFileSync(marker, `${world.root}\n`);
    }
    prepare(file);
    await world.app.history.importSessions({});
    const [one, two] = world.app.turns(id(given?.session ?? ''));
    assert.ok(one && two);
    return [one.id, two.id];
  }

  function side(world: HistoryWorld, turn: TurnId, name: string, which: 'before' | 'after') {
    const content = world.app.content(turn, name, which);
    return content.kind === 'bytes'
      ? [Buffer.from(content.bytes).toString(), content.verified]
      : content.kind;
  }

  function write(world: HistoryWorld, text: string): string {
    const file = path.join(world.root, 'src/app.js');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    return file;
  }

  for (const agent of ['claude', 'gemini'] as const)
    it(`${agent}: both sides of each turn, chained`, async () => {
      using world = new HistoryWorld();
      const [one, two] = await imported(world, agent);
      assert.deepEqual(side(world, one, 'src/app.js', 'before'), [app('hi '), true]);
      assert.deepEqual(side(world, one, 'src/app.js', 'after'), [app('hello, '), true]);
      assert.deepEqual(side(world, two, 'src/app.js', 'before'), [app('hello, '), true]);
      assert.deepEqual(side(world, two, 'src/app.js', 'after'), [app('goodbye, '), true]);
      assert.equal(side(world, one, 'src/added.js', 'before'), 'absent');
      const added = ['export const added = 1;\n', false];
      assert.deepEqual(side(world, one, 'src/added.js', 'after'), added);
      assert.equal(side(world, two, 'README.md', 'before'), 'unavailable');
      await assert.rejects(world.app.restoreFile(one, 'src/added.js', 'before'), {
        code: 'damaged',
        message: /nothing else confirms/,
      });
    });

  it('codex: diffs lead back from the file as it is; that alone confirms nothing', async () => {
    using world = new HistoryWorld();
    const [one, two] = await imported(world, 'codex');
    assert.equal(side(world, one, 'src/app.js', 'before'), 'unavailable');
    write(world, app('goodbye, '));
    assert.deepEqual(side(world, one, 'src/app.js', 'before'), [app('hi '), false]);
    assert.deepEqual(side(world, one, 'src/app.js', 'after'), [app('hello, '), false]);
    assert.deepEqual(side(world, two, 'src/app.js', 'after'), [app('goodbye, '), false]);
    await assert.rejects(world.app.restoreFile(one, 'src/app.js', 'before'), { code: 'damaged' });
    fs.writeFileSync(path.join(world.root, 'src/added.js'), 'export const added = 1;\n');
    assert.deepEqual(side(world, one, 'src/added.js', 'after'), [
      'export const added = 1;\n',
      true,
    ]);
  });

  it('copilot: from what it keeps for its own undo', async () => {
    using world = new HistoryWorld();
    const keepBackups = (transcript: string): void => {
      const folder = path.join(path.dirname(transcript), 'rewind-file-snapshots');
      fs.mkdirSync(path.join(folder, 'backups'), { recursive: true });
      const prompts = fs
        .readFileSync(transcript, 'utf8')
        .split('\n')
        .filter((line) => line.includes('"type":"user.message"'))
        .map((line): string => JSON.parse(line).id);
      const snapshots = prompts.map((eventId, i) => {
        const text = app(i === 0 ? 'hi ' : 'hello, ');
        const contentHash = createHash('sha256').update(text).digest('hex');
        fs.writeFileSync(path.join(folder, 'backups', contentHash), text);
        const preimage = { kind: 'content', contentHash, backupFile: contentHash };
        return { eventId, files: { a: { path: `${world.root}/src/app.js`, preimage } } };
      });
      fs.writeFileSync(path.join(folder, 'index.json'), JSON.stringify({ schema: 1, snapshots }));
    };
    const [one, two] = await imported(world, 'copilot', keepBackups);
    assert.deepEqual(side(world, one, 'src/app.js', 'before'), [app('hi '), true]);
    assert.deepEqual(side(world, one, 'src/app.js', 'after'), [app('hello, '), true]);
    assert.deepEqual(side(world, two, 'src/app.js', 'after'), [app('goodbye, '), true]);
    const added = ['export const added = 1;\n', false];
    assert.deepEqual(side(world, one, 'src/added.js', 'after'), added);
  });

  it('copilot: backups that are not what they are named are none', async () => {
    using world = new HistoryWorld();
    const spoil = (transcript: string): void => {
      const folder = path.join(path.dirname(transcript), 'rewind-file-snapshots');
      fs.mkdirSync(path.join(folder, 'backups'), { recursive: true });
      const hash = 'ab'.repeat(32);
      fs.writeFileSync(path.join(folder, 'backups', hash), 'something else');
      const [eventId] =
        fs
          .readFileSync(transcript, 'utf8')
          .split('\n')
          .filter((line) => line.includes('"type":"user.message"'))
          .map((line): string => JSON.parse(line).id) ?? [];
      const preimage = { kind: 'content', contentHash: hash, backupFile: '../../../etc/passwd' };
      const files = { a: { path: `${world.root}/src/app.js`, preimage } };
      const index = { snapshots: [{ eventId, files }, null, { eventId: 3 }] };
      fs.writeFileSync(path.join(folder, 'index.json'), JSON.stringify(index));
    };
    const [one] = await imported(world, 'copilot', spoil);
    assert.equal(side(world, one, 'src/app.js', 'before'), 'unavailable');
  });

  it('a file goes back to what two records tell, as one operation that can be undone', async () => {
    using world = new HistoryWorld();
    const [one, two] = await imported(world, 'claude');
    const file = write(world, app('goodbye, '));
    fs.chmodSync(file, 0o755);
    const preview = await world.app.previewRestore(one, 'src/app.js', 'before');
    assert.deepEqual([preview.conflicts.length, preview.notRestorable.length], [0, 0]);
    const report = await world.app.restoreFile(one, 'src/app.js', 'before');
    assert.equal(report.complete, true);
    assert.equal(fs.readFileSync(file, 'utf8'), app('hi '));
    assert.equal(fs.statSync(file).mode & 0o777, 0o755);
    await world.app.restoreFile(two, 'src/app.js', 'before');
    assert.equal(fs.readFileSync(file, 'utf8'), app('hello, '));
    const undo = world.app.redoable(world.root);
    await world.app.redo(undo?.id as never);
    assert.equal(fs.readFileSync(file, 'utf8'), app('hi '));
    const findings = await world.app.doctor(world.root);
    assert.deepEqual(
      findings.filter(({ severity }) => severity === 'problem'),
      [],
    );
  });

  it('somebody’s change since is a conflict, kept unless they say otherwise', async () => {
    using world = new HistoryWorld();
    const [one] = await imported(world, 'claude');
    const file = write(world, app('mine '));
    const kept = await world.app.restoreFile(one, 'src/app.js', 'before');
    assert.deepEqual([kept.operation, kept.complete], [null, false]);
    assert.equal(fs.readFileSync(file, 'utf8'), app('mine '));
    await world.app.restoreFile(one, 'src/app.js', 'before', { conflicts: 'take' });
    assert.equal(fs.readFileSync(file, 'utf8'), app('hi '));
  });

  it('a text that lost its line ends is not restored', async () => {
    using world = new HistoryWorld();
    const [one] = await imported(world, 'claude');
    write(world, app('goodbye, ').replaceAll('\n', '\r\n'));
    await assert.rejects(world.app.restoreFile(one, 'src/app.js', 'before'), { code: 'damaged' });
  });

  it('what was kept and is damaged by now is said', async () => {
    using world = new HistoryWorld();
    const [one] = await imported(world, 'claude');
    const roots = path.join(world.home, 'roots');
    for (const name of fs.readdirSync(roots, { recursive: true, encoding: 'utf8' })) {
      const kept = path.join(roots, name);
      if (/reconstructed.[0-9a-f]{2}.[0-9a-f]{62}$/.test(kept)) fs.appendFileSync(kept, 'x');
    }
    const content = world.app.content(one, 'src/app.js', 'before');
    assert.deepEqual(content, { kind: 'unavailable', reason: 'What was kept of it is damaged.' });
    await assert.rejects(world.app.restoreFile(one, 'src/app.js', 'before'), { code: 'damaged' });
  });
});
