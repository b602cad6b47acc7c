/** VS Code's multi-file diff editor on what has changed since a snapshot, and on what going back to it would do. */
import path from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import type { SnapshotChange, SnapshotSummary } from '../core/snapshotSummary.ts';
import type { Plan } from './conflictChoice.ts';
import { type Change, openChanges } from './turnDiffs.ts';
import { storedUri } from './turnFileSystem.ts';

interface Of {
  readonly snapshot: SnapshotSummary;
  readonly root: Root;
}

/** The snapshot beside the working files. Folders have nothing to show. @returns the editor's title */
export async function openSnapshotChanges(
  of: Of,
  changes: readonly SnapshotChange[],
  title: string,
): Promise<string> {
  const folders = new Set(changes.flatMap(({ path: at }) => parentsOf(at)));
  const files = changes.filter(({ path: at }) => !folders.has(at));
  if (files.length === 0)
    throw new UserError('nothingToDo', vscode.l10n.t('Nothing has changed since.'));
  const rows = files.map(({ path: at, change }): Change => {
    const [old, now] = sides(of, at);
    return [now, change === 'added' ? undefined : old, change === 'deleted' ? undefined : now];
  });
  return openChanges(title, rows);
}

/** The working files beside what going back would make of them. @returns the editor's title */
export async function openSnapshotPreview(of: Of, plan: Plan, title: string): Promise<string> {
  const rows = plan.paths
    .filter(({ act }) => act !== 'none')
    .map(({ path: at, act }): Change => {
      const [old, now] = sides(of, at);
      return [now, act === 'create' ? undefined : now, act === 'delete' ? undefined : old];
    });
  return openChanges(title, rows);
}

function sides({ snapshot, root }: Of, at: string): [vscode.Uri, vscode.Uri] {
  const old = storedUri({ snapshot: snapshot.id, root, path: at }, vscode.Uri.file(root));
  return [old, vscode.Uri.file(path.join(root, at))];
}

function parentsOf(at: string): readonly string[] {
  const segments = at.split('/').slice(0, -1);
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
}
