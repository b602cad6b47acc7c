/**
 * What git's trees cannot hold, kept beside them: permission bits other than the usual ones, and what was left out and
 * why. A tree of two blobs, `modes` and `skipped`, of NUL-ended records; named by the snapshot's message. Commits on
 * `refs/memcode/side`, one for each new such tree, keep them from git's garbage collection.
 */
import {
  encodeTree,
  executableMode,
  fileMode,
  folderMode,
  type ObjectId,
} from '../git/gitObject.ts';
import { bytesToName, nameToBytes } from '../git/pathBytes.ts';
import { type FileTable, join, type SkipReason } from './fileTable.ts';
import type { Skipped, SkippedSummary } from './snapshotTypes.ts';

export const sideRef = 'refs/memcode/side';
const listed = 200;

/** Permission bits of what the `modes` record does not name. */
export interface UsualModes {
  readonly file: number;
  readonly executable: number;
  readonly folder: number;
}

export interface SideRecord {
  readonly usual: UsualModes;
  /** Path to permission bits. */
  readonly modes: ReadonlyMap<string, number>;
  readonly skipped: ReadonlyMap<string, SkipReason>;
}

export interface SideText {
  readonly modes: string;
  readonly skipped: string;
}

/** The modes that most paths have: a umask makes nearly all alike. */
export function usualModes(table: FileTable): UsualModes {
  const counts = new Map(
    [fileMode, executableMode, folderMode].map((kind) => [kind, new Uint32Array(0o10000)]),
  );
  eachMode(table, (_, kind, bits) => {
    const count = counts.get(kind);
    if (count) count[bits] = (count[bits] ?? 0) + 1;
  });
  const most = (kind: number, fallback: number) => {
    const count = counts.get(kind) ?? new Uint32Array(0);
    const highest = count.reduce((best, now) => Math.max(best, now), 0);
    return highest === 0 ? fallback : count.indexOf(highest);
  };
  return {
    file: most(fileMode, 0o644),
    executable: most(executableMode, 0o755),
    folder: most(folderMode, 0o755),
  };
}

/** The two records as text of `pathBytes`; equal texts mean equal records. */
export function sideText(table: FileTable, usual: UsualModes): SideText {
  const modes: string[] = [];
  eachMode(table, (entry, kind, bits) => {
    if (bits === usualFor(usual, kind) || entry === table.root?.entry) return;
    modes.push(`${bits.toString(8)} ${table.pathOf(entry)}\0`);
  });
  const skipped = allSkipped(table).map(({ path, reason }) => `${reason} ${path}\0`);
  const head = [usual.file, usual.executable, usual.folder].map((mode) => mode.toString(8));
  return {
    modes: `usual ${head.join(' ')}\0${modes.sort().join('')}`,
    skipped: skipped.sort().join(''),
  };
}

export function sideBlobs(text: SideText): { readonly modes: Buffer; readonly skipped: Buffer } {
  return { modes: nameToBytes(text.modes), skipped: nameToBytes(text.skipped) };
}

export function sideTree(modes: ObjectId, skipped: ObjectId): Buffer {
  return encodeTree([
    { mode: fileMode, name: 'modes', id: modes },
    { mode: fileMode, name: 'skipped', id: skipped },
  ]);
}

/** @throws Error for bytes that are no such records. */
export function parseSide(modes: Buffer, skipped: Buffer): SideRecord {
  const [head = '', ...rows] = records(modes);
  const usual = /^usual ([0-7]+) ([0-7]+) ([0-7]+)$/.exec(head);
  if (usual === null) throw new Error('The record of modes cannot be understood.');
  const octal = (text = '') => Number.parseInt(text, 8);
  return {
    usual: { file: octal(usual[1]), executable: octal(usual[2]), folder: octal(usual[3]) },
    modes: new Map(rows.map((row) => [afterSpace(row), octal(beforeSpace(row))])),
    skipped: new Map(records(skipped).map((row) => [afterSpace(row), reasonOf(beforeSpace(row))])),
  };
}

/** Permission bits of a path that a tree has with this git mode. */
export function modeIn(side: SideRecord, path: string, gitMode: number): number {
  return side.modes.get(path) ?? usualFor(side.usual, gitMode);
}

/** Why this path, or a folder above it, is not in the snapshot; undefined when nothing was left out there. */
export function skipReasonIn(side: SideRecord, path: string): SkipReason | undefined {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const reason = side.skipped.get(at);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Whether something below this path was left out. */
export function hasSkippedBelow(side: SideRecord, path: string): boolean {
  const prefix = `${path}/`;
  for (const at of side.skipped.keys()) if (at.startsWith(prefix)) return true;
  return false;
}

export function summaryOf(table: FileTable): SkippedSummary {
  const all = allSkipped(table);
  const counts: Partial<Record<SkipReason, number>> = {};
  for (const { reason } of all) counts[reason] = (counts[reason] ?? 0) + 1;
  const isExpected = ({ reason }: Skipped) => reason === 'ignored' || reason === 'excluded';
  const list = [...all.filter((s) => !isExpected(s)), ...all.filter(isExpected)];
  return { counts, list: list.slice(0, listed) };
}

function allSkipped(table: FileTable): readonly Skipped[] {
  const all: Skipped[] = [];
  for (const folder of table.folders)
    if (folder && folder.skipped.size > 0)
      for (const [name, reason] of folder.skipped)
        all.push({ path: join(folder.path, name), reason });
  return all;
}

function eachMode(
  table: FileTable,
  visit: (entry: number, gitMode: number, bits: number) => void,
): void {
  const { mode } = table.columns;
  for (let entry = 0; entry < table.names.length; entry++) {
    const value = mode[entry] ?? 0;
    if (value !== 0 && !table.isLink(entry)) visit(entry, table.gitMode(entry), value & 0o7777);
  }
}

function usualFor(usual: UsualModes, gitMode: number): number {
  if (gitMode === folderMode) return usual.folder;
  return gitMode === executableMode ? usual.executable : usual.file;
}

function records(bytes: Buffer): readonly string[] {
  const text = bytesToName(bytes);
  return text === '' ? [] : text.slice(0, -1).split('\0');
}

function beforeSpace(row: string): string {
  return row.slice(0, row.indexOf(' '));
}

function afterSpace(row: string): string {
  return row.slice(row.indexOf(' ') + 1);
}

const reasons: readonly SkipReason[] = ['ignored', 'excluded', 'tooLarge', 'special', 'unreadable'];

function reasonOf(text: string): SkipReason {
  return reasons.find((reason) => reason === text) ?? 'unreadable';
}
