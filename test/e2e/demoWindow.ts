/** A test's own sample project, shown in a real workbench with the extension installed. */
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { connectGemini, type Demo, demoEnvironment, makeSample } from '../demo/prepareDemo.ts';
import { projectFolder } from '../tools/paths.ts';
import { type Workbench, withWorkbench } from '../tools/workbench.ts';
import { TimelinePane } from './timelinePane.ts';

/** The sample project with the agent connected and nothing recorded yet; removed when the test ends. */
export async function sampleProject(t: TestContext): Promise<Demo> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'memcode-e2e-'));
  t.after(() => fs.rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  const demo = await makeSample(folder);
  await connectGemini(demo);
  return demo;
}

export async function withDemoWindow(
  t: TestContext,
  demo: Demo,
  use: (workbench: Workbench, timeline: TimelinePane) => Promise<void>,
): Promise<void> {
  const options = {
    workspace: demo.workspace,
    install: [projectFolder],
    env: demoEnvironment(demo),
  };
  await withWorkbench(t.name, options, async (workbench) => {
    await use(workbench, new TimelinePane(workbench));
  });
}

/** Text and permissions of every file of the project, but for git's and our own. */
export async function filesOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !/^\.(git|memcode)\b/.test(path.relative(folder, file)))
    .sort();
  const contents = files.map(async (file) => {
    const { mode } = await fs.stat(file);
    const text = await fs.readFile(file, 'utf8');
    return [path.relative(folder, file), `${mode.toString(8)} ${text}`] as const;
  });
  return Object.fromEntries(await Promise.all(contents));
}
