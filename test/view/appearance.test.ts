import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { projectFolder } from '../tools/paths.ts';
import { sampleSession, stateOf, touch, turnRow } from './sampleState.ts';
import { type ThemeName, themes } from './themes.ts';
import type { ViewPage } from './viewPage.ts';
import { viewTests } from './viewTest.ts';

const view = viewTests();
const names = Object.keys(themes) as ThemeName[];

/** Everything at once: expanded, marked, failed, rewound, busy, in error. */
async function showEverything(page: ViewPage): Promise<void> {
  const { rows } = sampleSession();
  const damaged = turnRow(13, {
    damaged: 'manifest.json is cut short',
    prunedAt: 1,
    end: 'stale',
    blocked: 'x',
  });
  await page.send(
    sampleSession({
      rows: [...rows, damaged],
      total: 13,
      undo: 'Undo the rewind',
      busy: 'Rewinding…',
      error: 'The database is locked.',
    }),
  );
  for (const number of [9, 8, 13]) await page.summary(number).click();
  await page.settle();
}

for (const theme of names) {
  view(`${theme}: text has a contrast of 4.5 to 1`, { theme, height: 1600 }, async (page) => {
    await showEverything(page);
    assert.deepEqual(await page.page.evaluate('lowContrast(4.5)'), []);
    await page.summary(5).hover();
    assert.deepEqual(await page.page.evaluate('lowContrast(4.5)'), [], 'with the pointer on a row');
    // Every row in turn as the current one: its background is another.
    const { rows } = sampleSession();
    for (const { number } of rows) {
      await page.send(sampleSession({ version: 1 + number, cursor: number }));
      assert.deepEqual(await page.page.evaluate('lowContrast(4.5)'), [], `turn ${number} current`);
    }
  });

  view(`${theme}: without turns, too`, { theme }, async (page) => {
    await page.send(stateOf([], { sessions: [], session: null, cursor: 0 }));
    await page.settle();
    assert.deepEqual(await page.page.evaluate('lowContrast(4.5)'), []);
  });
}

view('the colours follow the theme while the page is open', {}, async (page) => {
  await showEverything(page);
  const colours = new Set<string>();
  for (const theme of names) {
    await page.setTheme(theme);
    await page.settle();
    await page.settle();
    assert.deepEqual(await page.page.evaluate('lowContrast(4.5)'), [], theme);
    colours.add(await page.style('.errorText', 'color'));
  }
  assert.equal(colours.size, names.length);
});

view('the toolkit’s controls have the corners and colours of VS Code’s own', {}, async (page) => {
  await showEverything(page);
  assert.equal(await page.style('.undo', 'border-radius'), '4px');
  assert.equal(await page.style('.step', 'border-radius'), '4px');
  const control = `getComputedStyle(e.shadowRoot.querySelector('.control'))`;
  assert.equal(await page.read('vscode-dropdown', `${control}.borderRadius`), '4px');
  assert.equal(await page.read('.undo', `${control}.borderColor`), 'rgba(204, 204, 204, 0.15)');
});

view('the policy is in force, and would be noticed', {}, async (page) => {
  await page.page.evaluate(`document.head.append(document.createElement('style'))`);
  await page.page.evaluate(`document.body.setAttribute('style', 'color: red')`);
  const found = await page.page.evaluate<string[]>('fakeHost.violations.splice(0)');
  assert.deepEqual([...new Set(found.map((violation) => violation.split(' ')[0]))].sort(), [
    'style-src-attr',
    'style-src-elem',
  ]);
  assert.ok(page.consoleLines.splice(0).length > 0);
});

view(
  'the current turn has a ring and bold text, a turn taken back is struck through',
  {},
  async (page) => {
    await page.send(sampleSession());
    assert.equal(await page.page.locator('.marker .ring').count(), 1);
    assert.equal(await page.turn(9).locator('.marker .ring').count(), 1);
    assert.equal(await page.style('.current .prompt', 'font-weight'), '600');
    assert.equal(await page.style('.rewound .prompt', 'text-decoration-line'), 'line-through');
    assert.equal(await page.page.getByText('Taken back', { exact: true }).count(), 2);
  },
);

