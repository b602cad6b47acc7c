/**
 * `npm start`: builds, makes the demo project, lets an agent work on it, and opens it in VS Code: a desktop one if `code`
 * is on the PATH, else the VS Code server. `--no-open` stops before that, `--port N` says where the server listens.
 */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { launcherFile } from '../../src/app/launcher.ts';
import { findCodeCommand } from '../tools/desktopVscode.ts';
import { projectFolder } from '../tools/paths.ts';
import { mustRun } from '../tools/runCommand.ts';
import { quietSettings, startServer } from '../tools/vscodeServer.ts';
import { type Demo, demoEnvironment, prepareDemo } from './prepareDemo.ts';

/** Ours, and one that only opens the timeline. */
const extensions = [projectFolder, path.join(import.meta.dirname, 'opener')];

const interrupts = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { 'no-open': { type: 'boolean' }, port: { type: 'string', default: '0' } },
  });
  console.log('Building …');
  await mustRun('npm', ['run', '--silent', 'build'], { cwd: projectFolder });
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'memcode-demo-'));
  const giveUp = (): void => {
    rmSync(folder, { recursive: true, force: true });
    process.exit(130);
  };
  for (const signal of interrupts) process.on(signal, giveUp);
  console.log(`Making a sample project in ${folder} …`);
  const demo = await prepareDemo({ folder, agent: 'client', say: console.log });
  for (const signal of interrupts) process.off(signal, giveUp);
  console.log(`The sample project is ${demo.workspace}`);
  const cli = launcherFile(demo.timelineHome, process.platform);
  console.log(`Its turns in a terminal: "${cli}" --root "${demo.workspace}" list`);
  if (values['no-open'] === true) return;
  const code = findCodeCommand();
  if (code !== undefined) await openDesktop(code, demo);
  else await serve(demo, Number(values.port));
}

/** With a profile of its own: the person's VS Code stays as it is, and the environment reaches the new window. */
async function openDesktop(code: string, demo: Demo): Promise<void> {
  const profile = path.join(demo.folder, 'vscode');
  await fs.mkdir(path.join(profile, 'User'), { recursive: true });
  const settings = { ...quietSettings, 'security.workspace.trust.enabled': false };
  await fs.writeFile(path.join(profile, 'User/settings.json'), JSON.stringify(settings, null, 2));
  await mustRun(
    code,
    [
      ...extensions.map((folder) => `--extensionDevelopmentPath=${folder}`),
      `--user-data-dir=${profile}`,
      `--extensions-dir=${path.join(demo.folder, 'extensions')}`,
      '--new-window',
      demo.workspace,
    ],
    { env: { ...process.env, MEMCODE_TIMELINE_HOME: demo.timelineHome } },
  );
  console.log(`VS Code is opening. When you are done, delete ${demo.folder}`);
}

/** Until Ctrl-C; then everything is ended and removed. */
async function serve(demo: Demo, port: number): Promise<void> {
  const server = await startServer({
    env: demoEnvironment(demo),
    install: extensions,
    port,
    folder: path.join(demo.folder, 'vscode'),
  });
  console.log(`\nOpen ${server.url({ workspace: demo.workspace })}\n\nCtrl-C ends it.`);
  const stopped = new AbortController();
  for (const signal of interrupts) process.on(signal, () => stopped.abort());
  await Promise.race([once(stopped.signal, 'abort'), once(server.process, 'exit')]);
  await server.stop();
  await fs.rm(demo.folder, { recursive: true, force: true, maxRetries: 10 });
}
