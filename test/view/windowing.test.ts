import assert from 'node:assert/strict';
import type { Intent, TimelineState } from '../../src/protocol/messages.ts';
import { sampleSession, stateOf, touch, turnRow, windowOf } from './sampleState.ts';
import type { ViewPage } from './viewPage.ts';
import { viewTests } from './viewTest.ts';

const view = viewTests();
const total = 10_000;

view('of ten thousand turns only those around the screen are in the page', {}, async (page) => {
  await page.send(windowOf(total, total - 1));
  assert.ok((await rowCount(page)) < 60, `${await rowCount(page)} rows`);
  assert.equal(await page.summary(total).count(), 1);
  const height = await page.read<number>('.turns', 'e.scrollHeight');
  assert.ok(Math.abs(height - total * 44) < 2000, `${height} pixels`);
  assert.equal(await page.turn(total).getAttribute('aria-setsize'), '10000');
  assert.equal(await page.turn(total - 5).getAttribute('aria-posinset'), '6');
});

view(
  'scrolling towards the edge of the window asks for more, before it is seen',
  {},
  async (page) => {
    await page.send(windowOf(total, total - 1));
    await page.takePosted();
    await scrollTo(page, 50 * 44);
    assert.deepEqual(await asked(page), []);
    await scrollTo(page, 165 * 44);
    assert.equal((await asked(page)).length, 1);
    assert.equal(await page.page.locator('.pending').count(), 0);
  },
);

const longHost = answering(total);

view('a long session can be scrolled from end to end', { host: longHost }, async (page) => {
  await page.send(windowOf(total, total - 1, { version: 1 }));
  for (const number of [9_000, 5_000, 4_990, 1, 7_777]) {
    await scrollTo(page, (total - number) * 44);
    await page.summary(number).and(page.page.locator('[data-act="toggle"]')).waitFor();
    assert.ok((await rowCount(page)) < 60, `${await rowCount(page)} rows at ${number}`);
    assert.equal(await page.turn(number).locator('.prompt').textContent(), `Prompt ${number}`);
  }
});

view(
  'an answer that does not help is not asked for for ever',
  { host: stubbornHost() },
  async (page) => {
    await page.send(windowOf(total, total - 1));
    await scrollTo(page, 5_000 * 44);
    await page.waitForIntent('showWindow');
    for (let frame = 0; frame < 20; frame++) await page.settle();
    assert.equal((await asked(page)).length, 1);
  },
);

view('what is on screen stays put while turns arrive above it', {}, async (page) => {
  const rows = Array.from({ length: 100 }, (_, place) => turnRow(place + 1));
  await page.send(stateOf(rows, { cursor: 100 }));
  await scrollTo(page, 40 * 44 + 10);
  const before = await placeOf(page, 55);
  const more = [...rows, ...[101, 102, 103].map((number) => turnRow(number))];
  await page.send(stateOf(more, { version: 2, cursor: 100 }));
  await page.settle();
  assert.equal(await placeOf(page, 55), before);
  // A row above the screen grows: a mark gives it a third line.
  const marked = more.map((row) => (row.number === 90 ? { ...row, uncapturedShell: true } : row));
  await page.send(stateOf(marked, { version: 3, cursor: 100 }));
  await page.settle();
  assert.equal(await placeOf(page, 55), before);
});

view('at the very top new turns push in', {}, async (page) => {
  const rows = Array.from({ length: 100 }, (_, place) => turnRow(place + 1));
  await page.send(stateOf(rows));
  await page.send(stateOf([...rows, turnRow(101)], { version: 2, cursor: 100 }));
  assert.equal(await page.scrollTop(), 0);
  assert.equal(await page.turn(101).locator('.prompt').isVisible(), true);
});

view(
  'rows of any height line up: expanded ones, marked ones, days',
  { height: 500 },
  async (page) => {
    const rows = Array.from({ length: 200 }, (_, place) =>
      turnRow(place + 1, {
        startedAt: Date.UTC(2026, 0, 1 + Math.floor(place / 7), 9),
        uncapturedShell: place % 5 === 0,
        files: Array.from({ length: place % 9 }, (_, n) => touch(`f${n}.ts`, 'modified', 1, 1)),
      }),
    );
    await page.send(stateOf(rows));
    for (const number of [200, 199, 196, 193]) await page.summary(number).click();
    for (let top = 0; top < 6_000; top += 370) {
      await scrollTo(page, top);
      assert.deepEqual(await overlaps(page), [], `at ${top}`);
    }
  },
);

view('the current turn is brought on screen when it moves', { height: 500 }, async (page) => {
  const rows = Array.from({ length: 100 }, (_, place) => turnRow(place + 1));
  const at = (cursor: number, version: number): TimelineState => stateOf(rows, { cursor, version });
  await page.send(at(40, 1));
  assert.equal(await isOnScreen(page, 40), true);
  for (const [step, cursor] of [39, 30, 31, 100, 1].entries()) {
    await page.send(at(cursor, step + 2));
    await page.settle();
    assert.equal(await isOnScreen(page, cursor), true, `turn ${cursor}`);
  }
});

