import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { TurnCommit } from '../../src/core/autoCommit.ts';
import { asOperationId, asProjectId, asSessionId, asTurnId } from '../../src/core/ids.ts';
import { viewStrings } from '../../src/protocol/viewStrings.ts';
import { now, sampleSession, stateOf, touch, turnRow } from './sampleState.ts';
import type { ViewPage } from './viewPage.ts';
import { viewTests } from './viewTest.ts';

const view = viewTests();

view('says ready at load and shows nothing before the first state', {}, async (page) => {
  assert.deepEqual(await page.posted(), [{ type: 'ready' }]);
  assert.equal(await page.page.locator('.turn').count(), 0);
});

view('lists the turns newest first, each with everything a row tells', {}, async (page) => {
  await page.send(sampleSession());
  const numbers = await page.page.locator('.turn .number').allTextContents();
  assert.deepEqual(numbers, ['12', '11', '10', '9', '8', '7', '6', '5', '4', '3', '2', '1']);
  assert.deepEqual(await rowTexts(page, 9), {
    prompt: 'Make the sign-in form remember the e-mail address and focus the field',
    meta: '42m ago · Claude Code · Read ×2, Edit ×3, Write',
    counts: '4 files +73 −36',
  });
  assert.deepEqual(await rowTexts(page, 12), {
    prompt: 'Write the end-to-end test for signing in on a second device',
    meta: 'Running · now · Claude Code · Read ×4, Write',
    counts: '1 file +38',
  });
  assert.equal((await rowTexts(page, 3)).meta.split(' · ')[0], 'Failed');
  assert.equal((await rowTexts(page, 6)).meta.split(' · ')[0], 'Interrupted');
  assert.match((await rowTexts(page, 10)).meta, /^24m ago Taken back · Claude Code/);
  assert.equal((await rowTexts(page, 1)).counts, 'no files');
  assert.match((await page.turn(9).locator('.meta').getAttribute('title')) ?? '', /March 12, 2026/);
});

view('what took a turn back is told apart from when the turn was', {}, async (page) => {
  await page.send(sampleSession());
  const hint = '“Rewound to before turn 10” (6 minutes ago) took this turn back.';
  const title = (await page.turn(10).locator('.meta').getAttribute('title')) ?? '';
  assert.match(title, /^Began .*March 12, 2026/m);
  assert.ok(title.includes(hint), title);
  await page.summary(10).click();
  assert.ok((await textOf(page.turn(10).locator('.note'))).startsWith(hint));
});

view('snapshots stand between turns, with what one can do with them', {}, async (page) => {
  const snapshots = [{ id: 'a'.repeat(40), label: '<b>mine</b>', at: now - 60_000 }];
  const snapshotsBefore = [{ id: 'b'.repeat(40), label: 'first', at: now - 600_000 }];
  await page.send(stateOf([turnRow(1, { snapshots, snapshotsBefore }), turnRow(2)]));
  const lines = page.turn(1).locator('.snapshot');
  assert.deepEqual(await lines.locator('.label').allTextContents(), ['<b>mine</b>', 'first']);
  const [above, row, below] = await Promise.all(
    [lines.first(), page.summary(1), lines.last()].map((each) => each.boundingBox()),
  );
  assert.ok(above && row && below && above.y < row.y && row.y < below.y);
  await page.takePosted();
  await page.page.getByRole('button', { name: /^Snapshot “<b>mine<\/b>”, 1 minute ago/ }).click();
  await page.page.getByRole('button', { name: 'Restore snapshot “first”' }).click({ force: true });
  assert.deepEqual(await page.posted(), [
    { type: 'compareSnapshot', snapshot: 'a'.repeat(40) },
    { type: 'restoreSnapshot', snapshot: 'b'.repeat(40) },
  ]);
});

view('a rewind that kept files leaves its mark on the turn', {}, async (page) => {
  const partly = { label: 'Rewound to before turn 1', at: now - 60_000, kept: ['a.ts', 'b.ts'] };
  await page.send(stateOf([turnRow(1, { partly })]));
  assert.equal(await textOf(page.turn(1).locator('.chip')), 'Taken back in part: 2 files kept');
  assert.match(
    (await page.summary(1).getAttribute('aria-label')) ?? '',
    /Taken back in part: 2 files kept$/,
  );
  await page.summary(1).click();
  assert.equal(
    await textOf(page.turn(1).locator('.chip')),
    'Taken back in part: 2 files kept',
    'the words stay when the turn is expanded',
  );
  assert.match(
    await textOf(page.turn(1).locator('.note')),
    /^“Rewound to before turn 1” \(1 minute ago\) kept .*: a\.ts, b\.ts\. The turn stays/,
  );
});

