import assert from 'node:assert/strict';
import { sampleSession, stateOf, touch, turnRow, windowOf } from './sampleState.ts';
import type { ViewPage } from './viewPage.ts';
import { viewTests } from './viewTest.ts';

const view = viewTests();

view(
  'Tab goes through the header, enters the list at the current turn, and leaves it',
  {},
  async (page) => {
    await page.send(sampleSession({ undo: 'Undo the rewind' }));
    const stops: string[] = [];
    for (let stop = 0; stop < 9; stop++) {
      await page.page.keyboard.press('Tab');
      stops.push(await page.focusedName());
    }
    assert.deepEqual(
      stops.map((name) => name.slice(0, 30)),
      [
        'Session',
        'Look at the previous turn',
        'Look at the next turn',
        'View full history',
        'Undo the rewind',
        'Turn 9: Make the sign-in form ',
        'Show all changes of turn 9',
        'Rewind to before turn 9',
        'body',
      ],
    );
  },
);

view('arrows, Home, End and the page keys move within the list', { height: 540 }, async (page) => {
  await page.send(sampleSession());
  await page.summary(9).focus();
  await walk(page, [
    ['ArrowDown', 'Turn 8'],
    ['ArrowUp', 'Turn 9'],
    ['ArrowUp', 'Turn 10'],
    ['Home', 'Turn 12'],
    ['ArrowUp', 'Turn 12'],
    ['End', 'Turn 1:'],
    ['ArrowDown', 'Turn 1:'],
    ['PageUp', 'Turn 8'],
    ['PageUp', 'Turn 12'],
  ]);
  assert.equal(await tabbable(page), 1);
});

view(
  'Enter and Space expand; arrows reach the files; Escape and Left come back',
  {},
  async (page) => {
    await page.send(sampleSession());
    await page.summary(9).focus();
    await page.takePosted();
    await page.page.keyboard.press('Enter');
    assert.equal(await page.summary(9).getAttribute('aria-expanded'), 'true');
    await page.page.keyboard.press('Space');
    assert.equal(await page.summary(9).getAttribute('aria-expanded'), 'false');
    await page.page.keyboard.press('ArrowRight');
    assert.equal(await page.summary(9).getAttribute('aria-expanded'), 'true');
    await walk(page, [
      ['ArrowRight', 'Open the changes of public/sign-in.html'],
      ['ArrowDown', 'Open the changes of src/auth/routes.ts'],
      ['Escape', 'Turn 9'],
      ['ArrowDown', 'Open the changes of public/sign-in.html'],
      ['ArrowUp', 'Turn 9'],
      ['ArrowDown', 'Open the changes of public/sign-in.html'],
      ['ArrowDown', 'Open the changes of src/auth/routes.ts'],
      ['ArrowDown', 'Open the changes of src/auth/rememberMe.ts'],
      ['ArrowDown', 'Open the changes of test/auth/signIn.test.ts'],
      ['ArrowDown', 'Turn 8'],
      ['ArrowUp', 'Open the changes of test/auth/signIn.test.ts'],
    ]);
    await page.page.keyboard.press('Enter');
    await walk(page, [['ArrowLeft', 'Turn 9']]);
    await page.page.keyboard.press('ArrowLeft');
    assert.equal(await page.summary(9).getAttribute('aria-expanded'), 'false');
    assert.deepEqual(await page.posted(), [
      { type: 'openDiff', turn: 'turn-9', path: 'test/auth/signIn.test.ts' },
    ]);
  },
);

view('Enter on a turn that is not the current one makes it so', {}, async (page) => {
  await page.send(sampleSession());
  await page.summary(7).focus();
  await page.takePosted();
  await page.page.keyboard.press('Enter');
  assert.deepEqual(await page.posted(), [{ type: 'select', number: 7 }]);
});

view('brackets step, also from the header, and not beyond the ends', {}, async (page) => {
  await page.send(sampleSession());
  await page.takePosted();
  await page.page.getByRole('button', { name: 'View full history' }).focus();
  await page.page.keyboard.press('[');
  await page.page.keyboard.press(']');
  assert.deepEqual(await page.takePosted(), [{ type: 'previous' }, { type: 'next' }]);
  await page.send(sampleSession({ version: 2, cursor: 1 }));
  await page.page.keyboard.press('[');
  await page.send(sampleSession({ version: 3, cursor: 12 }));
  await page.page.keyboard.press(']');
  assert.deepEqual(await page.takePosted(), []);
});

view('stepping from within the list takes the focus along', {}, async (page) => {
  await page.send(sampleSession());
  await page.summary(9).focus();
  await page.page.keyboard.press('[');
  await page.send(sampleSession({ version: 2, cursor: 8 }));
  assert.match(await page.focusedName(), /^Turn 8:/);
  // A step that somebody else made leaves the focus where the user put it.
  await page.send(sampleSession({ version: 3, cursor: 5 }));
  assert.match(await page.focusedName(), /^Turn 8:/);
});