view('the end of a turn has a shape of its own', {}, async (page) => {
  await page.send(sampleSession());
  const shape = (number: number): Promise<string | null> =>
    page.turn(number).locator('.marker').getAttribute('data-shape');
  assert.deepEqual(await Promise.all([9, 12, 6, 3, 10].map(shape)), [
    'dot',
    'busy',
    'bar',
    'cross',
    'dashed',
  ]);
});

view('motion only where it is wanted', {}, async (page) => {
  await page.send(sampleSession({ busy: 'Rewinding…' }));
  assert.equal(await page.style('[data-shape="busy"] .body', 'animation-name'), 'turning');
});

for (const [what, options] of Object.entries({
  'the body class of VS Code': { bodyClasses: 'vscode-reduce-motion' },
  'the system’s setting': { reducedMotion: 'reduce' },
} as const)) {
  view(`no motion with ${what}`, options, async (page) => {
    await page.send(sampleSession({ busy: 'Rewinding…' }));
    assert.equal(await page.style('[data-shape="busy"] .body', 'animation-name'), 'none');
    assert.equal(await page.style('.second > .icon', 'transition-property'), 'none');
    assert.equal(await page.style('.busy .ring', 'display'), 'none');
    const running = await page.page.evaluate('document.getAnimations().length');
    assert.equal(running, 0);
  });
}

view(
  'with a screen reader every action is there to see',
  { bodyClasses: 'vscode-using-screen-reader' },
  async (page) => {
    await page.send(sampleSession());
    assert.equal(await page.style('.turn[data-index="4"] .actions', 'opacity'), '1');
  },
);

view('forced colours keep the marks', { forcedColors: 'active' }, async (page) => {
  await showEverything(page);
  assert.equal(await page.style('.current .row', 'outline-style'), 'solid');
  assert.notEqual(
    await page.style('.marker .body', 'fill'),
    await page.style('body', 'background-color'),
  );
});

for (const theme of ['highContrastDark', 'highContrastLight'] as const) {
  view(`${theme}: the current row has a border`, { theme }, async (page) => {
    await page.send(sampleSession());
    assert.equal(await page.style('.current .row', 'outline-style'), 'solid');
    const border = themes[theme].properties['contrastActiveBorder'];
    assert.equal(await page.style('.current .row', '--vscode-contrastActiveBorder'), border);
  });
}

for (const width of [200, 260, 380, 900]) {
  view(
    `${width} pixels wide: nothing overflows, everything can be reached`,
    { width },
    async (page) => {
      const long =
        'a/very/long/folder/name/that/goes/on/and/on/and/aVeryLongFileNameIndeed.test.ts';
      const { rows } = sampleSession();
      await page.send(
        sampleSession({
          rows: [...rows, turnRow(13, { files: [touch(long, 'modified', 12345, 54321, 'shell')] })],
          total: 13,
          cursor: 13,
          undo: 'Undo “Rewound to before turn 10, keeping three files that had been changed since”',
          busy: 'Comparing a great many files with what the agent left…',
          error: 'The database at /home/someone/.memcode/timeline/timeline.db is locked.',
        }),
      );
      await page.summary(13).click();
      await page.settle();
      const wide = await page.page.evaluate(
        `[...document.querySelectorAll('header *, .summary, .actions, .file, .note, .reply, .facts, .chip')]
        .filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 0.5)
        .map((e) => e.outerHTML.slice(0, 120))`,
      );
      assert.deepEqual(wide, []);
      for (const name of [
        'Look at the previous turn',
        'View full history',
        'Rewind to before turn 13',
      ]) {
        const box = await page.page.getByRole('button', { name, exact: true }).boundingBox();
        assert.ok(
          box !== null && box.width >= 20 && box.x >= 0 && box.x + box.width <= width,
          name,
        );
      }
      const prompt = await page.turn(12).locator('.prompt').boundingBox();
      assert.ok((prompt?.width ?? 0) > 90);
    },
  );
}

test('the page’s script is below 250 KB', () => {
  const { size } = fs.statSync(path.join(projectFolder, 'dist/timeline.js'));
  console.log(`dist/timeline.js: ${Math.round(size / 1024)} KB`);
  assert.ok(size < 250 * 1024);
});
