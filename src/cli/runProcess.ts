/** Runs the CLI in a real process: makes the host from it, keeps its warnings and its output in order. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { type LauncherOptions, launcherFile, writeLauncher } from '../app/launcher.ts';
import { messageOf, systemCode, UserError } from '../core/errors.ts';
import type { CliHost } from './cliHost.ts';
import { loadBeside } from './loadBeside.ts';
import { runCli } from './runCli.ts';

/** @param environment read for `MEMCODE_TIMELINE_HOME`, `NO_COLOR` and `TERM`; what is run gets it whole. */
export async function runProcess(
  process: NodeJS.Process,
  environment: NodeJS.ProcessEnv,
  runHook: CliHost['runHook'],
): Promise<void> {
  silenceSqliteWarning(process);
  watchOutput(process);
  const status = await runCli(process.argv.slice(2), hostOf(process, environment, runHook));
  process.exitCode = status || process.exitCode || 0;
}

function hostOf(
  process: NodeJS.Process,
  environment: NodeJS.ProcessEnv,
  runHook: CliHost['runHook'],
): CliHost {
  const { stdout, stderr, stdin } = process;
  const home = path.resolve(
    environment['MEMCODE_TIMELINE_HOME'] || path.join(os.homedir(), '.memcode', 'timeline'),
  );
  const dumb = environment['TERM'] === 'dumb' || (environment['NO_COLOR'] ?? '') !== '';
  return {
    stdout,
    stderr,
    stdin,
    columns: stdout.isTTY ? stdout.columns || 80 : 0,
    colour: stdout.isTTY && !dumb,
    interactive: stdin.isTTY && stderr.isTTY,
    cwd: process.cwd(),
    home,
    userHome: os.homedir(),
    environment,
    platform: process.platform,
    launcher: {
      file: launcherFile(home, process.platform),
      write: () => writeLauncher(launcherOptions(process, home)),
    },
    version: manifest.version,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    now: Date.now,
    openApp,
    runHook,
    async runMcp(folder, log) {
      needSqlite();
      const own = path.dirname(fs.realpathSync(process.argv[1] ?? ''));
      // The sources have it in a folder of its own.
      const beside = process.argv[1]?.endsWith('.ts') ? path.join(own, '..', 'mcp') : own;
      const { serveMcp } = await loadBeside<McpProgram>(beside, 'mcp');
      const { version } = manifest;
      const userHome = os.homedir();
      await serveMcp({ home, userHome, folder, environment, version, stdin, stdout, log });
    },
  };
}

/** The launcher is to run what runs now. */
function launcherOptions(process: NodeJS.Process, home: string): LauncherOptions {
  const { versions, execPath, platform } = process;
  const cliBundle = fs.realpathSync(process.argv[1] ?? '');
  const hookFile = cliBundle.endsWith('.ts') ? 'hookMain.ts' : 'hook.cjs';
  const isElectron = versions['electron'] !== undefined;
  return {
    home,
    hookBundle: path.join(path.dirname(cliBundle), hookFile),
    cliBundle,
    node: isElectron ? null : { path: execPath, version: versions.node },
    electron: isElectron ? execPath : null,
    platform,
  };
}

/** The first that has `node:sqlite` without a flag. */
const lowestNode = '22.13';

/** What the CLI knows of the program beside it: hosts do not import each other. */
interface McpProgram {
  serveMcp(call: {
    readonly home: string;
    readonly userHome: string;
    readonly folder: string;
    readonly environment: NodeJS.ProcessEnv;
    readonly version: string;
    readonly stdin: NodeJS.ReadableStream;
    readonly stdout: NodeJS.WritableStream;
    readonly log: (text: string) => void;
  }): Promise<void>;
}

/** @throws UserError `unsupported` */
function needSqlite(): void {
  // Node 20.15 and older do not even have the function.
  const sqlite = process.getBuiltinModule?.('node:sqlite');
  if (sqlite === undefined)
    throw new UserError(
      'unsupported',
      `Memcode Timeline needs Node ${lowestNode} or newer; this is Node ${process.versions.node}.`,
      { node: process.versions.node, needed: lowestNode },
    );
}

const openApp: CliHost['openApp'] = async (options) => {
  needSqlite();
  const { openTimelineApp } = await import('../app/openTimelineApp.ts');
  // One command is not worth a helper of its own; one that runs is the only writer of the snapshots.
  return openTimelineApp({ ...options, helper: { version: manifest.version } });
};

/** Node before 24 says on stderr that SQLite is experimental; every other warning stays. */
function silenceSqliteWarning(process: NodeJS.Process): void {
  const emit = process.emitWarning;
  process.emitWarning = (...args: unknown[]) => {
    const experimental = args[1] === 'ExperimentalWarning' && String(args[0]).includes('SQLite');
    if (!experimental) Reflect.apply(emit, process, args);
  };
}

/**
 * A reader that went away (`| head`) must not stop a rewind half way: what is left to print is dropped. Any other
 * failure to write is told, since what was printed is then not whole.
 */
function watchOutput(process: NodeJS.Process): void {
  const { stdout, stderr } = process;
  stdout.on('error', (error) => {
    if (systemCode(error) === 'EPIPE') return;
    stderr.write(`memcode-timeline: the output could not be written: ${messageOf(error)}\n`);
    process.exitCode ||= 1;
  });
  stderr.on('error', (error) => {
    // There is nowhere left to say it.
    if (systemCode(error) !== 'EPIPE') process.exitCode ||= 1;
  });
}
