/**
 * File operations that fail, or kill the process, at a chosen place. Import it before anything that keeps a reference to
 * one of them; preloaded into a child, `FAULT_AT` kills it right before its n-th change of the disk, and `FAULT_COUNT`
 * names a file that gets the number of changes when it ends.
 */
import fs from 'node:fs';

const changing = [
  'writeFileSync',
  'writeSync',
  'renameSync',
  'copyFileSync',
  'mkdirSync',
  'rmSync',
  'rmdirSync',
  'unlinkSync',
  'fsyncSync',
  'fsync',
  'linkSync',
  'symlinkSync',
  'chmodSync',
  'fchmodSync',
  'utimesSync',
  'lutimesSync',
  'appendFileSync',
  'truncateSync',
] as const;
const looking = [
  'openSync',
  'readSync',
  'readFileSync',
  'readdirSync',
  'lstatSync',
  'statSync',
  'fstatSync',
  'readlinkSync',
] as const;

interface Plan {
  /** The how many-th operation fails; 0: none does. */
  readonly at: number;
  readonly code: string;
}

let plan: Plan | undefined;
let count = 0;
let failed: string | undefined;
const killAt = Number(process.env['FAULT_AT'] ?? 0);
const countFile = process.env['FAULT_COUNT'];
const writeCount = fs.writeFileSync;

function isChange(name: string, args: readonly unknown[]): boolean {
  if (name !== 'openSync') return (changing as readonly string[]).includes(name);
  const [, flags] = args;
  if (typeof flags === 'number')
    return (flags & (fs.constants.O_CREAT | fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0;
  return typeof flags === 'string' && flags !== 'r';
}

for (const name of [...changing, ...looking]) {
  const original = fs[name] as (...args: unknown[]) => unknown;
  const wrapped = (...args: unknown[]): unknown => {
    if (killAt > 0 || countFile !== undefined) {
      if (isChange(name, args) && ++count === killAt) process.kill(process.pid, 'SIGKILL');
      return original(...args);
    }
    if (plan === undefined || ++count !== plan.at) return original(...args);
    failed = `${name} ${String(args[0])}`;
    const error = Object.assign(new Error(`${plan.code}: injected, ${name}`), {
      code: plan.code,
      syscall: name,
    });
    const callback = args.at(-1);
    if (name !== 'fsync' || typeof callback !== 'function') throw error;
    queueMicrotask(() => callback(error));
    return undefined;
  };
  Object.assign(fs, { [name]: wrapped });
}

if (countFile !== undefined) process.on('exit', () => writeCount(countFile, String(count)));

/** Operations that `act` needs. It is carried out. */
export async function operationsOf(act: () => unknown): Promise<number> {
  return (await withFault({ at: 0, code: '' }, act)).count;
}

/** Carries `act` out with one operation failing. @returns what failed, and what `act` came to. */
export async function withFault(
  fault: Plan,
  act: () => unknown,
): Promise<{
  readonly count: number;
  readonly failed: string | undefined;
  readonly error: unknown;
}> {
  plan = fault;
  count = 0;
  failed = undefined;
  try {
    await act();
    return { count, failed, error: undefined };
  } catch (error) {
    return { count, failed, error };
  } finally {
    plan = undefined;
  }
}
