/**
 * Takes the pictures of the timeline for the README: `node test/view/screenshots.ts [FOLDER] [FONT]`, after a build.
 * FONT is one that is installed here and looks like what people have; the default is the system's.
 */
import path from 'node:path';
import { launchChromium } from '../tools/chromium.ts';
import { projectFolder } from '../tools/paths.ts';
import { sampleSession } from './sampleState.ts';
import type { ThemeName } from './themes.ts';
import { ViewPage } from './viewPage.ts';
import { startViewServer } from './viewServer.ts';

const [folder = path.join(projectFolder, 'media'), font = 'system-ui'] = process.argv.slice(2);
const pictures: Readonly<Partial<Record<ThemeName, string>>> = {
  dark: 'timeline-dark.png',
  light: 'timeline-light.png',
};

const server = await startViewServer();
const browser = await launchChromium();
try {
  for (const [theme, file] of Object.entries(pictures) as [ThemeName, string][]) {
    const view = await ViewPage.open(browser, server, { theme, width: 380, height: 800, scale: 2 });
    await view.setTheme(theme, '', { 'font-family': font });
    await view.send(sampleSession({ undo: 'Undo “Rewound to before turn 10”' }));
    await view.summary(9).click();
    await view.page.mouse.move(0, 0);
    await view.settle();
    await view.page.screenshot({ path: path.join(folder, file) });
    await view.close();
  }
} finally {
  await browser.close();
  await server.close();
}