view('the focused row outlives being scrolled away', {}, async (page) => {
  await page.send(windowOf(total, total - 1));
  await page.summary(total - 3).focus();
  await scrollTo(page, 3_000 * 44);
  assert.match(await page.focusedName(), /^Turn 9997:/);
  assert.deepEqual(await overlaps(page), []);
  await page.page.keyboard.press('ArrowDown');
  assert.match(await page.focusedName(), /^Turn 9996:/);
  assert.equal(await isOnScreen(page, 9_996), true);
});

view('what was expanded and where it was scrolled comes back after a reload', {}, async (page) => {
  const rows = Array.from({ length: 100 }, (_, place) =>
    turnRow(place + 1, { files: [touch('a.ts', 'added', 1, 0)] }),
  );
  await page.send(stateOf(rows, { cursor: 50 }));
  await page.summary(50).click();
  await scrollTo(page, 45 * 44 + 7);
  const [top, place] = [await page.scrollTop(), await placeOf(page, 52)];
  await page.waitUntil(`JSON.parse(sessionStorage.getItem('vscode state'))?.anchor?.index > 0`);
  await page.page.reload();
  await page.waitForIntent('ready');
  await page.send(stateOf(rows, { cursor: 50, version: 1 }));
  await page.settle();
  assert.equal(await page.summary(50).getAttribute('aria-expanded'), 'true');
  assert.equal(await placeOf(page, 52), place);
  assert.ok(Math.abs((await page.scrollTop()) - top) < 100);
});

view('a broken saved state is a fresh start', {}, async (page) => {
  await page.page.evaluate(
    `sessionStorage.setItem('vscode state', '{"session":"session-1","expanded":7,"anchor":{"index":-1}}')`,
  );
  await page.page.reload();
  await page.waitForIntent('ready');
  await page.send(sampleSession());
  assert.equal(await page.page.locator('.turn').count(), 12);
});

view('another session starts afresh at its current turn', { height: 500 }, async (page) => {
  const rows = Array.from({ length: 100 }, (_, place) => turnRow(place + 1));
  await page.send(stateOf(rows));
  await page.summary(100).click();
  await scrollTo(page, 3_000);
  await page.send(stateOf(rows, { version: 2, session: 'session-2', cursor: 100 }));
  await page.settle();
  assert.equal(await page.scrollTop(), 0);
  await page.send(stateOf(rows, { version: 3, session: 'session-3', cursor: 10 }));
  assert.equal(await isOnScreen(page, 10), true);
});

/** A host that sends the window it is asked for. */
function answering(turns: number): (intent: Intent) => TimelineState | undefined {
  let version = 1;
  return (intent) =>
    intent.type === 'showWindow'
      ? windowOf(turns, intent.index, { version: ++version })
      : undefined;
}

/** A host that always sends the newest turns. */
function stubbornHost(): (intent: Intent) => TimelineState | undefined {
  let version = 1;
  return (intent) =>
    intent.type === 'showWindow' ? windowOf(total, total - 1, { version: ++version }) : undefined;
}

async function scrollTo(page: ViewPage, top: number): Promise<void> {
  await page.read('.scroller', `(e.scrollTop = ${top})`);
  await page.settle();
}

async function asked(page: ViewPage): Promise<readonly Intent[]> {
  return (await page.posted()).filter(({ type }) => type === 'showWindow');
}

async function rowCount(page: ViewPage): Promise<number> {
  return page.page.locator('.turn').count();
}

/** Pixels between the top of the screen and a row. */
async function placeOf(page: ViewPage, number: number): Promise<number> {
  const box = await page.turn(number).boundingBox();
  assert.ok(box !== null, `turn ${number} is not in the page`);
  return Math.round(box.y);
}

async function isOnScreen(page: ViewPage, number: number): Promise<boolean> {
  return page.read(
    `.turn[data-index="${number - 1}"]`,
    `(() => {
      const row = e.getBoundingClientRect();
      const screen = document.querySelector('.scroller').getBoundingClientRect();
      return row.top >= screen.top - 1 && row.bottom <= screen.bottom + 1;
    })()`,
  );
}

/** Pairs of rendered rows that do not lie exactly one below the other, and where a gap shows on screen. */
async function overlaps(page: ViewPage): Promise<readonly unknown[]> {
  return page.read(
    '.turns',
    `(() => {
      const found = [];
      const screen = document.querySelector('.scroller').getBoundingClientRect();
      for (const gap of e.querySelectorAll('.gap')) {
        const { top, bottom } = gap.getBoundingClientRect();
        if (bottom > screen.top + 1 && top < screen.bottom - 1) found.push({ gap: top, bottom });
      }
      const rows = [...e.querySelectorAll('.turn')];
      for (const [place, row] of rows.entries()) {
        const next = rows[place + 1];
        if (next === undefined || next.dataset.index != row.dataset.index - 1) continue;
        const gap = next.getBoundingClientRect().top - row.getBoundingClientRect().bottom;
        if (Math.abs(gap) > 0.5) found.push({ row: row.dataset.index, gap });
      }
      return found;
    })()`,
  );
}