view('a turn whose files all went back with such a rewind is marked too', {}, async (page) => {
  const partly = { label: 'Rewound to before turn 1', at: now - 60_000, kept: [] };
  await page.send(stateOf([turnRow(1, { partly })]));
  assert.equal(await textOf(page.turn(1).locator('.chip')), 'Taken back in part');
  await page.summary(1).click();
  assert.match(await textOf(page.turn(1).locator('.note')), /put the files of this turn back/);
});

view('what was cut can be read in full', {}, async (page) => {
  const reply = Array.from({ length: 8 }, (_, line) => `line ${line}`).join('\n');
  await page.send(stateOf([turnRow(1, { reply, cut: true }), turnRow(2, { reply })]));
  for (const number of [1, 2]) await page.summary(number).click();
  const lines = await page.read('.turn[data-index="1"] .reply', 'e.scrollHeight / 16');
  assert.equal(lines, 8, 'all that was sent is shown');
  const read = page.page.getByRole('button', { name: 'Read prompt and reply in full' });
  assert.equal(await read.count(), 1);
  await page.takePosted();
  await read.click();
  assert.deepEqual(await page.posted(), [{ type: 'readTurn', turn: 'turn-1' }]);
});

view('only the first line of a prompt is shown, all of it when expanded', {}, async (page) => {
  await page.send(stateOf([turnRow(1, { prompt: '\n  first line\nsecond line' })]));
  assert.equal((await rowTexts(page, 1)).prompt, 'first line');
  await page.summary(1).click();
  assert.equal((await rowTexts(page, 1)).prompt, 'first line\nsecond line');
});

view('an empty prompt has words all the same', {}, async (page) => {
  await page.send(stateOf([turnRow(1, { prompt: ' \n ' })]));
  assert.equal((await rowTexts(page, 1)).prompt, viewStrings.emptyPrompt);
});

view('marks what is out of the ordinary, and says why when expanded', {}, async (page) => {
  await page.send(
    stateOf([
      turnRow(1, {
        damaged: 'manifest.json is cut short',
        prunedAt: now,
        uncapturedShell: true,
        unprotected: [{ path: 'a.bin', reason: 'it is too large' }],
      }),
    ]),
  );
  assert.deepEqual(await page.turn(1).locator('.marks .chip').allTextContents(), [
    'Damaged',
    'States removed',
    '1 file not saved',
    'Shell not recorded',
  ]);
  await page.summary(1).click();
  assert.deepEqual(await page.turn(1).locator('.note').allTextContents(), [
    'This turn cannot be rewound: manifest.json is cut short',
    viewStrings.prunedHint,
    'a.bin was not saved: it is too large',
    viewStrings.uncapturedShellHint,
  ]);
});

view(
  'tells the commit of a turn, and why there is none, where somebody should know',
  {},
  async (page) => {
    const commit: TurnCommit = {
      ...{ turn: asTurnId('t'), session: asSessionId('s'), project: asProjectId('p') },
      ...{ state: 'committed', commit: 'c0ffee0012345678', branch: 'main', reason: null },
      ...{ detail: null, paths: ['a'], leftOut: [], olderTurns: [], at: 0 },
    };
    const none = { ...commit, state: 'skipped', commit: null, branch: null, paths: [] } as const;
    const rows = [
      turnRow(1, { autoCommit: commit }),
      turnRow(2, { autoCommit: { ...commit, revertedBy: 'beefbeef99' } }),
      turnRow(3, { autoCommit: { ...none, reason: 'merge' } }),
      turnRow(4, { autoCommit: { ...none, reason: 'nothingToCommit' } }),
    ];
    await page.send(stateOf(rows, { cursor: 4 }));
    assert.deepEqual(await page.page.locator('.chip').allInnerTexts(), ['Not committed']);
    for (const number of [1, 2, 3, 4]) await page.summary(number).click();
    const facts = (await page.page.locator('.facts').allInnerTexts()).toReversed();
    assert.match(facts[0] ?? '', / · commit c0ffee00$/);
    assert.match(facts[1] ?? '', / · commit c0ffee00, reverted by beefbeef$/);
    assert.doesNotMatch(`${facts[2]} ${facts[3]}`, /commit/);
    assert.deepEqual(await page.page.locator('.details .note').allInnerTexts(), [
      'A merge is going on.',
    ]);
  },
);

