/** The browser of the view and workbench tests: where it is, how to get it, how it is started. */
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { mustRun } from './runCommand.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files\\Chromium\\Application\\chrome.exe',
];

/** `CHROMIUM` from the environment, a browser on the PATH, or one in its usual place. */
export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM'];
  if (named !== undefined && named !== '') return named;
  const onPath = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .flatMap((folder) => names.map((name) => path.join(folder, name)));
  return [...onPath, ...names.map((name) => `/usr/bin/${name}`), ...places].find(isExecutable);
}

/** As `findChromium`; root on Debian gets it installed. Throws with an instruction for everybody else. */
export async function ensureChromium(): Promise<string> {
  const found = findChromium();
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    console.log('Installing Chromium for the browser tests (apt-get install chromium) …');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await mustRun('apt-get', ['update', '-q'], { env });
    await mustRun('apt-get', ['install', '-q', '-y', 'chromium'], { env });
    const installed = findChromium();
    if (installed !== undefined) return installed;
  }
  throw new Error(
    'The browser tests need Chromium or Chrome. Install one (Debian and Ubuntu: apt-get install chromium), ' +
      'or name its executable in the environment variable CHROMIUM.',
  );
}

/** Headless, and silent: it must not look for updates or sign-ins on a machine without a network. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: await ensureChromium(),
    args: [
      '--no-sandbox',
      '--no-first-run',
      '--disable-quic',
      '--disable-sync',
      '--disable-background-networking',
      '--disable-component-update',
    ],
  });
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // not there, or not for us: the next place
  }
}
