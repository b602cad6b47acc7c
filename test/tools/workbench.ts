/** The whole VS Code workbench in a headless browser, driven as a person would: palette, dialogs, views, notifications. */
import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Frame, Locator, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { artifactsFolder } from './paths.ts';
import { type ServerOptions, startServer, type VscodeServer } from './vscodeServer.ts';

export interface WorkbenchOptions extends ServerOptions {
  /** Absolute path of the workspace folder or `.code-workspace` file; none: an empty window. */
  readonly workspace?: string;
  /** Of the window, in CSS pixels. */
  readonly size?: { readonly width: number; readonly height: number };
}

export interface DialogText {
  readonly message: string;
  readonly detail: string;
  /** As they stand, from left to right. */
  readonly buttons: readonly string[];
}

/** How long anything may take before a test gives up on it; milliseconds. */
const patience = 30_000;

/** For what is tried again when it did not come; milliseconds. */
const moment = 2_000;

export class Workbench {
  readonly page: Page;
  readonly server: VscodeServer;
  /** What the page and the extension host wrote to the console; for failure reports. */
  readonly console: readonly string[];
  readonly #browser: Browser;

  constructor(server: VscodeServer, browser: Browser, page: Page, console: readonly string[]) {
    this.server = server;
    this.page = page;
    this.console = console;
    this.#browser = browser;
  }

  /** Runs a command by its full title in the palette, such as `Memcode: Next Turn`, once it is offered. */
  async runCommand(title: string): Promise<void> {
    const input = this.#quickInput().locator('input.input');
    const row = this.#pickRows().filter({ hasText: title }).first();
    await until(`the command ${title}`, async () => {
      await this.page.keyboard.press('F1');
      await input.waitFor();
      await input.fill(`>${title.replace(/…$/, '')}`); // the palette finds nothing for an ellipsis
      await this.#pickRows().first().waitFor();
      if (await row.isVisible()) return true;
      await this.page.keyboard.press('Escape');
      return undefined;
    });
    await row.click();
  }

  /** Answers the input box of that title. */
  async answerInput(title: string, text: string): Promise<void> {
    await this.#untilTitle(title);
    const input = this.#quickInput().locator('input.input');
    await input.fill(text);
    await input.press('Enter');
  }

  /** Types into the quick pick of that title, which looks things up meanwhile. */
  async typeInto(title: string, text: string): Promise<void> {
    await this.#untilTitle(title);
    await this.#quickInput().locator('input.input').fill(text);
  }

  /** The labels a quick pick shows. @param title as for `pick` */
  async picks(title?: string): Promise<readonly string[]> {
    await this.#untilTitle(title);
    await this.#pickRows().first().waitFor();
    return this.#pickRows().locator('.label-name').allInnerTexts();
  }

  /**
   * Chooses the first row of the open quick pick that contains the text.
   * @param title of the quick pick, to be waited for where one follows another
   */
  async pick(text: string, title?: string): Promise<void> {
    await this.#untilTitle(title);
    // Where the pointer still rests from before, a hover may come up and lie over the row.
    await this.page.mouse.move(0, 0);
    await this.#pickRows().filter({ hasText: text }).first().click();
  }

  /** Presses a button at the end of the first row of the open quick pick that contains the text. */
  async pickButton(text: string, button: string): Promise<void> {
    const row = this.#pickRows().filter({ hasText: text }).first();
    await row.hover();
    await row.locator(`.action-label[aria-label="${button}"]`).click();
  }

  /** The items of the open context menu. */
  async menuItems(): Promise<readonly string[]> {
    const labels = this.#menu().locator('.action-label:not(.separator)');
    await labels.first().waitFor();
    return labels.allInnerTexts();
  }

  /**
   * Chooses an item of the open context menu; with the keyboard, as a menu that has just opened ignores clicks, and again
   * where it ignored that too. Done when the menu is gone.
   */
  async chooseFromMenu(item: string): Promise<void> {
    const named = this.page.getByRole('menuitem', { name: item, exact: true });
    const entry = this.#menu().locator(named);
    await entry.waitFor();
    const focused = this.#menu().locator('.action-item.focused', { has: named });
    await until(`the menu item ${item} chosen`, async () => {
      if ((await entry.count()) === 0) return true;
      await entry.hover({ timeout: moment }).catch(hasGone);
      if (!(await appears(focused))) return undefined;
      await this.page.keyboard.press('Enter');
      return entry
        .waitFor({ state: 'detached', timeout: moment })
        .then(() => true)
        .catch(hasGone);
    });
  }