view('separates the days', {}, async (page) => {
  const day = 24 * 60 * 60_000;
  await page.send(
    stateOf([
      turnRow(1, { startedAt: now - 400 * day }),
      turnRow(2, { startedAt: now - 3 * day }),
      turnRow(3, { startedAt: now - day }),
      turnRow(4, { startedAt: now - 3 * 60_000 }),
      turnRow(5, { startedAt: now }),
    ]),
  );
  assert.deepEqual(await page.page.locator('.day').allTextContents(), [
    'Today',
    'Yesterday',
    'Monday, March 9',
    'Wednesday, February 5, 2025',
  ]);
  assert.equal(await page.turn(5).locator('.day').count(), 1);
  assert.equal(await page.turn(4).locator('.day').count(), 0);
});

view('roles and names', {}, async (page) => {
  await page.send(sampleSession());
  await page.summary(9).click();
  const { page: dom } = page;
  assert.equal(await dom.getByRole('list', { name: viewStrings.turnList }).count(), 1);
  const items = dom.locator('.turn[role="listitem"]');
  assert.equal(await items.count(), 12);
  assert.equal(await items.first().getAttribute('aria-setsize'), '12');
  assert.equal(await items.first().getAttribute('aria-posinset'), '1');
  assert.equal(
    await page.summary(10).getAttribute('aria-label'),
    'Turn 10: Use a signed JWT instead of the session table, Finished, Claude Code, 24 minutes ago, ' +
      '2 files, 75 added, 114 removed, Tools: Edit ×5, Bash, Taken back',
  );
  assert.equal(await dom.locator('[aria-current]').count(), 1);
  assert.equal(await page.summary(9).getAttribute('aria-current'), 'step');
  assert.equal(await page.summary(9).getAttribute('aria-expanded'), 'true');
  const details = await page.summary(9).getAttribute('aria-controls');
  assert.equal(await dom.locator(`[id="${details}"]`).count(), 1);
  for (const name of [
    viewStrings.previousTurn,
    viewStrings.nextTurn,
    viewStrings.viewFullHistory,
    'Rewind to before turn 9',
    'Show all changes of turn 9',
    'Turn 10 cannot be rewound: Already taken back by a rewind.',
    'Open the changes of public/sign-in.html, modified, 12 added, 8 removed',
    'Open the changes of src/auth/rememberMe.ts, deleted, 0 added, 26 removed',
  ]) {
    assert.equal(await dom.getByRole('button', { name, exact: true }).count(), 1, name);
  }
  const letters = await page.turn(9).locator('.letter').allTextContents();
  assert.deepEqual(letters, ['M', 'M', 'D', 'A']);
  assert.equal(await dom.getByRole('combobox', { name: viewStrings.session }).count(), 1);
});

view('at most three actions a row', {}, async (page) => {
  await page.send(sampleSession());
  const counts = await page.page
    .locator('.actions')
    .evaluateAll((all) => all.map((actions) => actions.children.length));
  assert.ok(
    counts.every((count) => count <= 3),
    String(counts),
  );
});

view('the menu context of a row and of a file', {}, async (page) => {
  await page.send(sampleSession());
  await page.summary(9).click();
  const contextOf = async (selector: string): Promise<unknown> =>
    JSON.parse((await page.page.locator(selector).getAttribute('data-vscode-context')) ?? 'null');
  assert.deepEqual(await contextOf('.turn[data-index="8"]'), {
    webviewSection: 'turn',
    turn: 'turn-9',
    rewindable: true,
    revertable: true,
    preventDefaultContextMenuItems: true,
  });
  assert.deepEqual(await contextOf('.file[data-path="public/sign-in.html"]'), {
    turn: 'turn-9',
    path: 'public/sign-in.html',
    restorable: true,
  });
});

