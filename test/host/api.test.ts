/** The exported API on real files. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as vscode from 'vscode';
import { memcode, ownFolder, recordTurn, textOf, workspaceFolder } from './hostFixture.ts';
import { test } from './hostTest.ts';

test('begin, snapshot, edit, end, list, restore', async (t) => {
  const api = await memcode();
  const folder = ownFolder(t);
  const kept = vscode.Uri.joinPath(folder, 'kept.txt');
  const made = vscode.Uri.joinPath(folder, 'made.txt');
  const gone = vscode.Uri.joinPath(folder, 'gone.bin');
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  fs.writeFileSync(kept.fsPath, 'one\n');
  fs.writeFileSync(gone.fsPath, bytes);
  const session = 'api round trip';
  const first = await recordTurn(session, 'First change', [{ file: kept, content: 'two\n' }]);
  const second = await recordTurn(session, 'Second change', [
    { file: kept, content: 'three\n' },
    { file: made, content: 'new\n' },
    { file: gone, content: null },
  ]);

  const turns = await api.list({ session });
  assert.deepEqual(
    turns.map(({ id, number, agent, prompt, reply, rewound, files }) => ({
      ...{ id, number, agent, prompt, reply, rewound },
      files: files.map(({ uri, change }) => `${change} ${uri.fsPath}`).toSorted(),
    })),
    [
      {
        ...{ id: first.id, number: 1, agent: 'host-test', prompt: 'First change' },
        ...{ reply: 'Done.', rewound: false, files: [`modified ${kept.fsPath}`] },
      },
      {
        ...{ id: second.id, number: 2, agent: 'host-test', prompt: 'Second change' },
        ...{ reply: 'Done.', rewound: false },
        files: [`added ${made.fsPath}`, `deleted ${gone.fsPath}`, `modified ${kept.fsPath}`],
      },
    ],
  );

  const report = await api.restore(second.id);
  assert.equal(report.complete, true);
  assert.deepEqual(report.files.map(({ uri, result }) => `${result} ${uri.fsPath}`).toSorted(), [
    `deleted ${made.fsPath}`,
    `recreated ${gone.fsPath}`,
    `restored ${kept.fsPath}`,
  ]);
  assert.equal(textOf(kept), 'two\n');
  assert.equal(fs.existsSync(made.fsPath), false);
  assert.deepEqual(new Uint8Array(fs.readFileSync(gone.fsPath)), bytes);
  assert.deepEqual(
    (await api.list({ session })).map((turn) => turn.rewound),
    [false, true],
  );
});

test('the command Redo takes a restore back', async (t) => {
  const api = await memcode();
  const file = vscode.Uri.joinPath(ownFolder(t), 'file.txt');
  fs.writeFileSync(file.fsPath, 'before\n');
  const turn = await recordTurn('redo by command', 'Change it', [{ file, content: 'after\n' }]);
  await api.restore(turn.id);
  assert.equal(textOf(file), 'before\n');
  await vscode.commands.executeCommand('memcode.redo');
  assert.equal(textOf(file), 'after\n');
});

test('a turn without edits leaves no file, and its handle is good for one turn', async () => {
  const api = await memcode();
  const begin = () =>
    api.beginTurn({
      folder: workspaceFolder(),
      session: 'nothing happens',
      agent: 'host-test',
      prompt: 'Only talk',
    });
  const turn = await begin();
  await api.endTurn(turn);
  const [listed] = await api.list({ session: 'nothing happens' });
  assert.deepEqual(listed?.files, []);
  await assert.rejects(api.endTurn(turn), { code: 'notFound' });
  const older = await begin();
  await begin();
  await assert.rejects(api.snapshot(older, workspaceFolder()), { code: 'notFound' });
});

test('changes of people are conflicts: kept, refused or replaced as asked', async (t) => {
  const api = await memcode();
  const file = vscode.Uri.joinPath(ownFolder(t), 'file.txt');
  fs.writeFileSync(file.fsPath, 'before\n');
  const turn = await recordTurn('conflicts', 'Change it', [{ file, content: 'after\n' }]);
  fs.writeFileSync(file.fsPath, 'mine\n');
  const kept = await api.restore(turn.id);
  assert.deepEqual([kept.complete, textOf(file)], [false, 'mine\n']);
  await assert.rejects(api.restore(turn.id, { conflicts: 'fail' }), { code: 'conflicts' });
  assert.equal(textOf(file), 'mine\n');
  const taken = await api.restore(turn.id, { conflicts: 'take' });
  assert.deepEqual([taken.complete, textOf(file)], [true, 'before\n']);
});

test('wrong arguments are errors with a code', async () => {
  const api = await memcode();
  await assert.rejects(api.restore('no such turn'), { code: 'notFound' });
  const agent = 'host-test';
  const prompt = 'x';
  const remote = vscode.Uri.parse('https://example.test/folder');
  await assert.rejects(api.beginTurn({ folder: remote, session: 's', agent, prompt }), {
    code: 'usage',
  });
  await assert.rejects(api.beginTurn({ folder: workspaceFolder(), session: '', agent, prompt }), {
    code: 'usage',
  });
});
