/** What agents are given, seen and set on the command line. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { cliRun } from '../helpers/cliRun.ts';
import { MemoryWorld } from '../helpers/memoryWorld.ts';

/** One line after the other; words in quotes are one argument. @param environment of who calls */
async function follows(
  world: MemoryWorld,
  lines: readonly (readonly [string, number, RegExp])[],
  environment: NodeJS.ProcessEnv = {},
): Promise<void> {
  for (const [line, status, pattern] of lines) {
    const args = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((found) => found[1] ?? found[2] ?? '');
    const result = await cliRun(['memory', ...args], {
      openApp: async () => world.open(),
      cwd: world.root,
      home: world.home,
      userHome: world.folder,
      environment,
    });
    assert.equal(result.status, status, `${line}: ${result.stderr}`);
    assert.match(result.stdout + result.stderr, pattern, line);
  }
}

describe('memory compose', () => {
  it('prints exactly what an agent is given, with sizes and sources', async () => {
    await using world = await MemoryWorld.make();
    await follows(world, [['compose', 0, /^\nAgents are given nothing\.\n$/]]);
    await follows(world, [
      ['set editor vim --scope global', 0, /Stored/],
      ['remember "Never on Friday." --name Deploy', 0, /^Remembered/],
    ]);
    fs.writeFileSync(path.join(world.root, 'AGENTS.md'), 'Use tabs.\n\u001b[31mred\n');
    await follows(world, [
      [
        'compose',
        0,
        /^<memcode-memory>\n[\s\S]*\neditor: vim\n[\s\S]*\n- Deploy \(this project\): Never on Friday\.\n[\s\S]*\nUse tabs\.\n[\s\S]*<\/memcode-memory>\n\nAgents are given \d+ characters, about \d+ tokens, of 32000 bytes at most[\s\S]*\n {2}fact profile: 11 bytes\n {2}note 1 note: \d+ bytes\n {2}document AGENTS\.md: \d+ bytes\n$/,
      ],
      [
        'compose codex',
        0,
        /Codex is given .* of 8800 bytes[\s\S]*AGENTS\.md: it reads this one by itself\n$/,
      ],
      ['compose codex --json', 0, /"agent": "codex",[\s\S]*"ownDocuments": \[\n\s+"AGENTS\.md"\n/],
    ]);
    await follows(world, [
      [
        'compose --base "Be brief."',
        0,
        /^Be brief\.\n\n<memcode-memory>[\s\S]*<\/memcode-memory>$/,
      ],
    ]);
    const { stdout } = await cliRun(['memory', 'compose'], {
      openApp: async () => world.open(),
      cwd: world.root,
      home: world.home,
      userHome: world.folder,
    });
    assert.ok(!stdout.includes('\u001b'), 'nothing of a document moves the terminal');
  });
});

describe('memory documents', () => {
  it('names what is left out, and lets a person approve it', async () => {
    await using world = await MemoryWorld.make();
    const outside = path.join(world.folder, 'outside.md');
    fs.writeFileSync(outside, 'Shared rules.\n');
    fs.writeFileSync(path.join(world.root, 'AGENTS.md'), '@../outside.md\n@no.md\n');
    await follows(world, [
      [
        'documents',
        0,
        /AGENTS\.md +project[\s\S]*@\.\.\/outside\.md: left out, it lies outside[\s\S]*@no\.md: left out, there is no such file\nTo let it be read: memcode-timeline memory allow-import ".*outside\.md"/,
      ],
      ['allow-import ../nowhere.md', 1, /There is no file/],
      ['allow-import ../outside.md', 0, /may import .*outside\.md, as long as it stays/],
      ['documents', 0, /with imports/],
      ['compose', 0, /\nShared rules\.\n/],
      ['forbid-import ../outside.md', 0, /may not import/],
      ['forbid-import ../outside.md', 1, /is not approved/],
      ['trust', 0, /^Nobody said/],
      ['trust maybe', 2, /yes or no/],
      ['trust no', 0, /not trusted/],
      ['documents', 0, /^No documents for agents here\.\nThis folder is not trusted/],
      ['note-to-document x --document project', 1, /not trusted/],
      ['trust yes', 0, /is trusted/],
      ['note-to-document "Mine."', 0, /^AGENTS\.local\.md, which is new, says: Mine\.\n$/],
      ['note-to-document "More." --document local', 0, /^AGENTS\.local\.md says: More\.\n$/],
      ['note-to-document "Ours." --document project --json', 0, /"label": "AGENTS\.md"/],
      ['note-to-document', 2, /Which text\?/],
    ]);
    assert.equal(
      fs.readFileSync(path.join(world.root, 'AGENTS.md'), 'utf8'),
      '@../outside.md\n@no.md\n\n## Notes\n\n- Ours.\n',
    );
  });
});

describe('memory presets and settings', () => {
  it('are shown and changed', async () => {
    await using world = await MemoryWorld.make();
    await follows(world, [
      ['presets', 0, /\n\* None +none\n/],
      ['presets --mode cowork', 0, /Plain words/],
      ['presets --mode other', 2, /one of dev, cowork/],
      ['preset use "small steps"', 0, /\n\* Small steps/],
      ['compose', 0, /kind="preset" name="Small steps" role="instructions"/],
      ['preset add "Be kind." --name Kind', 0, /Kind +preset-1 +Be kind\./],
      ['preset add "Be kind."', 2, /--name/],
      ['preset edit Kind --name Kinder --text "Be kinder."', 0, /Kinder +preset-1 +Be kinder\./],
      ['preset duplicate Kinder', 0, /Kinder \(copy\)/],
      ['preset remove preset-1', 0, /Kinder \(copy\)/],
      ['preset use nothing', 1, /There is no preset nothing/],
      ['preset jump', 2, /use\|add/],
      ['preset restore --json', 0, /"active": "dev-small-steps"/],
      ['setting', 0, /^give on: [\s\S]*budget 8000: /],
      ['setting budget 300', 0, /budget 300: /],
      ['setting shares notes=60', 0, /notes=60,documents=50/],
      ['setting shares words=60', 2, /portrait, facts, notes, documents/],
      ['setting give off', 0, /give off: /],
      ['setting give perhaps', 2, /on or off/],
      ['compose', 0, /switched off/],
      ['setting colour red', 2, /The settings are/],
      ['setting mode cowork --json', 0, /"mode": "cowork"/],
      ['presets', 0, /Show the sources/],
    ]);
  });

  it('are for people: an agent may look', async () => {
    await using world = await MemoryWorld.make();
    const refused = /Only a person does this/;
    await follows(
      world,
      [
        ['compose', 0, /given nothing/],
        ['presets', 0, /None/],
        ['trust', 0, /Nobody said/],
        ['trust yes', 1, refused],
        ['preset use dev-sketch', 1, refused],
        ['note-to-document x', 1, refused],
        ['allow-import /etc/hosts', 1, refused],
        ['setting give off', 1, refused],
      ],
      { CLAUDECODE: '1' },
    );
  });
});
