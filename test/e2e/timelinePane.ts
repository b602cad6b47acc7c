/** The Timeline view in the workbench: what it shows, and what a person can press in it. */
import assert from 'node:assert/strict';
import type { Frame, Locator } from 'playwright-core';
import { until, type Workbench } from '../tools/workbench.ts';

export interface ShownTurn {
  readonly number: number;
  readonly prompt: string;
  /** The turn looked at. */
  readonly current: boolean;
  readonly takenBack: boolean;
}

export class TimelinePane {
  readonly #workbench: Workbench;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  /** By its icon in the activity bar. */
  async open(): Promise<void> {
    await this.#workbench.openContainer('Memcode');
    await this.#frame();
  }

  /** Newest first, as they stand. */
  async turns(): Promise<readonly ShownTurn[]> {
    const frame = await this.#frame();
    const rows = await frame.locator('.turn').all();
    return Promise.all(rows.map(shownTurn));
  }

  /** Waits until the numbers of the turns are these, newest first. */
  async showsTurns(numbers: readonly number[]): Promise<void> {
    await until(`the turns ${numbers}`, async () => {
      const shown = (await this.turns()).map(({ number }) => number);
      return shown.join() === numbers.join() || undefined;
    });
  }

  /** Waits until just these turns are marked as taken back. */
  async showsTakenBack(numbers: readonly number[]): Promise<void> {
    await until(`the turns ${numbers} taken back`, async () => {
      const marked = (await this.turns()).filter(({ takenBack }) => takenBack);
      return marked.map(({ number }) => number).join() === numbers.join() || undefined;
    });
  }

  /** Waits for the snapshots between the turns, from the top. */
  async showsSnapshots(labels: readonly string[]): Promise<void> {
    const frame = await this.#frame();
    await until(`the snapshots ${labels}`, async () => {
      const shown = await frame.locator('.snapshot .label').allTextContents();
      return shown.join() === labels.join() || undefined;
    });
  }

  /** Waits until this is the turn looked at, in the list and beside the arrows. */
  async showsCurrent(number: number, total: number): Promise<void> {
    const frame = await this.#frame();
    await frame.locator('.position', { hasText: `Turn ${number} / ${total}` }).waitFor();
    await until(`turn ${number} marked as current`, async () => {
      const current = (await this.turns()).filter((turn) => turn.current);
      return (current.length === 1 && current[0]?.number === number) || undefined;
    });
  }

  async previous(): Promise<void> {
    await (await this.#frame()).locator('[data-act="previous"]').click();
  }

  async next(): Promise<void> {
    await (await this.#frame()).locator('[data-act="next"]').click();
  }

  /** Opens the history of the session in a tab. */
  async showHistory(): Promise<void> {
    await (await this.#frame()).locator('[data-act="showHistory"]').click();
  }

  /** Opens a turn's row, if it is closed, and returns the paths it lists. */
  async expand(number: number): Promise<readonly string[]> {
    const row = await this.#row(number);
    const summary = row.locator('.summary');
    if ((await summary.getAttribute('aria-expanded')) !== 'true') await summary.click();
    await row.locator('.details').waitFor();
    const files = await row.locator('[data-act="openDiff"]').all();
    return Promise.all(files.map(async (file) => (await file.getAttribute('data-path')) ?? ''));
  }

  async openDiff(number: number, path: string): Promise<void> {
    const row = await this.#row(number);
    await row.locator(`[data-act="openDiff"][data-path="${path}"]`).click();
  }

  async openChanges(number: number): Promise<void> {
    await this.#press(number, 'openTurn');
  }

  /** Presses the turn's rewind button; the question then opens. */
  async rewind(number: number): Promise<void> {
    await this.#press(number, 'rewind');
  }

  /** What the turn's rewind button says to screen readers. */
  async rewindLabel(number: number): Promise<string> {
    const button = (await this.#row(number)).locator('.actions [data-act="rewind"]');
    return (await button.getAttribute('aria-label')) ?? '';
  }

  /** Opens the menu of a turn's row. */
  async openMenu(number: number): Promise<void> {
    await (await this.#row(number)).locator('.summary').click({ button: 'right' });
  }

  /** Chooses from the menu of a turn's row. */
  async chooseOfTurn(number: number, item: string): Promise<void> {
    await this.openMenu(number);
    await this.#workbench.chooseFromMenu(item);
  }

  /** Chooses from the menu of a file's row; the turn must be expanded. */
  async chooseOfFile(number: number, path: string, item: string): Promise<void> {
    const row = await this.#row(number);
    await row.locator(`[data-act="openDiff"][data-path="${path}"]`).click({ button: 'right' });
    await this.#workbench.chooseFromMenu(item);
  }

  /** The marks on a turn's row, such as `States removed`. */
  async marks(number: number): Promise<readonly string[]> {
    return (await this.#row(number)).locator('.chip').allInnerTexts();
  }

  /** Waits until keys go to the page. */
  async hasKeyboard(): Promise<void> {
    const frame = await this.#frame();
    await until(
      'the keyboard in the page',
      async () => (await frame.evaluate<boolean>('document.hasFocus()')) || undefined,
    );
  }

  /** Presses the button that undoes the newest rewind. */
  async undo(): Promise<void> {
    await (await this.#frame()).locator('[data-act="undo"]').click();
  }

  async #press(number: number, act: string): Promise<void> {
    const row = await this.#row(number);
    await row.hover();
    await row.locator(`.actions [data-act="${act}"]`).click();
  }

  async #row(number: number): Promise<Locator> {
    const frame = await this.#frame();
    const row = frame.locator('.turn', {
      has: frame.locator('.number', { hasText: new RegExp(`^${number}$`) }),
    });
    await row.first().waitFor();
    assert.equal(await row.count(), 1, `one row of turn ${number}`);
    return row;
  }

  #frame(): Promise<Frame> {
    return this.#workbench.frameWith('.turn .marker');
  }
}

async function shownTurn(row: Locator): Promise<ShownTurn> {
  const text = async (selector: string): Promise<string> =>
    ((await row.locator(selector).textContent()) ?? '').trim();
  const [number, prompt, step, classes] = await Promise.all([
    text('.number'),
    text('.prompt'),
    row.locator('.summary').getAttribute('aria-current'),
    row.getAttribute('class'),
  ]);
  return {
    number: Number(number),
    prompt,
    current: step === 'step',
    takenBack: / rewound /.test(` ${classes} `),
  };
}