view('r asks for the rewind of the focused turn, and says why it is refused', {}, async (page) => {
  await page.send(sampleSession());
  await page.takePosted();
  await page.page.keyboard.press('r');
  assert.deepEqual(await page.takePosted(), []);
  await page.summary(4).focus();
  await page.page.keyboard.press('r');
  assert.deepEqual(await page.takePosted(), [{ type: 'rewind', turn: 'turn-4' }]);
  await page.summary(10).focus();
  await page.page.keyboard.press('r');
  assert.deepEqual(await page.takePosted(), []);
  assert.equal(
    await page.page.locator('[aria-live="assertive"]').textContent(),
    'Turn 10 cannot be rewound: Already taken back by a rewind.',
  );
});

view('u undoes the last rewind while there is one', {}, async (page) => {
  await page.send(sampleSession());
  await page.summary(9).focus();
  await page.takePosted();
  await page.page.keyboard.press('u');
  assert.deepEqual(await page.takePosted(), []);
  await page.send(sampleSession({ version: 2, undo: 'Undo the rewind' }));
  await page.page.keyboard.press('u');
  assert.deepEqual(await page.takePosted(), [{ type: 'undo' }]);
});

view('keys with modifiers belong to VS Code', {}, async (page) => {
  await page.send(sampleSession({ undo: 'Undo the rewind' }));
  await page.summary(9).focus();
  await page.takePosted();
  for (const key of ['Control+r', 'Alt+[', 'Meta+u', 'Control+End', 'Alt+ArrowDown']) {
    await page.page.keyboard.press(key);
  }
  assert.deepEqual(await page.takePosted(), []);
  assert.match(await page.focusedName(), /^Turn 9:/);
});

view('letters typed in the session chooser are not shortcuts', {}, async (page) => {
  await page.send(sampleSession({ undo: 'Undo the rewind' }));
  await page.page.locator('vscode-dropdown').focus();
  await page.takePosted();
  await page.page.keyboard.type('u[r');
  assert.deepEqual(
    (await page.posted()).filter(({ type }) => type !== 'selectSession'),
    [],
  );
});

view('the focus is seen: an outline in the theme’s colour', {}, async (page) => {
  await page.send(sampleSession());
  await page.summary(9).focus();
  await page.page.keyboard.press('ArrowDown');
  const outline = await page.style('.turn[data-index="7"] .summary', 'outline');
  assert.equal(outline, 'rgb(0, 120, 212) solid 1px');
});

view('the focus survives new states, new turns and a changed row', {}, async (page) => {
  await page.send(sampleSession());
  await page.summary(9).click();
  await page.page.keyboard.press('ArrowRight');
  const before = await page.focusedName();
  assert.match(before, /^Open the changes of public\/sign-in.html/);
  const { rows } = sampleSession();
  const more = [...rows, turnRow(13, { files: [touch('x', 'added', 1, 0)] })];
  await page.send(sampleSession({ version: 2, rows: more, total: 13 }));
  assert.equal(await page.focusedName(), before);
  // The file the focus was on has gone: its row takes it.
  const bare = more.map((row) => (row.number === 9 ? { ...row, files: [] } : row));
  await page.send(sampleSession({ version: 3, rows: bare, total: 13 }));
  assert.match(await page.focusedName(), /^Turn 9:/);
});

view('a button at its end keeps the focus', {}, async (page) => {
  await page.send(sampleSession({ cursor: 2 }));
  const previous = page.page.getByRole('button', { name: 'Look at the previous turn' });
  await previous.focus();
  await page.page.keyboard.press('Enter');
  await page.send(sampleSession({ version: 2, cursor: 1 }));
  assert.equal(await page.focusedName(), 'Look at the previous turn');
  await page.settle();
  assert.equal(await previous.isDisabled(), true);
  await page.takePosted();
  await page.page.keyboard.press('Enter');
  assert.deepEqual(await page.posted(), []);
});

view('End reaches the oldest of ten thousand turns before it has come', {}, async (page) => {
  await page.send(windowOf(10_000, 9_999));
  await page.summary(10_000).focus();
  await page.page.keyboard.press('End');
  assert.equal(await page.focusedName(), 'Turn 1, loading');
  await page.waitForIntent('showWindow');
  await page.send(windowOf(10_000, 0, { version: 2 }));
  assert.match(await page.focusedName(), /^Turn 1: Prompt 1,/);
  await walk(page, [
    ['ArrowUp', 'Turn 2: Prompt 2,'],
    ['Home', 'Turn 10000, loading'],
  ]);
});

view('a session with one file that has no row of its own', {}, async (page) => {
  await page.send(stateOf([turnRow(1)]));
  await page.summary(1).focus();
  await walk(page, [
    ['ArrowRight', 'Turn 1:'],
    ['ArrowRight', 'Turn 1:'],
    ['ArrowDown', 'Turn 1:'],
  ]);
});

/** Presses keys one after the other, and compares the beginning of the name of what has the focus then. */
async function walk(page: ViewPage, steps: readonly (readonly [string, string])[]): Promise<void> {
  for (const [place, [key, expected]] of steps.entries()) {
    await page.page.keyboard.press(key);
    const name = await page.focusedName();
    assert.ok(name.startsWith(expected), `step ${place}, ${key}: "${name}" is not "${expected}"`);
  }
}

/** How many rows Tab can enter. */
async function tabbable(page: ViewPage): Promise<number> {
  return page.page.locator('.summary[tabindex="0"]').count();
}