  /** Presses a link in what the status bar's item shows when the pointer rests on it; again where the items moved meanwhile. */
  async pressInStatusHover(text: string, link: string): Promise<void> {
    const target = this.page.locator('.monaco-hover a', { hasText: link });
    await until(`${link} at ${text} in the status bar`, async () => {
      await this.page.mouse.move(0, 0);
      await this.statusItem(text).hover();
      if (!(await appears(target))) return undefined;
      return target
        .click({ timeout: moment })
        .then(() => true)
        .catch(hasGone);
    });
  }

  /** Opens a file through the Explorer, in an editor that has the focus. @param file relative, `/`-separated */
  async openFile(file: string): Promise<void> {
    await this.openContainer('Explorer');
    const names = file.split('/');
    for (const [depth, name] of names.entries()) {
      const row = this.page.locator('.explorer-folders-view .monaco-list-row', {
        has: this.page.getByText(name, { exact: true }),
      });
      if (depth === names.length - 1) await row.dblclick();
      else if ((await row.getAttribute('aria-expanded')) !== 'true') await row.click();
    }
    await this.page.locator(`.tab.active[data-resource-name="${names.at(-1)}"]`).waitFor();
    await this.page.locator('.editor-group-container.active .view-lines').click();
  }

  /** Opens a view container by the name its icon in the activity bar begins with. */
  async openContainer(name: string): Promise<void> {
    const item = this.page.locator('.activitybar .action-item', {
      has: this.page.locator(`.action-label[aria-label^="${name}"]`),
    });
    await item.waitFor();
    if (await item.evaluate((element) => element.classList.contains('checked'))) return;
    await item.click();
  }

  /** The webview's own frame: the one that holds an element for the selector, once there is one. */
  async frameWith(selector: string): Promise<Frame> {
    return until(`a frame with ${selector}`, async () => {
      for (const frame of this.page.frames()) {
        // A frame can go away while it is looked at; then it is not the one.
        const found = await frame.$(selector).catch(() => null);
        if (found !== null) return frame;
      }
      return undefined;
    });
  }

  /** The messages that are showing, newest first. */
  async notifications(): Promise<readonly string[]> {
    return this.#toasts().locator('.notification-list-item-message').allInnerTexts();
  }

  /** Waits for a message that contains the text; returns the whole message. */
  async notification(text: string): Promise<string> {
    const message = this.#toasts()
      .locator('.notification-list-item-message', { hasText: exactly(text) })
      .first();
    return (await message.textContent()) ?? '';
  }

  /** The same where it may have been shown nowhere but in the list behind the bell: VS Code shows only two within 0.8 s. */
  async listedNotification(text: string): Promise<void> {
    await this.runCommand('Notifications: Show Notifications');
    const listed = this.page.locator('.notifications-center .notification-list-item-message');
    await listed
      .filter({ hasText: exactly(text) })
      .first()
      .waitFor();
  }

  /** Presses a button of the message that contains the text. */
  async answerNotification(text: string, button: string): Promise<void> {
    const toast = this.#toasts()
      .filter({ hasText: exactly(text) })
      .first();
    await toast.hover();
    await toast.getByRole('button', { name: button, exact: true }).click();
  }

  /** The open modal dialog, once there is one. */
  async dialog(): Promise<DialogText> {
    const box = this.page.locator('.monaco-dialog-box');
    await box.waitFor();
    const texts = async (selector: string): Promise<readonly string[]> =>
      (await box.locator(selector).allInnerTexts()).filter((text) => text !== '');
    return {
      message: (await texts('.dialog-message-text')).join('\n'),
      detail: (await texts('.dialog-message-detail')).join('\n'),
      buttons: await texts('.dialog-buttons .monaco-button'),
    };
  }

  /** Presses a button of the open dialog and waits until the dialog is gone; another may have taken its place. */
  async answerDialog(button: string): Promise<void> {
    const box = this.page.locator('.monaco-dialog-box');
    const { message } = await this.dialog();
    await box.getByRole('button', { name: button, exact: true }).click();
    await box.filter({ hasText: message }).waitFor({ state: 'detached' });
  }

  /** The names on the open editor tabs of the active group. */
  async editorTabs(): Promise<readonly string[]> {
    const labels = this.page.locator('.editor-group-container.active .tab .tab-label');
    const texts = await labels.locator('.monaco-icon-label-container').allInnerTexts();
    return texts.map((text) => text.replaceAll('\u00a0', ' '));
  }

  /** Waits until no editor is open. */
  async showsNoEditors(): Promise<void> {
    await until('no open editor', async () => (await this.editorTabs()).length === 0 || undefined);
  }

