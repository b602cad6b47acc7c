/** The page of a session's history: rows with their graph, reading, search, keyboard, themes. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { HistorySearch, HitRow } from '../../src/protocol/historyMessages.ts';
import { projectFolder } from '../tools/paths.ts';
import {
  historyRowsOf,
  historyState,
  historyWindow,
  message,
  openOf,
  sampleHistory,
} from './historySample.ts';
import { type ThemeName, themes } from './themes.ts';
import type { ViewPage } from './viewPage.ts';
import { viewTests } from './viewTest.ts';

const view = viewTests();
const name = 'history';
const total = 10_000;

const excerpt = (before: string, after: string): HitRow['excerpt'] => [
  { text: before, isFound: false },
  { text: 'token', isFound: true },
  { text: after, isFound: false },
];

const search: HistorySearch = {
  text: 'token',
  everywhere: true,
  hits: [
    {
      ...{ turn: 'turn-5', message: 't1', role: 'tool', name: 'Bash', number: 4, agent: 'claude' },
      ...{ at: 0, title: null, excerpt: excerpt('a ', ' that lives 15 minutes') },
    },
    {
      ...{ turn: 'other', message: 'm', role: 'user', name: null, number: 1, agent: 'codex' },
      ...{ at: 0, title: 'Another session', excerpt: excerpt('which <b>', '</b>') },
    },
  ],
  more: false,
};

view(
  'one row a turn of every branch, newest first, each branch in its lane',
  { name },
  async (page) => {
    await page.send(sampleHistory());
    const numbers = await page.page.locator('.turn .number').allTextContents();
    assert.deepEqual(numbers, ['5', '5', '3', '4', '2', '3', '2', '1']);
    assert.deepEqual(await page.page.locator('.turn .chip').allTextContents(), [
      'retry-c3d4, from turn 4',
      'retry-a1b2, from turn 1',
      'main, from the beginning',
    ]);
    assert.equal(await page.page.locator('.turn.current').getAttribute('data-index'), '4');
    assert.equal(await page.page.locator('.turn .ring').count(), 1);
    const points = await each(page, '.point', 'e.getAttribute("cx")');
    assert.deepEqual(points, ['12', '40', '26', '12', '26', '12', '12', '12']);
    const label = await page.turn(5).locator('.summary').getAttribute('aria-label');
    assert.match(
      label ?? '',
      /^Turn 4: Add sign-in .+, next prompt goes on from here, main, .+ ago, Claude Code, 13 tool calls/,
    );
  },
);

view('the turn that is read: prompt, folded tools, reply', { name }, async (page) => {
  await page.send(sampleHistory());
  const roles = await each(page, '.message', 'e.dataset.role');
  assert.deepEqual(roles, ['user', 'tool', 'tool', 'assistant']);
  const result = page.page.getByText('12 passed, 1 failed');
  assert.equal(await result.isVisible(), false);
  await page.page.locator('summary').first().click();
  assert.equal(await result.isVisible(), true);
  assert.equal(
    await page.page.locator('.said').textContent(),
    'First the tests, to see where we are.',
  );
  // Another turn begins folded again.
  const rows = historyRowsOf([{ prompt: 'a' }, { prompt: 'b' }]);
  await page.send(historyState(rows, { version: 2, open: openOf(rows[0]!) }));
  await page.send(sampleHistory({ version: 3 }));
  assert.equal(await result.isVisible(), false);
});

view('what a tool was given: keys and values, without escapes', { name }, async (page) => {
  await page.send(sampleHistory());
  assert.deepEqual(await page.page.locator('.toolInput').allTextContents(), [
    'npm test',
    'src/auth/routes.ts',
  ]);
  const edit = page.page.locator('.message[data-message="t2"]');
  await edit.locator('summary').click();
  assert.deepEqual(await edit.locator('dt').allTextContents(), [
    'replace_all',
    'file_path',
    'new_string',
    'old_string',
  ]);
  assert.deepEqual(await edit.locator('dd').allTextContents(), [
    'false',
    'src/auth/routes.ts',
    'route("/sign-in");\nroute("/sign-out");',
    '""',
  ]);
  assert.equal(await edit.locator('dd pre').count(), 1);
});

view('what agents write becomes no element but ours', { name }, async (page) => {
  const hostile = [
    '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>',
    '[run](command:workbench.action.terminal.new) [js](javascript:window.hacked=1) [f](file:///etc/passwd)',
    '[data](data:text/html,<script>1</script>) <javascript:alert(1)>',
    '![p](https://example.com/p.png)',
    '[web](https://example.com/a?b=c "title") and https://example.com/d',
    '[by name][x] [none]',
    '',
    '[x]: https://example.com/x',
    '',
    '<iframe src="https://example.com"></iframe>',
  ].join('\n');
  const rows = historyRowsOf([{ prompt: '<b>bold</b>' }]);
  const messages = [
    message('p', { role: 'user', content: hostile }),
    message('t', {
      name: '<i>',
      input: [
        { key: '', text: hostile },
        { key: '<i>', text: '<b>x</b>' },
      ],
      content: hostile,
      said: hostile,
    }),
    message('r', { role: 'assistant', content: hostile }),
  ];
  await page.send(historyState(rows, { open: openOf(rows[0]!, { messages }) }));
  await page.settle();
  assert.equal(await page.page.evaluate('window.hacked'), undefined);
  const strange = await page.page.locator('.reading :is(img, script, iframe, b, i)').count();
  assert.equal(strange, 0);
  const links = await each(page, '.message[data-role="assistant"] a', 'e.getAttribute("href")');
  assert.deepEqual(links, [
    'https://example.com/a?b=c',
    'https://example.com/d',
    'https://example.com/x',
  ]);
  const shown =
    (await page.page.locator('.message[data-role="assistant"] .markdown').textContent()) ?? '';
  assert.match(shown, /<img src=x onerror=/);
  assert.match(shown, /\[none\]/);
  assert.match(shown, /\[image: p\]/);
});

view('Markdown as it is meant', { name }, async (page) => {
  await page.send(sampleHistory());
  const reply = page.page.locator('.message[data-role="assistant"] .markdown');
  assert.equal(await reply.locator('ol > li').count(), 3);
  assert.equal(await reply.locator('ol ul li').textContent(), 'with a text part');
  assert.equal(await reply.locator('pre code').textContent(), 'export const minutes = 15;');
  assert.equal(await reply.locator('pre').getAttribute('data-language'), 'ts');
  assert.equal(await reply.locator('td code').textContent(), 'routes.ts');
  assert.equal(await reply.locator('[role="heading"]').textContent(), 'What is left');
  assert.equal(await reply.locator('blockquote').textContent(), 'It lives fifteen minutes.');
  assert.deepEqual(await reply.locator('.box').allTextContents(), ['☑', '☐']);
  assert.equal(await reply.locator('.place').getAttribute('title'), 'src/auth/token.ts:12');
});

for (const [what, text] of Object.entries({
  quotes: '>'.repeat(20_000),
  brackets: '['.repeat(20_000),
  stars: '*a '.repeat(5_000),
  lists: Array.from({ length: 200 }, (_, i) => `${' '.repeat(i * 2)}- a`).join('\n'),
  emphasis: `${'*'.repeat(400)}a${'*'.repeat(400)}`,
  lone: '\ud800 \udfff',
}))
  view(`${what} without end are shown too`, { name }, async (page) => {
    const rows = historyRowsOf([{ prompt: 'a' }]);
    const messages = [message('r', { role: 'assistant', content: text })];
    await page.send(historyState(rows, { open: openOf(rows[0]!, { messages }) }));
    await page.settle();
    const shown = (await page.page.locator('.message .markdown').textContent()) ?? '';
    assert.ok(shown.length > 2, `${shown.length}`);
  });

view('every button asks for its act', { name }, async (page) => {
  const rows = historyRowsOf([{ prompt: 'a', changes: { files: 2 } }, { prompt: 'b' }]);
  const position = { index: 1, count: 2, isLatest: false };
  const open = openOf(rows[0]!, {
    next: [
      { id: 'turn-2', branch: 'main' },
      { id: 'x', branch: 'retry-x' },
    ],
  });
  await page.send(historyState(rows, { position, cursor: 1, open }));
  await page.takePosted();
  for (const button of [
    'Let the next prompt go on one turn earlier',
    'Let the next prompt go on one turn later',
    'Return to latest',
    'Open as Text',
    'Open Mirror in Terminal',
    'Show Changes',
    'Let Next Prompt Go On From Here',
    'retry-x',
  ])
    await page.page.getByRole('button', { name: button, exact: true }).click();
  await page.page.locator('.message[data-role="user"] .read').click();
  await page.summary(2).click();
  assert.deepEqual(await page.posted(), [
    { type: 'step', step: 'prev' },
    { type: 'step', step: 'next' },
    { type: 'step', step: 'latest' },
    { type: 'readAll' },
    { type: 'openMirror' },
    { type: 'showChanges', turn: 'turn-1' },
    { type: 'goTo', turn: 'turn-1' },
    { type: 'openTurn', turn: 'x' },
    { type: 'readMessage', turn: 'turn-1', message: 'p' },
    { type: 'openTurn', turn: 'turn-2' },
  ]);
});

view('another branch is chosen', { name }, async (page) => {
  await page.send(sampleHistory());
  await page.takePosted();
  await page.page.locator('vscode-dropdown').click();
  await page.page.locator('vscode-option', { hasText: 'retry-a1b2' }).click();
  assert.deepEqual(await page.posted(), [{ type: 'switchBranch', branch: 'retry-a1b2' }]);
});

view(
  'arrows go through the turns and read them; brackets move where one looks',
  { name },
  async (page) => {
    await page.send(sampleHistory());
    await page.takePosted();
    await page.page.keyboard.press('[');
    await page.page.keyboard.press(']');
    await page.turn(5).locator('.summary').focus();
    await page.page.keyboard.press('ArrowDown');
    assert.match(await page.focusedName(), /^Turn 2: Use a JSON file/);
    await page.page.keyboard.press('End');
    assert.match(await page.focusedName(), /^Turn 1: Look around/);
    await page.page.keyboard.press('ArrowUp');
    await page.page.keyboard.press('ArrowRight');
    assert.equal(await page.page.evaluate('document.activeElement.className'), 'reading');
    assert.deepEqual(await page.posted(), [
      { type: 'step', step: 'prev' },
      { type: 'step', step: 'next' },
      { type: 'openTurn', turn: 'turn-4' },
      { type: 'openTurn', turn: 'turn-1' },
      { type: 'openTurn', turn: 'turn-2' },
    ]);
  },
);

view('the ends disable their button', { name }, async (page) => {
  const rows = historyRowsOf([{ prompt: 'a' }]);
  const disabled = async (): Promise<readonly boolean[]> => {
    await page.settle();
    const button = (label: string) => page.page.getByRole('button', { name: label }).isDisabled();
    return [
      await button('Let the next prompt go on one turn earlier'),
      await button('Let the next prompt go on one turn later'),
    ];
  };
  await page.send(historyState(rows));
  assert.deepEqual(await disabled(), [false, true], 'before the first turn one can look, too');
  const position = { index: 0, count: 1, isLatest: false };
  await page.send(historyState(rows, { version: 2, position, cursor: -1 }));
  assert.deepEqual(await disabled(), [true, false]);
});

view('a search is typed, walked through and ended with the keyboard', { name }, async (page) => {
  await page.send(sampleHistory());
  await page.takePosted();
  await page.page.keyboard.press('/');
  await page.page.keyboard.type('token');
  await page.page.keyboard.press('Enter');
  await page.waitForIntent('search');
  assert.deepEqual(await page.takePosted(), [{ type: 'search', text: 'token', everywhere: false }]);
  await page.page.getByLabel('All sessions').check();
  assert.deepEqual(await page.takePosted(), [{ type: 'search', text: 'token', everywhere: true }]);
  await page.send(sampleHistory({ version: 2, search }));
  assert.equal(await page.page.locator('.found').textContent(), '2 messages found');
  assert.deepEqual(await page.page.locator('.hit .excerpt').allTextContents(), [
    'a token that lives 15 minutes',
    'which <b>token</b>',
  ]);
  assert.deepEqual(await page.page.locator('.hit mark').allTextContents(), ['token', 'token']);
  assert.equal(await page.page.locator('.turn:visible').count(), 0);
  await page.page.locator('.searchText').focus();
  await page.page.keyboard.press('ArrowDown');
  await page.page.keyboard.press('ArrowDown');
  await page.page.keyboard.press('Enter');
  assert.deepEqual(await page.takePosted(), [{ type: 'openHit', turn: 'other', message: 'm' }]);
  await page.page.keyboard.press('ArrowUp');
  await page.page.keyboard.press('Escape');
  assert.deepEqual(await page.takePosted(), [{ type: 'search', text: '', everywhere: true }]);
  assert.equal(await page.page.locator('.turn:visible').count(), 8);
  assert.match(await page.focusedName(), /^Turn 4: /);
});

view('what a search led to is open and on screen', { name, height: 300 }, async (page) => {
  const rows = historyRowsOf([{ prompt: 'a' }]);
  const messages = Array.from({ length: 60 }, (_, i) =>
    message(`t${i}`, { name: `Tool ${i}`, content: `result ${i}` }),
  );
  await page.send(
    historyState(rows, { open: openOf(rows[0]!, { messages, message: 't50' }), search }),
  );
  await page.settle();
  const found = page.page.getByText('result 50');
  assert.equal(await found.isVisible(), true);
  const box = await found.boundingBox();
  assert.ok(box !== null && box.y > 0 && box.y < 300, `${box?.y}`);
});

view(
  'of ten thousand turns only those around the screen are in the page',
  { name },
  async (page) => {
    await page.send(historyWindow(total, total - 1));
    const count = await page.page.locator('.turn').count();
    assert.ok(count < 60, `${count} rows`);
    const height = await page.read<number>('.turns', 'e.scrollHeight');
    assert.ok(Math.abs(height - total * 44) < 100, `${height} pixels`);
    await page.takePosted();
    await page.page.evaluate(`document.querySelector('.scroller').scrollTop = ${5_000 * 44}`);
    await page.waitForIntent('showWindow');
    const asked = (await page.takePosted())[0];
    assert.ok(
      asked?.type === 'showWindow' && Math.abs(asked.index - 4_990) < 30,
      JSON.stringify(asked),
    );
    await page.send(historyWindow(total, asked.index, { version: 2 }));
    const middle = page.turn(asked.index).locator('.prompt');
    assert.equal(await middle.textContent(), `Prompt ${asked.index}`);
  },
);

view('looking back and failures of the mirror are told', { name }, async (page) => {
  await page.send(
    sampleHistory({ mirror: 'The mirror lacks 2 turns: git is missing', error: 'Gone.' }),
  );
  const notices = await page.page.locator('.notice > span').allTextContents();
  assert.match(notices[0] ?? '', /^The next prompt counts as going on from turn 4/);
  assert.deepEqual(notices.slice(1), ['The mirror lacks 2 turns: git is missing', 'Gone.']);
  await page.send(sampleHistory({ version: 2, position: { index: 5, count: 5, isLatest: true } }));
  assert.equal(await page.page.locator('.notice').count(), 0);
});

for (const theme of Object.keys(themes) as ThemeName[])
  view(
    `${theme}: text has a contrast of 4.5 to 1`,
    { name, theme, width: 1200, height: 1200 },
    async (page) => {
      await inEditor(page, theme);
      await page.send(sampleHistory({ mirror: 'The mirror lacks 2 turns', error: 'Gone.' }));
      await page.page.locator('summary').first().click();
      assert.deepEqual(await page.page.evaluate('lowContrast(4.5)'), []);
      await page.send(sampleHistory({ version: 2, search, open: null }));
      assert.deepEqual(await page.page.evaluate('lowContrast(4.5)'), []);
    },
  );

for (const theme of Object.keys(themes) as ThemeName[])
  view(`${theme}: code and controls have colours of the page`, { name, theme }, async (page) => {
    await inEditor(page, theme);
    await page.send(sampleHistory());
    await page.page.locator('summary').first().click();
    const boxes = `[getComputedStyle(e).backgroundColor, getComputedStyle(e).padding].join()`;
    const inBlocks = await each(page, 'pre code, summary code', boxes);
    assert.deepEqual(new Set(inBlocks), new Set(['rgba(0, 0, 0, 0),0px']));
    const colourOf = (element: string) => each(page, 'code', `getComputedStyle(${element}).color`);
    assert.deepEqual(await colourOf('e'), await colourOf('e.parentElement'));
    const inline = '.markdown td code';
    assert.equal(await page.style(inline, 'color'), await page.style('td', 'color'));
    assert.equal(
      await page.style(inline, 'background-color'),
      await page.style('pre', 'background-color'),
    );
    assert.equal(await page.style('blockquote', 'background-color'), 'rgba(0, 0, 0, 0)');
    const box = await page.style('.everywhere', 'background-color');
    const { kind } = themes[theme];
    const isDark = kind === 'vscode-dark' || kind === 'vscode-high-contrast';
    assert.equal(brightness(box) < 128, isDark, box);
    assert.equal(await page.style('.everywhere', 'appearance'), 'none');
    assert.equal(await page.style('.searchText', 'color-scheme'), isDark ? 'dark' : 'light');
  });

for (const width of [260, 500, 1200])
  view(`${width} pixels wide: nothing overflows`, { name, width }, async (page) => {
    await page.send(sampleHistory());
    const wide = await page.page.evaluate(
      `[...document.querySelectorAll('header *, .summary, .message, .notice')]
        .filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 0.5)
        .map((e) => e.outerHTML.slice(0, 120))`,
    );
    assert.deepEqual(wide, []);
  });

test('the page’s script is below 250,000 bytes', () => {
  const { size } = fs.statSync(path.join(projectFolder, 'dist/history.js'));
  assert.ok(size < 250_000, `${size}`);
});

/** @param expression about each element, called `e` in it */
function each(page: ViewPage, selector: string, expression: string): Promise<readonly unknown[]> {
  return page.page.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].map((e) => ${expression})`,
  );
}

/** Of a computed colour without transparency, 0 to 255. */
function brightness(colour: string): number {
  const parts = (colour.match(/\d+/g) ?? []).slice(0, 3).map(Number);
  return parts.reduce((sum, part) => sum + part, 0) / 3;
}

/** What the workbench paints behind an editor. */
async function inEditor(page: ViewPage, theme: ThemeName): Promise<void> {
  const background = themes[theme].properties['editor-background'] ?? '';
  await page.page.evaluate(`document.documentElement.style.backgroundColor = '${background}'`);
}
