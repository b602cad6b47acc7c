/** `test` with an open page: one browser and one server a file, a fresh page a test, silence demanded of every one. */
import { after, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../tools/chromium.ts';
import { type OpenOptions, ViewPage } from './viewPage.ts';
import { startViewServer, type ViewServer } from './viewServer.ts';

export type ViewTest = (
  name: string,
  options: OpenOptions,
  body: (view: ViewPage) => Promise<void>,
) => void;

/** Call once, at the top of a test file. */
export function viewTests(): ViewTest {
  let browser: Browser | undefined;
  let server: ViewServer | undefined;

  /** At the first test that runs: where all are filtered out, nothing would be closed afterwards. */
  const start = async (): Promise<{ browser: Browser; server: ViewServer }> => {
    server ??= await startViewServer();
    browser ??= await launchChromium();
    return { browser, server };
  };

  after(async () => {
    await browser?.close();
    await server?.close();
  });

  return (name, options, body) => {
    test(name, async () => {
      const opened = await start();
      const view = await ViewPage.open(opened.browser, opened.server, options);
      try {
        await body(view);
        await view.assertSilent();
      } finally {
        await view.close();
      }
    });
  };
}
