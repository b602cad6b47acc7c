/** Entry of the helper's bundle: `helper.cjs <home> <root>`. Started by whoever needs it first; see `runHelper`. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { runHelper } from '../app/helper/runHelper.ts';
import { helperLogFile } from '../base/home.ts';
import { appendToLog } from '../base/hookLog.ts';
import { isUserError, messageOf } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';

const tenMinutes = 600_000;

async function main(): Promise<void> {
  const [home = '', root = ''] = process.argv.slice(2);
  const { env } = process;
  const log = (level: string, text: string) =>
    appendToLog(helperLogFile(home), Date.now(), `${level}: ${text}`);
  process.on('uncaughtException', (error) => {
    log('error', error.stack ?? error.message);
    process.exit(1);
  });
  try {
    // For tests; nobody else sets it.
    const idle = Number(env['MEMCODE_TIMELINE_HELPER_IDLE']);
    await runHelper({
      home,
      root: root as Root,
      version: manifest.version,
      now: Date.now,
      log,
      environment: env,
      userHome: os.homedir(),
      temporaryFolder: os.tmpdir(),
      platform: process.platform,
      idleAfter: idle > 0 ? idle : tenMinutes,
      worker: workerFile(),
    });
  } catch (error) {
    log(isUserError(error) ? 'info' : 'error', messageOf(error));
    process.exitCode = 1;
  }
}

/** Beside this program: a bundle, or the source when it is run from there. */
function workerFile(): string {
  const program = fs.realpathSync(process.argv[1] ?? '');
  const folder = path.dirname(program);
  return program.endsWith('.ts')
    ? path.join(folder, '..', 'snapshot', 'scanWorker.ts')
    : path.join(folder, 'scanWorker.cjs');
}

void main();
