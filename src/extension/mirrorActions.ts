/** What people do with the git mirror of a session: open it in a terminal, have it pushed. */
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { TimelineApp } from '../app/timelineApp.ts';
import { UserError } from '../core/errors.ts';
import type { SessionId } from '../core/ids.ts';
import { complain, tellQuietly } from './dialogs.ts';
import { mirrorSentence } from './mirrorText.ts';
import { cutText } from './shortText.ts';
import type { SessionInFolder } from './timelineModel.ts';

/** The git repository of a session in a terminal, written first as far as it is behind. */
export async function openMirrorOf({ summary }: SessionInFolder, app: TimelineApp): Promise<void> {
  const { id, title } = summary;
  if (!(await syncMirror(id, app))) return;
  const { folder, failure } = app.history.mirrorState(id);
  if (!fs.existsSync(path.join(folder, '.git')))
    throw new UserError(
      'notFound',
      failure === null
        ? vscode.l10n.t('This session has no mirror.')
        : vscode.l10n.t('This session has no mirror: {0}', failure),
    );
  if (failure !== null)
    void complain(vscode.l10n.t('The mirror lacks the newest turns: {0}', failure), []);
  const name = vscode.l10n.t('Session {0}', cutText(title, 30));
  vscode.window.createTerminal({ name, cwd: folder }).show();
}

/** Asks where the mirror of a session is pushed from now on, and pushes it. */
export async function pushMirrorOf({ summary }: SessionInFolder, app: TimelineApp): Promise<void> {
  const { id } = summary;
  const { remote } = app.history.mirrorState(id);
  const line = await vscode.window.showInputBox({
    title: vscode.l10n.t('Push Session Mirror To'),
    prompt: vscode.l10n.t(
      'Address of a git repository. Prompts, replies and what tools answered go there after each turn. Empty: nowhere.',
    ),
    value: remote ?? '',
    ignoreFocusOut: true,
  });
  if (line === undefined) return;
  const named = line.trim();
  app.history.setRemote(id, named === '' ? null : named);
  if (named === '') {
    void tellQuietly(vscode.l10n.t('The mirror of this session is pushed nowhere.'), []);
    return;
  }
  if (!(await syncMirror(id, app))) return;
  const sentence = mirrorSentence(app.history.mirrorState(id), vscode.l10n);
  if (sentence === null) void tellQuietly(vscode.l10n.t('Pushed to {0}.', named), []);
  else void complain(sentence, []);
}

/** @returns whether it was not cancelled. What fails is in the mirror's state. */
async function syncMirror(session: SessionId, app: TimelineApp): Promise<boolean> {
  return vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Writing the mirror of the session'),
      cancellable: true,
    },
    async (_, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      await app.history.syncMirrors({ session, signal: stop.signal });
      return !stop.signal.aborted;
    },
  );
}
