/** One open timeline page in a browser, with the host's end of the channel in the test's hands. */
import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type { HistoryIntent, ToHistoryView } from '../../src/protocol/historyMessages.ts';
import type { Intent, ToView } from '../../src/protocol/messages.ts';
import type { ProjectIntent, ProjectState } from '../../src/protocol/projectMessages.ts';
import { type ThemeName, themes } from './themes.ts';
import type { PageSettings, ViewServer } from './viewServer.ts';

export interface OpenOptions extends Partial<PageSettings> {
  readonly width?: number;
  readonly height?: number;
  readonly scale?: number;
  readonly reducedMotion?: 'reduce';
  readonly forcedColors?: 'active';
  /** Answers intents; what it returns is sent to the page. */
  readonly host?: (intent: Intent) => ToView | undefined;
}

type AnyIntent = Intent | HistoryIntent | ProjectIntent;

export class ViewPage {
  readonly page: Page;
  /** What the browser wrote to its console, and errors nobody caught. */
  readonly consoleLines: string[] = [];
  readonly #context: BrowserContext;

  private constructor(page: Page, context: BrowserContext) {
    this.page = page;
    this.#context = context;
    page.on('console', (message) => this.consoleLines.push(message.text()));
    page.on('pageerror', (error) => this.consoleLines.push(String(error)));
  }

  /** Opens the page and waits for its `ready`. */
  static async open(
    browser: Browser,
    server: ViewServer,
    options: OpenOptions = {},
  ): Promise<ViewPage> {
    const context = await browser.newContext({
      viewport: { width: options.width ?? 380, height: options.height ?? 760 },
      deviceScaleFactor: options.scale ?? 1,
      reducedMotion: options.reducedMotion ?? null,
      forcedColors: options.forcedColors ?? null,
      timezoneId: 'UTC',
      locale: 'en-US',
    });
    const page = await context.newPage();
    const view = new ViewPage(page, context);
    const { host } = options;
    if (host !== undefined) {
      await page.exposeFunction('hostReceives', async (intent: Intent) => {
        const answer = host(intent);
        if (answer !== undefined) await view.send(answer);
      });
    }
    const { name = 'timeline', theme = 'dark', bodyClasses = '' } = options;
    await page.goto(server.address({ name, theme, bodyClasses }));
    await view.waitForIntent('ready');
    return view;
  }

  /** Sends as the host does; returns when the page has taken it in. */
  async send(message: ToView | ToHistoryView | ProjectState): Promise<void> {
    await this.page.evaluate(`fakeHost.send(${JSON.stringify(message)})`);
  }

  async setTheme(
    theme: ThemeName,
    bodyClasses = '',
    more: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const properties = { ...themes[theme].properties, ...more };
    const changed = JSON.stringify({ ...themes[theme], properties });
    await this.page.evaluate(`fakeHost.setTheme(${changed}, '${bodyClasses}')`);
  }

  async posted(): Promise<readonly Intent[]> {
    return this.page.evaluate<readonly Intent[]>('fakeHost.posted');
  }

  /** Everything posted since the last call of this. */
  async takePosted(): Promise<readonly Intent[]> {
    return this.page.evaluate<readonly Intent[]>('fakeHost.posted.splice(0)');
  }

  async waitForIntent(type: AnyIntent['type']): Promise<void> {
    await this.waitUntil(`fakeHost.posted.some((intent) => intent.type === '${type}')`);
  }

  /** Asks from outside: `waitForFunction` asks again within the page, where the policy forbids it. */
  async waitUntil(expression: string): Promise<void> {
    const deadline = Date.now() + 30_000;
    while (!(await this.page.evaluate<boolean>(`Boolean(${expression})`))) {
      if (Date.now() > deadline) throw new Error(`Waited in vain for ${expression}`);
      await this.settle();
    }
  }

  /** Waits until the page has drawn what it was going to draw. */
  async settle(): Promise<void> {
    await this.page.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
    );
  }

  /** The row of a turn number, its button. */
  summary(number: number): Locator {
    return this.turn(number).locator('.summary');
  }

  turn(number: number): Locator {
    return this.page.locator(`.turn[data-index="${number - 1}"]`);
  }

  /** The accessible name of what has the focus, or its tag. */
  async focusedName(): Promise<string> {
    return this.page.evaluate<string>(
      'document.activeElement.getAttribute("aria-label") ?? document.activeElement.localName',
    );
  }

  /** An expression about the first element of a selector, called `e` in it. */
  async read<Value>(selector: string, expression: string): Promise<Value> {
    const element = `document.querySelector(${JSON.stringify(selector)})`;
    return this.page.evaluate<Value>(`((e) => ${expression})(${element})`);
  }

  /** A computed style of the first element of a selector. */
  async style(selector: string, property: string): Promise<string> {
    return this.read(selector, `getComputedStyle(e).getPropertyValue('${property}')`);
  }

  async scrollTop(): Promise<number> {
    return this.read('.scroller', 'e.scrollTop');
  }

  /** The policy was never violated and nothing was written to the console. */
  async assertSilent(): Promise<void> {
    const violations = await this.page.evaluate<readonly string[]>('fakeHost.violations');
    assert.deepEqual({ violations, console: this.consoleLines }, { violations: [], console: [] });
  }

  async close(): Promise<void> {
    await this.#context.close();
  }
}
