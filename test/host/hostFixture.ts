/** What tests inside VS Code share: the extension's API, files of the workspace, waiting for something to become true. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { openTimelineApp, type TimelineAppOptions } from '../../src/app/openTimelineApp.ts';
import type { TimelineApp } from '../../src/app/timelineApp.ts';
import type { MemcodeApi, TurnHandle } from '../../src/extension/api.ts';
import { TimelineHub } from '../../src/extension/timelineHub.ts';
import type { HostTestContext } from './hostTest.ts';

export const extensionId = 'memcode.memcode-timeline';

export async function memcode(): Promise<MemcodeApi> {
  const api: MemcodeApi | undefined = await vscode.extensions.getExtension(extensionId)?.activate();
  assert.equal(api?.version, 1);
  return api!;
}

export function workspaceFolder(): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  return folder!.uri;
}

/** A folder of its own below the workspace, removed after the test. */
export function ownFolder(t: HostTestContext): vscode.Uri {
  const folder = fs.mkdtempSync(path.join(workspaceFolder().fsPath, 'test-'));
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
  return vscode.Uri.file(folder);
}

export interface Edit {
  readonly file: vscode.Uri;
  /** Null deletes the file. */
  readonly content: string | Uint8Array | null;
}

/** Records a turn that makes these edits, as an agent with our API would. */
export async function recordTurn(
  session: string,
  prompt: string,
  edits: readonly Edit[],
): Promise<TurnHandle> {
  const api = await memcode();
  const folder = workspaceFolder();
  const turn = await api.beginTurn({ folder, session, agent: 'host-test', prompt });
  for (const { file, content } of edits) {
    assert.deepEqual(await api.snapshot(turn, file), { saved: true });
    if (content === null) fs.rmSync(file.fsPath);
    else fs.writeFileSync(file.fsPath, content);
  }
  await api.endTurn(turn, 'Done.');
  return turn;
}

/** A second app over the same store, for the caller to close. */
export function openSecondApp(options: Partial<TimelineAppOptions> = {}): TimelineApp {
  const home = process.env['MEMCODE_TIMELINE_HOME'];
  assert.ok(home);
  const environment = process.env;
  return openTimelineApp({ home, environment, now: Date.now, log: () => undefined, ...options });
}

/** As `openSecondApp`, closed after the test. */
export function secondApp(
  t: HostTestContext,
  options: Partial<TimelineAppOptions> = {},
): TimelineApp {
  const app = openSecondApp(options);
  t.after(() => app.dispose());
  return app;
}

/** What is shown, over a second app, until the test ends. */
export function secondHub(t: HostTestContext): TimelineHub {
  const log = vscode.window.createOutputChannel(t.name, { log: true });
  const hub = new TimelineHub({
    openApp: async () => openSecondApp(),
    memory: { get: () => undefined, update: async () => undefined },
    log,
  });
  t.after(() => {
    hub.dispose();
    log.dispose();
  });
  return hub;
}

export function textOf(file: vscode.Uri): string {
  return fs.readFileSync(file.fsPath, 'utf8');
}

/** Asks now and after each of the events, until the answer is yes. */
export async function untilEvent(
  events: readonly vscode.Event<unknown>[],
  isTrue: () => boolean,
): Promise<void> {
  if (isTrue()) return;
  await new Promise<void>((resolve) => {
    const listeners = events.map((event) =>
      event(() => {
        if (!isTrue()) return;
        for (const listener of listeners) listener.dispose();
        resolve();
      }),
    );
  });
}
