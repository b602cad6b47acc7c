/**
 * The snapshots of the roots of this window as they were last read, so that views can be drawn without waiting: reading is
 * another process's work. No vscode.
 */
import type { TimelineApp } from '../app/timelineApp.ts';
import { isUserError } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import type { SnapshotSummary } from '../core/snapshotSummary.ts';

export class KnownSnapshots {
  readonly #lists = new Map<Root, readonly SnapshotSummary[]>();

  of(root: Root): readonly SnapshotSummary[] {
    return this.#lists.get(root) ?? [];
  }

  /**
   * Reads them again. A root that can have none has none.
   * @returns whether anything is different now. @throws what `SnapshotUse.list` throws otherwise
   */
  async refresh(app: TimelineApp, root: Root): Promise<boolean> {
    const list = await listOf(app, root);
    const before = this.of(root);
    const isSame = list.length === before.length && list[0]?.id === before[0]?.id;
    this.#lists.set(root, list);
    return !isSame;
  }
}

async function listOf(app: TimelineApp, root: Root): Promise<readonly SnapshotSummary[]> {
  try {
    return await app.snapshots(root).list();
  } catch (error) {
    if (!isUserError(error, 'unsupported')) throw error;
    return [];
  }
}
