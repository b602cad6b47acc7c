/** Whose rules decide what is captured: the user's for all repositories, and those of repositories inside the folder. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { SnapshotStore } from '../../src/snapshot/snapshotStore.ts';
import { SnapshotWorld, shell, workerSource } from '../helpers/snapshotWorld.ts';

const configured = 'home of a user';

class RulesWorld extends SnapshotWorld {
  readonly user = path.join(this.folder, configured);
  readonly store: SnapshotStore = this.open({
    environment: { PATH: process.env['PATH'], HOME: this.user },
  });

  putInHome(name: string, text: string): void {
    const file = path.join(this.user, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }

  /** Files of a snapshot taken now. */
  async files(store = this.store): Promise<readonly string[]> {
    const { snapshot } = await store.create(shell);
    return Object.entries(this.listed(snapshot.id))
      .filter(([, mode]) => mode !== '040000')
      .map(([name]) => name)
      .sort();
  }
}

describe("the user's ignore rules for all repositories", () => {
  it('count where git looks for them, and as soon as they change', async () => {
    await using w = new RulesWorld({ 'a.tmp': '1', 'b.bak': '1', 'c.old': '1', d: '1' });
    w.git('init', '-q');
    assert.deepEqual(await w.files(), ['a.tmp', 'b.bak', 'c.old', 'd']);
    w.putInHome('.config/git/ignore', '*.tmp\n');
    assert.deepEqual(await w.files(), ['b.bak', 'c.old', 'd']);
    w.putInHome('my ignores', '*.bak\n');
    w.putInHome(
      '.gitconfig',
      '[user]\n\tname = x\n[core]\n\tExcludesFile = "~/my ignores" # mine\n',
    );
    assert.deepEqual(await w.files(), ['a.tmp', 'c.old', 'd']);
    w.putInHome('others', '*.old\n!d\n');
    w.git('config', 'core.excludesFile', path.join(w.user, 'others'));
    assert.deepEqual(await w.files(), ['a.tmp', 'b.bak', 'd']);
    w.put('.git/info/exclude', 'd\n!c.old\n');
    assert.deepEqual(await w.files(), ['a.tmp', 'b.bak', 'c.old']);
    w.git('config', '--unset', 'core.excludesFile');
    w.putInHome('.gitconfig', '[include]\n\tpath = more\n');
    w.putInHome('more', '[core]\n\texcludesFile = ~/others\n');
    w.put('.git/info/exclude', '');
    assert.deepEqual(await w.files(), ['a.tmp', 'b.bak', 'd']);
  });

  it('do not count where there is no repository', async () => {
    await using w = new RulesWorld({ 'a.tmp': '1' });
    w.putInHome('.config/git/ignore', '*.tmp\n');
    assert.deepEqual(await w.files(), ['a.tmp']);
  });
});

describe('a repository inside the folder', () => {
  it('has rules of its own, and keeps what it tracks', async () => {
    await using w = new RulesWorld({
      '.gitignore': '*.log\ninner/b\n',
      'x.log': 'no',
      'inner/.gitignore': '*.o\n',
      'inner/x.log': 'yes',
      'inner/y.o': 'no',
      'inner/b': 'yes',
      'inner/secret': 'no',
      'inner/dist/kept': 'tracked there',
      'inner/dist/made': 'captured with it',
      'inner/sub/build/made': 'no',
      'inner/z.o': 'tracked',
    });
    w.git('init', '-q');
    const inner = w.path('inner');
    w.gitIn(inner, 'init', '-q');
    fs.writeFileSync(path.join(inner, '.git/info/exclude'), 'secret\n');
    w.gitIn(inner, 'add', '-f', 'dist/kept', 'z.o');
    const wanted = [
      '.gitignore',
      'inner/.gitignore',
      'inner/b',
      'inner/dist/kept',
      'inner/dist/made',
      'inner/x.log',
      'inner/z.o',
    ];
    assert.deepEqual(await w.files(), wanted);
    w.put('inner/sub/deep/q.log', 'yes');
    w.put('inner/sub/deep/q.o', 'no');
    assert.deepEqual(await w.files(), [...wanted, 'inner/sub/deep/q.log'].sort());
    const threads = w.open({ folder: path.join(w.folder, 'b/store.git'), worker: workerSource });
    const { snapshot } = await threads.create(shell);
    assert.equal(snapshot.tree, (await w.store.create(shell)).snapshot.tree);
    assert.equal(fs.existsSync(path.join(inner, '.git/index.lock')), false);
  });
});
