/**
 * The first step of `npm start`, `npm test` and `npm run bench`, on a fresh clone and on any Node from 18: brings
 * `node_modules` up to the lock file, then runs the task on the project's own Node (npm's `node` package), which can run
 * the TypeScript sources. Plain JavaScript and built-in modules only, because nothing else is there yet.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const project = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
const tasks = {
  test: 'test/tools/runTests.ts',
  start: 'test/demo/start.ts',
  bench: 'test/bench/run.ts',
};
/**
 * `npm run` puts `node_modules/.bin` first on the PATH, and with it the project's own node. npm looks for its own
 * configuration beside the node that runs it, so for whatever runs npm from here on that folder must be gone.
 */
const env = {
  ...process.env,
  PATH: (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => !folder.split(path.sep).includes('node_modules'))
    .join(path.delimiter),
};
const ownNode = path.join(
  project,
  'node_modules/node/bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);

main();

function main() {
  const [task, ...rest] = process.argv.slice(2);
  const script = Object.hasOwn(tasks, task ?? '') ? tasks[task] : undefined;
  if (script === undefined) {
    console.error(
      `Usage: node test/tools/bootstrap.mjs ${Object.keys(tasks).join('|')} [ARGUMENT…]`,
    );
    process.exit(2);
  }
  if (!isInstalled()) install();
  run(script, rest);
}

/**
 * Whether every package the lock file wants is there in its version, going by the list npm keeps of what it installed.
 * Packages for other platforms are never there and do not count.
 */
function isInstalled() {
  const installed = readPackages('node_modules/.package-lock.json');
  if (installed === undefined || !existsSync(ownNode)) return false;
  const wanted = readPackages('package-lock.json') ?? {};
  return Object.entries(wanted).every(
    ([where, { version, optional }]) =>
      where === '' || installed[where]?.version === version || (optional && !installed[where]),
  );
}

function readPackages(lockFile) {
  const file = path.join(project, lockFile);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : undefined;
}

function install() {
  console.log('Installing what the project needs (npm ci) …');
  const result = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: project,
    env,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (result.status === 0 && existsSync(ownNode)) return;
  console.error(
    result.error === undefined
      ? 'The packages could not be installed; see what npm said above.'
      : `npm could not be started (${result.error.message}). Install Node.js with npm, then try again.`,
  );
  process.exit(1);
}

/** Hands over to the task: same terminal, same signals, its exit status is ours. */
function run(script, rest) {
  const child = spawn(ownNode, [path.join(project, script), ...rest], {
    cwd: project,
    env,
    stdio: 'inherit',
  });
  // The terminal sends Ctrl-C to the whole group; we only have to outlive the child. Other senders name us alone.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('SIGHUP', () => child.kill('SIGHUP'));
  child.on('error', (error) => {
    console.error(`The project's own Node could not be started: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    process.exit(code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 0));
  });
}
