/** Entry of the helper's bundle: `helper.cjs <home> <root>`. Started by whoever needs it first; see `runHelper`. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { runHelper } from '../app/helper/runHelper.ts';
import { helperLogFile, logFile } from '../base/home.ts';
import { appendToLog } from '../base/hookLog.ts';
import { dropParked, parkLocks } from '../base/parkedLocks.ts';
import { dropSpares } from '../base/spareFiles.ts';
import { keepCaptureSpares } from '../checkpoint/captureSpares.ts';
import { isUserError, messageOf } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import { answerHook } from './answerHook.ts';
import { hookSnapshots } from './snapshotsMain.ts';

const tenMinutes = 600_000;

async function main(): Promise<void> {
  const [home = '', root = ''] = process.argv.slice(2);
  const { env } = process;
  // Beside this program: bundles, or the sources when it is run from there.
  const program = fs.realpathSync(process.argv[1] ?? '');
  const folder = path.dirname(program);
  const isSource = program.endsWith('.ts');
  const log = (level: string, text: string) => {
    // A home that was removed meanwhile is not made anew for this.
    if (fs.existsSync(home)) appendToLog(helperLogFile(home), Date.now(), `${level}: ${text}`);
  };
  process.on('uncaughtException', (error) => {
    log('error', error.stack ?? error.message);
    process.exit(1);
  });
  const prepare = () => guarded(() => keepCaptureSpares(root as Root), log);
  parkLocks(process.platform);
  process.on('exit', () => {
    dropParked();
    dropSpares();
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0));
  prepare();
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
      worker: path.join(folder, isSource ? '../snapshot/scanWorker.ts' : 'scanWorker.cjs'),
      onText: ({ agent, event, cwd, sign, payload }, snapshots) => {
        const call = {
          payload,
          environment: sign === '' ? {} : { [sign]: '1' },
          ...(agent !== '' && { agent }),
          ...(event !== '' && { event }),
        };
        return answerHook(call, {
          home,
          userHome: os.homedir(),
          cwd,
          now: Date.now,
          log: (text) => appendToLog(logFile(home), Date.now(), text),
          afterwards: (work) =>
            setImmediate(() => {
              guarded(work, log);
              setImmediate(prepare);
            }),
          program: () => folder,
          snapshots: async (wanted) =>
            wanted === root
              ? snapshots
              : hookSnapshots(folder, {
                  home,
                  root: wanted,
                  now: Date.now,
                  log,
                  environment: env,
                  userHome: os.homedir(),
                }),
        });
      },
    });
  } catch (error) {
    log(isUserError(error) ? 'info' : 'error', messageOf(error));
    process.exitCode = 1;
  }
}

/** Nobody waits for it any more, so that a failure can only be told in the log. */
function guarded(work: () => void, log: (level: 'error', text: string) => void): void {
  try {
    work();
  } catch (error) {
    log('error', `After a hook was answered: ${messageOf(error)}`);
  }
}

void main();
