/**
 * A small store with something of everything that doctor looks at, and the means to damage it by hand. Turn 4 is rewound
 * and turn 2 reverted; a restore was undone again.
 */
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Finding, TimelineApp } from '../../src/app/timelineApp.ts';
import { hashFile } from '../../src/base/hash.ts';
import {
  databaseFile,
  operationFolder,
  operationsFolder,
  postImageFolder,
} from '../../src/base/home.ts';
import { asSessionId, type OperationId } from '../../src/core/ids.ts';
import type { OperationSummary, TurnSummary } from '../../src/core/timeline.ts';
import { StoreDriver, turnNumbered } from './storeDriver.ts';
import { type Tree, treeOf } from './storeTree.ts';

const hour = 3_600_000;
export const session = asSessionId('session-1');

export interface Operations {
  readonly rewind: OperationId;
  readonly revert: OperationId;
  readonly restore: OperationId;
  readonly undo: OperationId;
}

export class RepairWorld implements Disposable {
  readonly driver: StoreDriver;
  readonly app: TimelineApp;
  readonly ids: Operations;

  private constructor(driver: StoreDriver, app: TimelineApp, ids: Operations) {
    this.driver = driver;
    this.app = app;
    this.ids = ids;
  }

  static async make(): Promise<RepairWorld> {
    const driver = new StoreDriver({ files: { 'a.txt': 'A0', 'b.txt': 'B0' }, inProcess: true });
    await driver.turn((s) => s.edit('a.txt', 'A1'));
    await driver.turn((s) => s.edit('b.txt', 'B2'));
    await driver.turn((s) => s.edit('sub/.memcode-tmp-mine', 'C3'));
    await driver.turn((s) => s.edit('sub/.memcode-tmp-mine', 'C4'));
    const app = driver.open();
    app.ingest();
    const turn = (number: number) => turnNumbered(app, session, number).id;
    const reports = [
      await app.rewind(turn(4)),
      await app.revertTurn(turn(2)),
      await app.restoreFile(turn(1), 'a.txt', 'before'),
    ];
    const [rewind, revert, restore] = reports.map(({ operation }) => operation);
    if (!rewind || !revert || !restore) throw new Error('an operation did nothing');
    const { operation: undo } = await app.redo(restore);
    if (!undo) throw new Error('an undo did nothing');
    return new RepairWorld(driver, app, { rewind, revert, restore, undo });
  }

  [Symbol.dispose](): void {
    this.app.dispose();
    this.driver[Symbol.dispose]();
  }

  get home(): string {
    return this.driver.home;
  }

  /** In the session's folder of the checkpoint store. */
  stored(...names: readonly string[]): string {
    return this.driver.stored(...names);
  }

  aside(operation: OperationId, ...names: readonly string[]): string {
    return this.stored('.rewound', operation, ...names);
  }

  operation(id: string, ...names: readonly string[]): string {
    return path.join(operationsFolder(this.home, this.driver.root), id, ...names);
  }

  journal(operation: OperationId): string {
    return path.join(operationFolder(this.home, this.driver.root, operation), 'done.json');
  }

  /** What some agent left. */
  postImages(): readonly string[] {
    const folder = postImageFolder(this.home, this.driver.root);
    return filesBelow(folder).map((name) => path.join(folder, name));
  }

  turn(number: number): TurnSummary {
    return turnNumbered(this.app, session, number);
  }

  operationOf(id: OperationId): OperationSummary | undefined {
    return this.app.operations(this.driver.root).find((operation) => operation.id === id);
  }

  sql(text: string, ...values: readonly (string | number | null)[]): void {
    const database = new DatabaseSync(databaseFile(this.home), {
      enableForeignKeyConstraints: false,
    });
    database.prepare(text).run(...values);
    database.close();
  }

  /** Findings but for the one that counts checkpoints. */
  async findings(): Promise<readonly Finding[]> {
    const all = await this.app.doctor(this.driver.root);
    return all.filter(({ text }) => !text.endsWith('were read and compared with their checksums.'));
  }

  repair(): Promise<readonly Finding[]> {
    return this.app.repair(this.driver.root);
  }

  /** What nothing may ever lose: the user's files, and every pre-image, wherever its checkpoint lies. */
  treasures(): Tree {
    const store = path.join(this.driver.root, '.memcode', 'checkpoints');
    const blobs = filesBelow(store).filter((name) => /(^|\/)\d+\/(files|more)\//.test(name));
    return {
      ...this.driver.tree(),
      ...Object.fromEntries(
        blobs.map((name) => [
          name.replace(/\.rewound\/[^/]*\//, ''),
          hashFile(path.join(store, name)).sha256,
        ]),
      ),
    };
  }

  /** Everything on the disk but the database's own files. */
  disk(): Tree {
    const skip = ['timeline.db', 'timeline.db-shm', 'timeline.db-wal'];
    return { ...treeOf(this.driver.root, []), ...treeOf(this.home, skip) };
  }
}

/** Writes a file of ours that nobody has touched for `hours`. */
export function putOld(file: string, hours: number, text = 'rubbish'): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  const at = new Date(Date.now() - hours * hour);
  fs.utimesSync(file, at, at);
}

function filesBelow(folder: string): readonly string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}