  /** Presses a button above the active editor. */
  async pressInEditorTitle(button: string): Promise<void> {
    const actions = this.page.locator('.editor-group-container.active .editor-actions');
    await actions.locator(`.action-label[aria-label^="${button}"]`).click();
  }

  /** Chooses from the menu above the active editor, behind its `…`. */
  async chooseFromEditorTitle(item: string): Promise<void> {
    const actions = this.page.locator('.editor-group-container.active .editor-actions');
    await actions.locator('.codicon-toolbar-more').click();
    await this.chooseFromMenu(item);
  }

  /** An item of the status bar by what its accessible name or text contains. */
  statusItem(text: string): Locator {
    return this.page.locator('.statusbar-item', { hasText: text }).first();
  }

  /** Loads the window anew, its state saved. */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent('load');
    await this.runCommand('Developer: Reload Window');
    await loaded;
    await untilWorkbench(this.page);
  }

  /** Keeps a picture; returns its path. */
  async screenshot(name: string): Promise<string> {
    const file = path.join(artifactsFolder, 'screenshots', `${name}.png`);
    await fs.mkdir(path.dirname(file), { recursive: true });
    await this.page.screenshot({ path: file });
    return file;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.server.stop();
  }

  async #untilTitle(title: string | undefined): Promise<void> {
    if (title === undefined) return;
    await this.#quickInput().locator('.quick-input-title', { hasText: title }).waitFor();
  }

  #quickInput(): Locator {
    return this.page.locator('.quick-input-widget:visible');
  }

  #pickRows(): Locator {
    return this.#quickInput().locator('.monaco-list-row');
  }

  #menu(): Locator {
    return this.page.locator('.monaco-menu-container');
  }

  #toasts(): Locator {
    return this.page.locator('.notifications-toasts .notification-toast');
  }
}

/** Starts a server and shows the workbench. The caller closes it. */
export async function openWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  const server = await startServer(options);
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: options.size ?? { width: 1280, height: 800 } });
    page.setDefaultTimeout(patience);
    const console = collectConsole(page);
    await page.route(
      (url) => url.protocol.startsWith('http') && !url.href.startsWith(server.origin),
      (route) => route.abort(),
    );
    const { workspace } = options;
    await page.goto(server.url(workspace === undefined ? {} : { workspace }));
    await untilWorkbench(page);
    return new Workbench(server, browser, page, console);
  } catch (error) {
    await browser.close();
    await server.stop();
    throw error;
  }
}

/**
 * As `openWorkbench`, for a test: closed when `use` is done. If that fails a picture and the logs are kept, under the
 * test's name.
 */
export async function withWorkbench(
  test: string,
  options: WorkbenchOptions,
  use: (workbench: Workbench) => Promise<void>,
): Promise<void> {
  const workbench = await openWorkbench(options);
  try {
    await use(workbench);
  } catch (error) {
    await keepEvidence(workbench, test);
    throw error;
  } finally {
    await workbench.close();
  }
}

/** Asks again until there is an answer; for what has no event to wait for. */
export async function until<Value>(
  what: string,
  ask: () => Promise<Value | undefined> | Value | undefined,
): Promise<Value> {
  const deadline = Date.now() + patience;
  while (Date.now() < deadline) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    await delay(50);
  }
  throw new Error(`Waited ${patience / 1000} s in vain for ${what}.`);
}

/** Words as they are written; given as a text a locator takes capitals for small letters. */
function exactly(text: string): RegExp {
  return new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
}

function appears(locator: Locator): Promise<boolean> {
  return locator
    .first()
    .waitFor({ timeout: moment })
    .then(() => true)
    .catch(() => false);
}

/** For steps that are tried again: it did not take, or what it was for has gone. */
function hasGone(error: unknown): undefined {
  if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error;
  return undefined;
}

async function untilWorkbench(page: Page): Promise<void> {
  await page.locator('.monaco-workbench .activitybar .action-label').first().waitFor();
}

function collectConsole(page: Page): readonly string[] {
  const lines: string[] = [];
  page.on('console', (message) => lines.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => lines.push(`uncaught: ${error.stack ?? error.message}`));
  return lines;
}

async function keepEvidence(workbench: Workbench, test: string): Promise<void> {
  const name = `failed ${test.replaceAll(/[^\w -]+/g, '').slice(0, 80)}`;
  const picture = await workbench.screenshot(name);
  const log = path.join(artifactsFolder, 'logs', name);
  await fs.mkdir(path.dirname(log), { recursive: true });
  await fs.copyFile(workbench.server.logFile, `${log}.server.log`);
  await fs.writeFile(`${log}.console.log`, workbench.console.join('\n'));
  console.error(`Kept ${picture} and ${log}.*.log`);
}
