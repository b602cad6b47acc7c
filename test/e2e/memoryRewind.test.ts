/** A rewind in a real VS Code over turns that wrote to memory: it asks, and undoes both. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTimelineApp } from '../../src/app/openTimelineApp.ts';
import type { Demo } from '../demo/prepareDemo.ts';
import { replayTurns } from '../demo/prepareDemo.ts';
import { readScenario } from '../demo/scenario.ts';
import { until } from '../tools/workbench.ts';
import { filesOf, sampleProject, withDemoWindow } from './demoWindow.ts';

test('asks what becomes of memory, takes it back and brings it back', async (t) => {
  const demo = await sampleProject(t);
  await replayTurns(demo, readScenario().slice(0, 3));
  const names = await rememberInLastTurn(demo);
  const before = await filesOf(demo.workspace);
  await withDemoWindow(t, demo, async (workbench, timeline) => {
    await timeline.open();
    await timeline.showsTurns([3, 2, 1]);
    await timeline.rewind(3);
    await workbench.dialog();
    await workbench.answerDialog('Rewind');
    const question = await workbench.dialog();
    await workbench.screenshot('question for memory');
    assert.equal(question.message, 'Take back what these turns remembered, too?');
    assert.match(question.detail, /Note aligning is forgotten/);
    await workbench.answerDialog('Cancel');
    assert.deepEqual(await filesOf(demo.workspace), before);
    assert.deepEqual(await names(), ['Aligning']);

    await timeline.rewind(3);
    await workbench.dialog();
    await workbench.answerDialog('Rewind');
    await workbench.dialog();
    await workbench.answerDialog('Take Back Memory Too');
    await workbench.notification('Rewound to before turn 3: 2 files changed. Memory went with it.');
    await workbench.screenshot('memory went with it');
    assert.deepEqual(await names(), []);
    await workbench.answerNotification('Rewound to before turn 3', 'Undo');
    await until('the note', async () => (await names()).length === 1 || undefined);
    assert.deepEqual(await filesOf(demo.workspace), before);
  });
});

/** @returns the names of the notes there are */
async function rememberInLastTurn(demo: Demo): Promise<() => Promise<readonly string[]>> {
  const inApp = async <T>(
    work: (app: ReturnType<typeof openTimelineApp>) => Promise<T>,
  ): Promise<T> => {
    const app = openTimelineApp({
      home: demo.timelineHome,
      userHome: demo.home,
      now: Date.now,
      log: () => undefined,
    });
    try {
      return await work(app);
    } finally {
      app.dispose();
    }
  };
  await inApp(async (app) => {
    app.ingest();
    const root = app.rootOf(demo.workspace);
    const [session] = app.sessions(root);
    const memory = await app.memory();
    const write = { act: 'remember', scope: 'project', name: 'Aligning' } as const;
    memory.setAgentWrites('auto');
    await memory.write(
      root,
      { ...write, body: 'Columns are aligned by columns.js.' },
      { actor: 'agent', session: session?.id },
    );
  });
  return () =>
    inApp(async (app) => {
      const memory = await app.memory();
      return (await memory.list(app.rootOf(demo.workspace))).map(({ name }) => name);
    });
}
