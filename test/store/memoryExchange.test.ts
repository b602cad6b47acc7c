/** Memory into a block of AGENTS.md and back, on the command line. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type CliResult, cliRun } from '../helpers/cliRun.ts';
import { MemoryWorld } from '../helpers/memoryWorld.ts';

const human = '# Project\r\n\r\nUse tabs.\r\n';

test('a round trip to another store gives the same memory and leaves human text alone', async () => {
  await using one = await MemoryWorld.make();
  const file = path.join(one.root, 'AGENTS.md');
  fs.writeFileSync(file, human);
  await ok(one, 'set', 'test_command', 'npm test');
  await ok(
    one,
    'remember',
    'Never on Friday.\n\n```sh\n./deploy',
    '--name',
    'Deploy',
    '--mode',
    'dev',
  );
  await ok(one, 'remember', 'Names are Chinese.', '--name', '命名');
  await ok(one, 'remember', 'Only mine.', '--name', 'Mine', '--scope', 'global');
  await ok(one, 'pin', '命名');
  const first = await ok(one, 'export');
  assert.equal(first.stdout, 'AGENTS.md has 1 fact and 2 notes of memory now.\n');
  const written = fs.readFileSync(file, 'utf8');
  assert.ok(written.startsWith(human));
  assert.doesNotMatch(written, /Only mine/);
  assert.match((await ok(one, 'export')).stdout, /just that already/);

  await using other = await MemoryWorld.make();
  fs.writeFileSync(path.join(other.root, 'AGENTS.md'), written);
  assert.match(
    (await ok(other, 'import')).stdout,
    /Stored test_command\.\nStored Deploy\.\nStored 命名\.\n/,
  );
  assert.match((await ok(other, 'import')).stdout, /^3 were there just so already\.\n$/);
  for (const name of ['Deploy', '命名']) {
    const note = async (world: MemoryWorld) => {
      const { body, mode, pinned } = JSON.parse(
        (await ok(world, 'show', name, '--json')).stdout,
      ).note;
      return { body, mode, pinned };
    };
    assert.deepEqual(await note(other), await note(one));
  }
  assert.match((await ok(other, 'export')).stdout, /just that already/);
  assert.equal(fs.readFileSync(path.join(other.root, 'AGENTS.md'), 'utf8'), written);
});

test('what memory says otherwise is kept, and taken when that is said', async () => {
  await using world = await MemoryWorld.make();
  const file = path.join(world.root, 'AGENTS.md');
  await ok(world, 'remember', 'Old.', '--name', 'Deploy');
  await ok(world, 'set', 'port', '80');
  await ok(world, 'export');
  await ok(world, 'remember', 'Newer.', '--name', 'Deploy');
  await ok(world, 'set', 'port', '8080');
  const kept = await memory(world, 'import');
  assert.equal(kept.status, 1);
  assert.match(kept.stdout, /^Kept port: AGENTS\.md .*\nKept Deploy: /);
  assert.match((await ok(world, 'show', 'Deploy')).stdout, /Newer\./);
  await ok(world, 'import', '--anyway');
  assert.match((await ok(world, 'show', 'Deploy')).stdout, /Old\./);
  assert.match((await ok(world, 'history', 'Deploy')).stdout, /changed/, 'and can be brought back');
  assert.ok(fs.existsSync(file));
});

test('a block that people changed is not written over, until memory knows what they wrote', async () => {
  await using world = await MemoryWorld.make();
  const file = path.join(world.root, 'AGENTS.md');
  await ok(world, 'set', 'port', '80');
  await ok(world, 'export');
  const edited = fs
    .readFileSync(file, 'utf8')
    .replace('- port: 80', '- port: 80\n- host: example.org');
  fs.writeFileSync(file, edited);
  await ok(world, 'set', 'user', 'ann');
  const refused = await memory(world, 'export');
  assert.notEqual(refused.status, 0);
  assert.match(
    refused.stderr,
    /People changed the block of memory in AGENTS\.md\. Import it first/,
  );
  assert.equal(fs.readFileSync(file, 'utf8'), edited);
  await ok(world, 'import');
  await ok(world, 'export');
  assert.match(
    fs.readFileSync(file, 'utf8'),
    /- host: example\.org\n- user: ann\n|- user: ann\n- host: example\.org\n/,
  );
});

test('secrets, half a block, no block and an untrusted folder are told, and nothing is written', async () => {
  await using world = await MemoryWorld.make();
  const file = path.join(world.root, 'AGENTS.md');
  const refused = async (pattern: RegExp, ...args: readonly string[]) => {
    const before = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
    const result = await memory(world, ...args);
    assert.notEqual(result.status, 0);
    assert.match(result.stderr, pattern);
    assert.equal(fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined, before);
  };
  await refused(/AGENTS\.md has no block of memory\./, 'import');
  const { path: note } = JSON.parse(
    (await ok(world, 'remember', 'One.', '--name', 'Key', '--json')).stdout,
  ).result.note;
  const place = path.join(world.home, 'memory', note);
  const key = `ghp_${'a1B2'.repeat(9)}`;
  fs.appendFileSync(place, `\n${key}\n`);
  await refused(/The note Key looks like/, 'export');
  await ok(world, 'forget', 'Key');
  fs.writeFileSync(file, `<!-- memcode:memory -->\n<!-- memcode:facts -->\n- token: ${key}\n`);
  await refused(/AGENTS\.md: its block of memory has no end/, 'import');
  await refused(/AGENTS\.md: its block of memory has no end/, 'export');
  fs.appendFileSync(file, '<!-- /memcode:memory -->\n');
  await refused(/Secrets are not kept in memory/, 'import');
  await ok(world, 'trust', 'no');
  await refused(/This folder is not trusted/, 'import');
  await refused(/This folder is not trusted/, 'export');
});

function memory(world: MemoryWorld, ...args: readonly string[]): Promise<CliResult> {
  return cliRun(['memory', ...args], {
    openApp: async () => world.open(),
    cwd: world.root,
    home: world.home,
    userHome: world.folder,
    environment: {},
  });
}

async function ok(world: MemoryWorld, ...args: readonly string[]): Promise<CliResult> {
  const result = await memory(world, ...args);
  assert.equal(result.status, 0, `${args.join(' ')}: ${result.stderr}${result.stdout}`);
  return result;
}
