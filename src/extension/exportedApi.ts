/** The exported API over the app: see `api.ts` for its contract. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { TurnRecorder } from '../app/timelineApp.ts';
import { UserError } from '../core/errors.ts';
import { asSessionId, asTurnId, type Root } from '../core/ids.ts';
import type { OperationReport, TurnSummary } from '../core/timeline.ts';
import type { MemcodeApi, RestoreReport, TurnHandle, TurnInfo } from './api.ts';
import { needTrust } from './needTrust.ts';
import { OpenEditors } from './openEditors.ts';
import type { TimelineHub } from './timelineHub.ts';

interface OpenTurn {
  readonly recorder: TurnRecorder;
  /** Of the session, in its root: one recorder each. */
  readonly key: string;
}

export function exportedApi(hub: TimelineHub): MemcodeApi {
  const recorders = new Map<string, TurnRecorder>();
  /** Turns that were begun here and not ended, by id. */
  const open = new Map<string, OpenTurn>();
  const editors = new OpenEditors();

  return {
    version: 1,

    async beginTurn({ folder, session, agent, prompt }) {
      needTrust();
      if (session === '' || agent === '') {
        throw new UserError('usage', vscode.l10n.t('A turn needs a session and an agent.'));
      }
      const { app } = await hub.opened();
      const root = app.rootOf(localPath(folder));
      const key = JSON.stringify([root, session]);
      const recorder = recorders.get(key) ?? app.recorder(root, asSessionId(session), agent);
      recorders.set(key, recorder);
      for (const [id, turn] of open) if (turn.key === key) open.delete(id);
      const { turn } = recorder.begin(prompt);
      open.set(turn, { recorder, key });
      return { id: turn };
    },

    async snapshot(handle, file) {
      const result = openTurn(handle).recorder.snapshot(localPath(file));
      return result.saved ? { saved: true } : { saved: false, reason: result.reason };
    },

    async endTurn(handle, reply) {
      openTurn(handle).recorder.end(reply);
      open.delete(handle.id);
    },

    async list(filter = {}) {
      const { app } = await hub.opened();
      const roots =
        filter.folder === undefined
          ? hub.roots().map(({ root }) => root)
          : [app.rootOf(localPath(filter.folder))];
      return roots.flatMap((root) =>
        app
          .sessions(root)
          .filter(({ id }) => filter.session === undefined || id === filter.session)
          .flatMap(({ id }) => app.turns(id).map((turn) => turnInfo(turn, root))),
      );
    },

    async restore(
      id,
      { conflicts = 'keep', force = false, partial = false, memory = 'keep' } = {},
    ) {
      needTrust();
      const { app } = await hub.opened();
      const turn = app.turn(asTurnId(id));
      const root = hub
        .roots()
        .find(({ root }) =>
          app.sessions(root).some((session) => session.id === turn.session),
        )?.root;
      if (root === undefined) {
        throw new UserError(
          'notFound',
          vscode.l10n.t('That turn is not of a folder in this window.'),
          { turn: id },
        );
      }
      const unsaved = editors.unsaved(root);
      const report = await app.rewind(turn.id, { conflicts, force, partial, memory, unsaved });
      hub.reload();
      return restoreReport(report, root);
    },
  };

  function openTurn(handle: TurnHandle): OpenTurn {
    const turn = open.get(handle.id);
    if (turn !== undefined) return turn;
    throw new UserError('notFound', vscode.l10n.t('That turn is not open any more.'), {
      turn: handle.id,
    });
  }
}

function turnInfo(turn: TurnSummary, root: Root): TurnInfo {
  return {
    id: turn.id,
    session: turn.session,
    agent: turn.agent,
    number: turn.number,
    prompt: turn.prompt,
    reply: turn.reply,
    startedAt: turn.startedAt,
    endedAt: turn.endedAt,
    files: turn.files.map((file) => ({ uri: fileUri(root, file.path), change: file.change })),
    rewound: turn.rewoundBy !== null,
  };
}

function restoreReport(report: OperationReport, root: Root): RestoreReport {
  return {
    complete: report.complete,
    files: report.paths.map(({ path: file, result, why }) => ({
      uri: fileUri(root, file),
      result,
      why,
    })),
  };
}

function fileUri(root: Root, file: string): vscode.Uri {
  return vscode.Uri.file(path.join(root, file));
}

function localPath(uri: vscode.Uri): string {
  if (uri.scheme === 'file') return uri.fsPath;
  throw new UserError('usage', vscode.l10n.t('{0} is not on this machine.', uri.toString()));
}
