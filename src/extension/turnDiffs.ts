/** Opens VS Code's own diff editors on what a turn did, and on what a rewind would do. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { Side } from '../app/timelineApp.ts';
import type { Root } from '../core/ids.ts';
import type { RewindPreview, TurnSummary } from '../core/timeline.ts';
import { firstLine } from './shortText.ts';
import { turnUri } from './turnFileSystem.ts';

/** Label, before, after; as `vscode.changes` takes them. */
type Change = [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined];

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

/** All files of a turn in the multi-file diff editor. The turn has files. */
export async function openTurnChanges(turn: TurnSummary, root: Root | undefined): Promise<void> {
  const changes = turn.files.map(({ path: file, change }): Change => {
    const before = side(turn, file, 'before');
    const after = side(turn, file, 'after');
    return [
      root === undefined ? after : vscode.Uri.file(path.join(root, file)),
      change === 'added' ? undefined : before,
      change === 'deleted' ? undefined : after,
    ];
  });
  const title = vscode.l10n.t('Turn {0}: {1}', turn.number, firstLine(turn.prompt, 60));
  await vscode.commands.executeCommand('vscode.changes', title, changes);
}

/** What is there now beside what a rewind would make of it. */
export async function openRewindPreview(preview: RewindPreview, root: Root): Promise<void> {
  const wanted = [
    ...preview.paths.filter(({ act }) => act !== 'none'),
    ...preview.conflicts.filter(({ act }) => act !== 'none'),
  ];
  const changes = wanted.flatMap(({ path: file, act }): Change[] => {
    const first = preview.turns.find((turn) => turn.files.some((touch) => touch.path === file));
    const present = vscode.Uri.file(path.join(root, file));
    const result =
      first && act !== 'delete'
        ? turnUri({ turn: first.id, path: file, side: 'before' }, vscode.Uri.file(root))
        : undefined;
    return [[present, act === 'create' ? undefined : present, result]];
  });
  const title = vscode.l10n.t('Now ↔ before turn {0}', preview.turn.number);
  await vscode.commands.executeCommand('vscode.changes', title, changes);
}

function side(turn: TurnSummary, file: string, which: Side): vscode.Uri {
  return turnUri({ turn: turn.id, path: file, side: which });
}
