/** Opens VS Code's own diff editors on what a turn did, on what going back would do, and on what is there now. */
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Side } from '../app/timelineApp.ts';
import { UserError } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import type {
  OperationSummary,
  PlannedPath,
  RewindPreview,
  TurnSummary,
} from '../core/timeline.ts';
import type { Plan } from './conflictChoice.ts';
import { rootUri, workUri } from './rootUri.ts';
import { firstLine } from './shortText.ts';
import { isComparable, needComparable, type Store, storedContent } from './storedContent.ts';
import { storedUri } from './turnFileSystem.ts';
import type { StoredFile } from './turnUri.ts';

/** Files in one multi-file diff editor: it makes an editor for each. */
const mostShown = 1_000;

/** Label, before, after; as `vscode.changes` takes them. */
export type Change = [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined];

/** Before and after of one file, titled `greeting.js (turn 3)`. */
export async function openFileDiff(turn: TurnSummary, file: string): Promise<void> {
  const name = path.posix.basename(file);
  await vscode.commands.executeCommand(
    'vscode.diff',
    side(turn, file, 'before'),
    side(turn, file, 'after'),
    vscode.l10n.t('{0} (turn {1})', name, turn.number),
    { preview: true } satisfies vscode.TextDocumentShowOptions,
  );
}

/** All files of a turn in the multi-file diff editor. The turn has files. @returns the editor's title. */
export async function openTurnChanges(turn: TurnSummary, root: Root | undefined): Promise<string> {
  const changes = turn.files.map(({ path: file, change }): Change => {
    const before = side(turn, file, 'before');
    const after = side(turn, file, 'after');
    return [
      root === undefined ? after : workUri(root, file),
      change === 'added' ? undefined : before,
      change === 'deleted' ? undefined : after,
    ];
  });
  return openChanges(
    vscode.l10n.t('Turn {0}: {1}', turn.number, firstLine(turn.prompt, 60)),
    changes,
  );
}

/** The store and the work tree that a comparison is about. */
export interface Compared {
  readonly store: Store;
  readonly root: Root;
}

/**
 * An old state beside the working file, which can be edited: VS Code's own arrows take single changes back.
 * @param moment says which old state: `before turn 3`
 * @throws UserError `notFound` when there is no such file now, `damaged` when the old state cannot be had.
 */
export async function openWorkingDiff(
  old: StoredFile,
  moment: string,
  { store, root }: Compared,
): Promise<void> {
  needComparable(store, old, vscode.l10n);
  const working = workingUri(root, old.path);
  if (working === undefined) {
    throw new UserError(
      'notFound',
      vscode.l10n.t('{0} is not there now. Restore File… brings it back.', old.path),
      { path: old.path },
    );
  }
  const name = path.posix.basename(old.path);
  const title = vscode.l10n.t('{0} ({1} ↔ working file)', name, moment);
  const left = storedUri(old, rootUri(root));
  await vscode.commands.executeCommand('vscode.diff', left, working, title, { preview: true });
}

/** As `openWorkingDiff`, for all files of a turn that can be compared. */
export async function openWorkingChanges(
  turn: TurnSummary,
  { store, root }: Compared,
): Promise<void> {
  const changes = turn.files.flatMap(({ path: file }): Change[] => {
    const old: StoredFile = { turn: turn.id, path: file, side: 'before' };
    const content = storedContent(store, old);
    if (!isComparable(content)) return [];
    const before = storedUri(old, rootUri(root));
    const working = workingUri(root, file);
    return [[working ?? before, content.kind === 'absent' ? undefined : before, working]];
  });
  if (changes.length === 0) {
    throw new UserError(
      'damaged',
      vscode.l10n.t('No file of turn {0} can be compared: what was saved is gone.', turn.number),
    );
  }
  await openChanges(vscode.l10n.t('Before turn {0} ↔ working files', turn.number), changes);
}

/**
 * What a revert would take out, as a change of its own: later changes to the same files stay out of it. Files that would be
 * kept are not among it. @returns the editor's title.
 */
export async function openRevertPreview(
  turn: TurnSummary,
  plan: Plan,
  root: Root,
): Promise<string> {
  const merged = plan.conflicts.filter(({ merge }) => merge !== 'impossible');
  const wanted = new Set([...plan.paths, ...merged].map(({ path: file }) => file));
  const changes = turn.files
    .filter(({ path: file }) => wanted.has(file))
    .map(({ path: file, change }): Change => {
      const folder = rootUri(root);
      const of = (which: Side) => storedUri({ turn: turn.id, path: file, side: which }, folder);
      return [
        workUri(root, file),
        change === 'deleted' ? undefined : of('after'),
        change === 'added' ? undefined : of('before'),
      ];
    });
  return openChanges(vscode.l10n.t('Taking out turn {0}', turn.number), changes);
}

/** What is there now beside what a rewind would make of it, without what it would keep. @returns the editor's title. */
export async function openRewindPreview(preview: RewindPreview, root: Root): Promise<string> {
  const firstTurn = new Map(
    preview.turns.toReversed().flatMap((turn) => turn.files.map((touch) => [touch.path, turn])),
  );
  const changes = changed(preview).map(({ path: file, act }): Change => {
    const first = firstTurn.get(file);
    const present = workUri(root, file);
    const result =
      first && act !== 'delete'
        ? storedUri({ turn: first.id, path: file, side: 'before' }, rootUri(root))
        : undefined;
    return [present, act === 'create' ? undefined : present, result];
  });
  return openChanges(vscode.l10n.t('Now ↔ before turn {0}', preview.turn.number), changes);
}

/** What is there now beside what taking an operation back would make of it. @returns the editor's title. */
export async function openUndoPreview(
  operation: OperationSummary,
  plan: Plan,
  root: Root,
): Promise<string> {
  const changes = changed(plan).map(({ path: file, act }): Change => {
    const present = workUri(root, file);
    const old = storedUri({ operation: operation.id, path: file }, rootUri(root));
    return [present, act === 'create' ? undefined : present, act === 'delete' ? undefined : old];
  });
  return openChanges(vscode.l10n.t('Undo of “{0}”', operation.label), changes);
}

function changed({ paths }: Plan): readonly PlannedPath[] {
  return paths.filter(({ act }) => act !== 'none');
}

/** Opens the multi-file diff editor. @returns its title */
export async function openChanges(title: string, changes: readonly Change[]): Promise<string> {
  const shown = changes.slice(0, mostShown);
  const named =
    shown.length === changes.length
      ? title
      : vscode.l10n.t('{0} (the first {1} of {2} files)', title, shown.length, changes.length);
  await vscode.commands.executeCommand('vscode.changes', named, shown);
  return named;
}

/** Undefined when there is no such file now. */
function workingUri(root: Root, file: string): vscode.Uri | undefined {
  const absolute = path.join(root, file);
  return fs.existsSync(absolute) ? workUri(root, file) : undefined;
}

function side(turn: TurnSummary, file: string, which: Side): vscode.Uri {
  return storedUri({ turn: turn.id, path: file, side: which });
}