view('a menu offers to go back only where there is something to go back to', {}, async (page) => {
  const files = [touch('a.js', 'modified', 1, 1)];
  await page.send(
    stateOf([
      turnRow(1, { files, prunedAt: now }),
      turnRow(2, { files, damaged: 'it is cut short' }),
      turnRow(3, { files, rewoundBy: asOperationId('o') }),
      turnRow(4),
      turnRow(5, { files }),
    ]),
  );
  const rows = await page.page.locator('.turn').all();
  const contexts = rows.map(async (row) =>
    JSON.parse((await row.getAttribute('data-vscode-context')) ?? 'null'),
  );
  const revertable = (await Promise.all(contexts)).map((context) => context.revertable);
  assert.deepEqual(revertable, [true, false, false, false, false]);
});

view('the host’s words replace the English ones', {}, async (page) => {
  await page.send(
    sampleSession({
      locale: 'de',
      strings: { position: 'Zug {0} von {1}', rewindTo: 'Zurück vor Zug {0}', running: 'Läuft' },
    }),
  );
  assert.equal(await textOf(page.page.locator('.position')), 'Zug 9 von 12');
  assert.match((await rowTexts(page, 12)).meta, /^Läuft · /);
  assert.equal(await page.page.getByRole('button', { name: 'Zurück vor Zug 4' }).count(), 1);
  assert.match((await rowTexts(page, 9)).meta, /vor 42/);
});

view('a state older than the one shown is ignored', {}, async (page) => {
  await page.send(stateOf([turnRow(1, { prompt: 'new' })], { version: 7 }));
  await page.send(stateOf([turnRow(1, { prompt: 'old' })], { version: 6 }));
  assert.equal((await rowTexts(page, 1)).prompt, 'new');
  await page.send(stateOf([turnRow(1, { prompt: 'newer' })], { version: 8 }));
  assert.equal((await rowTexts(page, 1)).prompt, 'newer');
});

view('messages that are not ours change nothing', {}, async (page) => {
  await page.send(sampleSession());
  for (const alien of ['null', '42', '"state"', '{}', '{"type":"other"}']) {
    await page.page.evaluate(`fakeHost.send(${alien})`);
  }
  assert.equal(await page.page.locator('.turn').count(), 12);
});

view('no session yet: says so and offers to connect an agent', {}, async (page) => {
  await page.send(stateOf([], { sessions: [], session: null, cursor: 0 }));
  assert.equal(await textOf(page.page.getByRole('heading')), viewStrings.noSession);
  await page.page.getByRole('button', { name: viewStrings.connectAgent }).click();
  assert.deepEqual((await page.posted()).at(-1), { type: 'command', command: 'connectAgent' });
  assert.equal(await page.page.locator('vscode-dropdown').count(), 0);
  assert.equal(await page.style('.header', 'display'), 'none');
});

view('while the host is still looking there is no word of no session', {}, async (page) => {
  const looking = { sessions: [], session: null, cursor: 0, busy: 'Opening the store…' };
  await page.send(stateOf([], looking));
  assert.equal(await page.page.getByRole('heading').count(), 0);
  assert.equal(await textOf(page.page.locator('.busy')), 'Opening the store…');
});

view('a session without turns', {}, async (page) => {
  await page.send(stateOf([], { cursor: 0 }));
  assert.equal(await textOf(page.page.getByRole('heading')), viewStrings.noTurns);
  assert.equal(await page.page.locator('vscode-dropdown').count(), 1);
  await page.send(stateOf([turnRow(1)], { version: 2 }));
  assert.equal(await page.page.locator('.turn').count(), 1);
});

view('busy and error lines come, are announced, and go', {}, async (page) => {
  await page.send(sampleSession({ busy: 'Rewinding to before turn 9…' }));
  assert.equal(await textOf(page.page.locator('.busy')), 'Rewinding to before turn 9…');
  assert.equal(await live(page, 'polite'), 'Rewinding to before turn 9…');
  await page.send(sampleSession({ version: 2, error: 'The database is locked.' }));
  assert.equal(await page.page.locator('.busy').count(), 0);
  assert.equal(await textOf(page.page.locator('.errorText')), 'The database is locked.');
  assert.equal(await live(page, 'assertive'), 'The database is locked.');
  await page.takePosted();
  await page.page.getByRole('button', { name: viewStrings.retry }).click();
  await page.page.getByRole('button', { name: viewStrings.showLog }).click();
  assert.deepEqual(await page.posted(), [
    { type: 'command', command: 'refresh' },
    { type: 'command', command: 'showLog' },
  ]);
  await page.send(sampleSession({ version: 3 }));
  assert.equal(await page.page.locator('.error').count(), 0);
});

