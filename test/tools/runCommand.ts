/** Runs programs the tools need: build steps, npm, the system's package manager. */
import { spawn } from 'node:child_process';

export interface CommandResult {
  /** Exit status; 1 as well when a signal ended it or it could not be started. */
  readonly status: number;
  /** Standard output and standard error as they came. */
  readonly output: string;
}

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Collects what the program prints; never throws. */
export function runCommand(
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
      // npm and npx are batch files there.
      shell: process.platform === 'win32' && !/\.exe$/i.test(program),
    });
    let output = '';
    const collect = (chunk: string): void => {
      output += chunk;
    };
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', collect);
    child.on('error', (error) => resolve({ status: 1, output: `${output}${error.message}\n` }));
    child.on('close', (status) => resolve({ status: status ?? 1, output }));
  });
}

/** As `runCommand`, but a failure is an error that carries the end of what was printed. */
export async function mustRun(
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  const { status, output } = await runCommand(program, args, options);
  if (status === 0) return output;
  throw new Error(`${[program, ...args].join(' ')} ended with ${status}:\n${output.slice(-4000)}`);
}
