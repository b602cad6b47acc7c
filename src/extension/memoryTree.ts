/** The Memory view: shows branches of rows as they were last read. */
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { noPreset } from '../core/presets.ts';
import type { MemoryBranch } from './memoryBranches.ts';
import { type MemoryNode, nodeId } from './memoryNode.ts';
import type { MemoryRow } from './memoryRows.ts';
import { commandIds } from './names.ts';
import { treeItem } from './treeItem.ts';

export class MemoryTree implements vscode.TreeDataProvider<MemoryNode> {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  #top: readonly MemoryBranch[] = [];
  #known: ReadonlyMap<string, MemoryRow | MemoryBranch> = new Map();

  /**
   * Says that rows changed only where they did: while VS Code asks for rows anew, a button that is pressed on one of them
   * does not know which.
   */
  show(branches: readonly MemoryBranch[]): void {
    if (isDeepStrictEqual(branches, this.#top)) return;
    this.#top = branches;
    this.#known = new Map(branches.flatMap(withAllBelow).map((each) => [nodeId(each.node), each]));
    this.#changed.fire();
  }

  getChildren(node?: MemoryNode): MemoryNode[] {
    const known = node && this.#known.get(nodeId(node));
    const rows = node === undefined ? this.#top : known && 'rows' in known ? known.rows : [];
    return rows.map((each) => each.node);
  }

  getTreeItem(node: MemoryNode): vscode.TreeItem {
    const id = nodeId(node);
    const known = this.#known.get(id);
    if (known === undefined) return new vscode.TreeItem('');
    const item = treeItem(known.row, id, this.#below(node));
    const command = commandOf[node.kind];
    if (command !== undefined && !isNone(node))
      item.command = { command, title: vscode.l10n.t('Open'), arguments: [node] };
    return item;
  }

  /** What waits is to be seen; presets and portrait are looked for. */
  #below(node: MemoryNode): vscode.TreeItemCollapsibleState {
    const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    if (this.getChildren(node).length === 0) return None;
    if (node.kind !== 'group') return Expanded;
    return node.group === 'presets' || node.group === 'portrait' ? Collapsed : Expanded;
  }
}

function withAllBelow(each: MemoryRow | MemoryBranch): readonly (MemoryRow | MemoryBranch)[] {
  return 'rows' in each ? [each, ...each.rows.flatMap(withAllBelow)] : [each];
}

const commandOf: Readonly<Partial<Record<MemoryNode['kind'], string>>> = {
  note: commandIds.editMemory,
  document: commandIds.editMemory,
  portrait: commandIds.editMemory,
  preset: commandIds.editMemory,
  waiting: commandIds.reviewMemoryWrite,
};

/** No preset: there is no text to open. */
function isNone(node: MemoryNode): boolean {
  return node.kind === 'preset' && node.preset === noPreset.id;
}
