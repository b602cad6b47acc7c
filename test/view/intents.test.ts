import assert from 'node:assert/strict';
import { asSessionId } from '../../src/core/ids.ts';
import { filesShown } from '../../src/protocol/messages.ts';
import { sampleSession, stateOf, touch, turnRow } from './sampleState.ts';
import { viewTests } from './viewTest.ts';

const view = viewTests();

view('every button in the header asks for its act', {}, async (page) => {
  await page.send(sampleSession({ undo: 'Undo the rewind' }));
  await page.takePosted();
  for (const name of [
    'Look at the previous turn',
    'Look at the next turn',
    'View full history',
    'Undo the rewind',
  ]) {
    await page.page.getByRole('button', { name }).click();
  }
  assert.deepEqual(await page.posted(), [
    { type: 'previous' },
    { type: 'next' },
    { type: 'command', command: 'showHistory' },
    { type: 'undo' },
  ]);
});

view('the ends of the session disable their button', {}, async (page) => {
  const previous = page.page.getByRole('button', { name: 'Look at the previous turn' });
  const next = page.page.getByRole('button', { name: 'Look at the next turn' });
  const disabled = async (): Promise<readonly boolean[]> => {
    await page.settle();
    return [await previous.isDisabled(), await next.isDisabled()];
  };
  await page.send(sampleSession({ cursor: 1 }));
  assert.deepEqual(await disabled(), [true, false]);
  await page.send(sampleSession({ version: 2, cursor: 12 }));
  assert.deepEqual(await disabled(), [false, true]);
  await page.send(sampleSession({ version: 3, cursor: 5 }));
  assert.deepEqual(await disabled(), [false, false]);
  await page.send(stateOf([turnRow(1)], { version: 4 }));
  assert.deepEqual(await disabled(), [true, true]);
  await page.takePosted();
  await previous.click({ force: true });
  await next.click({ force: true });
  assert.deepEqual(await page.posted(), []);
});

view(
  'a click on a turn selects and expands it; on the current one only expands',
  {},
  async (page) => {
    await page.send(sampleSession());
    await page.takePosted();
    await page.summary(7).click();
    await page.summary(9).click();
    await page.summary(9).click();
    assert.deepEqual(await page.posted(), [{ type: 'select', number: 7 }]);
    assert.equal(await page.summary(7).getAttribute('aria-expanded'), 'true');
    assert.equal(await page.summary(9).getAttribute('aria-expanded'), 'false');
  },
);

view('the actions of a row appear where one points, and ask for their act', {}, async (page) => {
  await page.send(sampleSession());
  const opacity = (): Promise<string> => page.style('.turn[data-index="4"] .actions', 'opacity');
  assert.equal(await opacity(), '0');
  await page.summary(5).hover();
  assert.equal(await opacity(), '1');
  await page.takePosted();
  await page.page.getByRole('button', { name: 'Show all changes of turn 5' }).click();
  await page.page.getByRole('button', { name: 'Rewind to before turn 5' }).click();
  assert.deepEqual(await page.posted(), [
    { type: 'openTurn', turn: 'turn-5' },
    { type: 'rewind', turn: 'turn-5' },
  ]);
});

view('a turn that cannot be rewound has a disabled button that says why', {}, async (page) => {
  await page.send(sampleSession());
  const name = 'Turn 10 cannot be rewound: Already taken back by a rewind.';
  const button = page.page.getByRole('button', { name });
  await page.settle();
  assert.equal(await button.isDisabled(), true);
  await page.summary(10).hover();
  await page.takePosted();
  await button.click({ force: true });
  assert.deepEqual(await page.posted(), []);
  assert.equal(await page.page.locator('[aria-live="assertive"]').textContent(), name);
});

view('a turn without files has no changes to show', {}, async (page) => {
  await page.send(sampleSession());
  assert.equal(await page.turn(1).locator('[data-act="openTurn"]').count(), 0);
});

view(
  'of very many files the first are listed and the rest left to the diff editor',
  {},
  async (page) => {
    const files = Array.from({ length: filesShown }, (_, place) =>
      touch(`f${place}.ts`, 'added', 1, 0),
    );
    await page.send(stateOf([turnRow(1, { files, fileCount: 1234 })]));
    await page.summary(1).click();
    assert.equal(await page.page.locator('.file').count(), filesShown);
    await page.page.getByRole('button', { name: 'View all 1,234 files' }).click();
    assert.deepEqual((await page.posted()).at(-1), { type: 'openTurn', turn: 'turn-1' });
  },
);

view('the session chooser shows the session, and asks for another', {}, async (page) => {
  await page.send(sampleSession());
  const chooser = page.page.locator('vscode-dropdown');
  const value = (): Promise<string> => page.read('vscode-dropdown', 'e.value');
  assert.equal(await value(), 'session-1');
  assert.equal(
    await chooser.getAttribute('title'),
    'Add sign-in with e-mail links\nClaude Code · now',
  );
  await page.takePosted();
  await chooser.click();
  assert.deepEqual(await page.page.locator('vscode-option').allTextContents(), [
    'Add sign-in with e-mail links · Claude Code · now',
    'Why is the cart test flaky? · Codex · yesterday',
    'Draft the release notes · Gemini CLI · 3d ago',
  ]);
  await page.page.getByRole('option', { name: /flaky/ }).click();
  assert.deepEqual(await page.posted(), [{ type: 'selectSession', session: 'session-2' }]);
  await page.send(sampleSession({ version: 2, session: 'session-2' }));
  assert.equal(await value(), 'session-2');
  assert.match((await chooser.locator('.chosen').textContent()) ?? '', /flaky/);
  // The host may keep the session it has: the state decides.
  await page.send(sampleSession({ version: 3, session: 'session-1' }));
  assert.equal(await value(), 'session-1');
});

view('by keyboard the chooser works as a list box does', {}, async (page) => {
  await page.send(sampleSession());
  await page.page.locator('vscode-dropdown').focus();
  await page.takePosted();
  for (const key of ['Enter', 'ArrowDown', 'ArrowDown', 'Enter']) {
    await page.page.keyboard.press(key);
    await page.settle();
  }
  assert.deepEqual(await page.posted(), [{ type: 'selectSession', session: 'session-3' }]);
});

view('states that arrive while the chooser is open leave it open', {}, async (page) => {
  await page.send(sampleSession());
  await page.page.locator('vscode-dropdown').click();
  await page.page.keyboard.press('ArrowDown');
  await page.send(sampleSession({ version: 2 }));
  await page.settle();
  assert.equal(await page.page.locator('vscode-dropdown[open]').count(), 1);
});

view(
  'folders are named when there are several, and very old sessions are left out aloud',
  {},
  async (page) => {
    const sessions = Array.from({ length: 150 }, (_, place) => ({
      ...sampleSession().sessions[0]!,
      id: asSessionId(`session-${place + 1}`),
      folder: place % 2 === 0 ? 'shop' : 'docs',
    }));
    await page.send(sampleSession({ sessions, session: 'session-140' }));
    const options = await page.page.locator('vscode-option').allTextContents();
    assert.equal(options.length, 102);
    assert.match(options[0] ?? '', / · shop$/);
    assert.equal(options.at(-1), '49 older sessions are not listed');
    assert.equal(await page.read('vscode-dropdown', 'e.value'), 'session-140');
  },
);
