/** Runs the CLI inside the test's process, with streams in memory. */
import { Readable } from 'node:stream';
import type { TimelineApp } from '../../src/app/timelineApp.ts';
import type { CliHost } from '../../src/cli/cliHost.ts';
import { runCli } from '../../src/cli/runCli.ts';

export interface CliResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export type CliSetup = Partial<Omit<CliHost, 'stdin' | 'stdout' | 'stderr'>> & {
  readonly app?: TimelineApp;
  /** What the person types. */
  readonly typed?: string;
};

/** Everything fixed: 100 columns when `columns` says so, UTC, and the clock at 2026-03-05 12:00. */
export const fixedNow = Date.UTC(2026, 2, 5, 12);

export async function cliRun(args: readonly string[], setup: CliSetup = {}): Promise<CliResult> {
  const { app, typed = '', ...given } = setup;
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  const host: CliHost = {
    stdout: { write: (chunk) => stdout.push(Buffer.from(chunk)) },
    stderr: { write: (chunk) => stderr.push(Buffer.from(chunk)) },
    stdin: Readable.from([typed]),
    columns: 0,
    colour: false,
    interactive: false,
    cwd: import.meta.dirname,
    home: '/home/user/.memcode/timeline',
    userHome: '/home/user',
    environment: {},
    platform: 'linux',
    launcher: { file: '/home/user/.memcode/timeline/bin/memcode-timeline', write: () => undefined },
    version: '1.2.3',
    timeZone: 'UTC',
    now: () => fixedNow,
    openApp: async () => {
      if (app === undefined) throw new Error('this test opens no app');
      return app;
    },
    runHook: async () => undefined,
    runMcp: async () => undefined,
    ...given,
  };
  const status = await runCli(args, host);
  return {
    status,
    stdout: Buffer.concat(stdout).toString(),
    stderr: Buffer.concat(stderr).toString(),
  };
}

/** As a golden text shows a run. */
export function transcript(args: readonly string[], result: CliResult): string {
  const words = args.map((arg) => (/^[\w./<>-]+$/.test(arg) ? arg : `'${arg}'`));
  return [
    `$ memcode-timeline ${words.join(' ')}`,
    `${result.stdout}${result.stderr === '' ? '' : `--- stderr\n${result.stderr}`}--- exit ${result.status}`,
    '',
  ].join('\n');
}
