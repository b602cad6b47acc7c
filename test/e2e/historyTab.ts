/** The tab with a session's history in the workbench: what it shows, and what a person can press in it. */
import type { Frame } from 'playwright-core';
import { until, type Workbench } from '../tools/workbench.ts';

export class HistoryTab {
  readonly #workbench: Workbench;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  /** Waits until the rows are these, from the top: number and prompt. */
  async showsTurns(rows: readonly string[]): Promise<void> {
    const frame = await this.#frame();
    const summaries = frame.locator('.turn .first');
    await until(`the turns ${rows}`, async () => {
      const shown = await summaries.evaluateAll((all) =>
        all.map((row) =>
          ['.number', '.prompt']
            .map((part) => row.querySelector(part)?.textContent ?? '')
            .join(' '),
        ),
      );
      return shown.join('\n') === rows.join('\n') || undefined;
    });
  }

  /** Waits for `Turn 2 / 5`. */
  async showsPosition(position: string): Promise<void> {
    await (await this.#frame()).locator('.position', { hasText: position }).waitFor();
  }

  /** Waits for a text in the turn that is read. */
  async reads(text: string): Promise<void> {
    await (await this.#frame()).locator('.reading', { hasText: text }).waitFor();
  }

  /** What says where branches begin, from the top. */
  async chips(): Promise<readonly string[]> {
    return (await this.#frame()).locator('.turn .chip').allInnerTexts();
  }

  async openTurn(prompt: string): Promise<void> {
    await (await this.#frame()).locator('.turn .summary', { hasText: prompt }).click();
  }

  async press(button: string): Promise<void> {
    await (await this.#frame()).getByRole('button', { name: button, exact: true }).click();
  }

  async chooseBranch(name: string): Promise<void> {
    const frame = await this.#frame();
    await frame.locator('vscode-dropdown').click();
    await frame.locator('vscode-option', { hasText: name }).click();
  }

  /** Types into the search box and waits for what is found. @returns the first lines */
  async search(text: string, count: number): Promise<readonly string[]> {
    const frame = await this.#frame();
    await frame.locator('.searchText').fill(text);
    const hits = frame.locator('.hit .excerpt');
    await until(`${count} messages with ${text}`, async () =>
      (await hits.count()) === count ? true : undefined,
    );
    return hits.allInnerTexts();
  }

  async openHit(text: string): Promise<void> {
    await (await this.#frame()).locator('.hit', { hasText: text }).first().click();
  }

  async endSearch(): Promise<void> {
    await (await this.#frame()).locator('.searchText').press('Escape');
  }

  #frame(): Promise<Frame> {
    return this.#workbench.frameWith('.reading');
  }
}