view('announces where one is, and what the host says', {}, async (page) => {
  await page.send(sampleSession());
  assert.equal(await live(page, 'polite'), '');
  await page.send(sampleSession({ version: 2, cursor: 8 }));
  assert.equal(await live(page, 'polite'), 'Turn 8 of 12');
  await page.send({ type: 'announce', text: 'Rewound 3 files.', assertive: false });
  assert.equal(await live(page, 'polite'), 'Rewound 3 files.');
  await page.send({ type: 'announce', text: 'The rewind failed.', assertive: true });
  assert.equal(await live(page, 'assertive'), 'The rewind failed.');
});

view('text that would be markup stays text', {}, async (page) => {
  const evil = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
  const path = `dir/${evil}/\u202egnp.js`;
  await page.send(
    stateOf(
      [
        turnRow(1, {
          prompt: evil,
          reply: evil,
          agent: evil,
          model: evil,
          tools: [{ name: evil, count: 2 }],
          files: [touch(path, 'modified', 1, 1)],
          unprotected: [{ path: evil, reason: evil }],
          damaged: evil,
          blocked: evil,
        }),
      ],
      {
        busy: evil,
        undo: evil,
        error: evil,
        sessions: [
          { ...sampleSession().sessions[0]!, title: evil, folder: evil },
          { ...sampleSession().sessions[1]!, title: evil, folder: 'other' },
        ],
      },
    ),
  );
  await page.summary(1).click();
  const { page: dom } = page;
  assert.equal(await dom.locator('img').count(), 0);
  assert.equal(
    await dom.locator('body script:not([type="module"]):not([type="application/json"])').count(),
    0,
  );
  assert.equal(await dom.title(), 'Timeline');
  assert.equal((await rowTexts(page, 1)).prompt, evil);
  assert.equal(await textOf(dom.locator('.reply')), evil);
  // The override that would show the name backwards is made visible; the intent carries the real path.
  assert.equal(await textOf(dom.locator('.file .name')), '\ufffdgnp.js');
  await dom.locator('.file').click();
  assert.deepEqual((await page.posted()).at(-1), { type: 'openDiff', turn: 'turn-1', path });
});

view('right-to-left, very long and many-coloured text keeps the row in shape', {}, async (page) => {
  const rows = [
    turnRow(1, { prompt: 'plain' }),
    turnRow(2, { prompt: 'أضف تسجيل الدخول بالبريد الإلكتروني (v2) من فضلك' }),
    turnRow(3, { prompt: 'x'.repeat(300), tools: [{ name: 'y'.repeat(300), count: 1 }] }),
    turnRow(4, { prompt: '👩‍👩‍👧‍👦🏳️‍🌈 修复登录 🧑🏽‍💻' }),
  ];
  await page.send(stateOf(rows));
  const boxes = await Promise.all(rows.map(({ number }) => page.turn(number).boundingBox()));
  const heights = boxes.map((box) => box?.height);
  // The newest opens the day and is higher by its heading.
  assert.deepEqual(heights.slice(0, 3), [44, 44, 44]);
  assert.ok(boxes.every((box) => box !== null && box.x === 0 && box.width <= 380));
  const sideways = await page.page.evaluate<boolean>(
    '[document.documentElement, document.querySelector(".scroller")].some((e) => e.scrollWidth > e.clientWidth)',
  );
  assert.equal(sideways, false);
});

async function rowTexts(
  page: ViewPage,
  number: number,
): Promise<{ prompt: string; meta: string; counts: string }> {
  const turn = page.turn(number);
  return {
    prompt: (await turn.locator('.prompt').textContent()) ?? '',
    meta: await textOf(turn.locator('.meta')),
    counts: await textOf(turn.locator('.counts')),
  };
}

async function textOf(locator: Locator): Promise<string> {
  return ((await locator.textContent()) ?? '').replace(/\s+/g, ' ').trim();
}

async function live(page: ViewPage, politeness: string): Promise<string> {
  return (await page.page.locator(`[aria-live="${politeness}"]`).textContent()) ?? '';
}
