/**
 * Lists folders with stat data, rules applied: one, or with all below it. Synchronous and free of shared state: runs in
 * worker threads as well. The stat data of a folder is taken before its names, so that a later change shows in it.
 */
import fs from 'node:fs';
import { isMissing } from '../base/atomicFile.ts';
import type { RuleSet } from '../git/ignoreRules.ts';
import { bytesToName, fsPathIn } from '../git/pathBytes.ts';
import {
  type CaptureRules,
  ignoreFile,
  isDenied,
  isHidden,
  type Judgement,
} from './captureRules.ts';
import { join, type SkipReason, type Stamp } from './fileTable.ts';

export interface ListedEntry extends Stamp {
  readonly name: string;
  readonly isForced: boolean;
}

export interface ListedFolder {
  readonly path: string;
  readonly stamp: Stamp;
  readonly onlyTracked: boolean;
  readonly entries: readonly ListedEntry[];
  readonly skipped: readonly (readonly [string, SkipReason])[];
}

/** A folder to list, with what the folders above it say. */
export interface ListTask {
  readonly path: string;
  readonly onlyTracked: boolean;
  /** Of the folder, taken before this. */
  readonly stamp: Stamp;
  /** Rules of the folders above. */
  readonly above: readonly RuleSet[];
}

/**
 * Lists a folder and then each folder in it that `descend` names.
 * @returns the folders, parents first; nothing when the folder is gone
 */
export function listTree(
  rules: CaptureRules,
  start: ListTask,
  descend: (path: string) => boolean,
): readonly ListedFolder[] {
  const found: ListedFolder[] = [];
  const tasks = [start];
  for (let task = tasks.pop(); task; task = tasks.pop()) {
    const names = namesIn(rules.data.root, task.path);
    if (names === undefined) continue;
    const hasRules = names.includes(ignoreFile) || names.includes('.git');
    const above = hasRules ? rules.chainIn(task.above, task.path) : task.above;
    const listed = listFolder(rules, task, names, above);
    found.push(listed.folder);
    for (const inner of listed.inner) if (descend(inner.path)) tasks.push({ ...inner, above });
  }
  return found;
}

function listFolder(
  rules: CaptureRules,
  task: ListTask,
  names: readonly string[],
  chain: readonly RuleSet[],
): { folder: ListedFolder; inner: readonly Omit<ListTask, 'above'>[] } {
  const { root } = rules.data;
  const entries: ListedEntry[] = [];
  const skipped: (readonly [string, SkipReason])[] = [];
  const inner: Omit<ListTask, 'above'>[] = [];
  for (const name of names) {
    if (isHidden(name)) continue;
    const path = join(task.path, name);
    const stamp = stampOf(root, path);
    if (stamp === undefined) continue;
    if (stamp === 'unreadable') {
      skipped.push([name, stamp]);
      continue;
    }
    const judged = judge(rules, chain, task.onlyTracked, path, name, stamp);
    if (!judged.capture) {
      skipped.push([name, judged.reason]);
      continue;
    }
    if (isFolderMode(stamp.mode)) {
      if (isClosed(root, path, stamp)) {
        skipped.push([name, 'unreadable']);
        continue;
      }
      inner.push({ path, onlyTracked: judged.onlyTracked, stamp });
    }
    const { mtimeNs, ctimeNs, ino, size, mode } = stamp;
    entries.push({ mtimeNs, ctimeNs, ino, size, mode, name, isForced: judged.isForced });
  }
  return {
    folder: { path: task.path, stamp: task.stamp, onlyTracked: task.onlyTracked, entries, skipped },
    inner,
  };
}

/** What becomes of one path. */
export function judge(
  rules: CaptureRules,
  chain: readonly RuleSet[],
  onlyTracked: boolean,
  path: string,
  name: string,
  stamp: Stamp,
): Judgement {
  const type = stamp.mode & 0o170000;
  if (type === 0o040000) return rules.judgeFolder(chain, path, name, onlyTracked);
  if (type !== 0o100000 && type !== 0o120000) return { capture: false, reason: 'special' };
  return rules.judgeFile(chain, path, name, stamp.size, onlyTracked);
}

/** Undefined when nothing is there. Folders have size 0: theirs differs between file systems and says nothing. */
export function stampOf(root: string, path: string): Stamp | 'unreadable' | undefined {
  try {
    const stat = fs.lstatSync(fsPathIn(root, path), { bigint: true, throwIfNoEntry: false });
    return stat && stampOfStat(stat);
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (isDenied(error)) return 'unreadable';
    throw error;
  }
}

export function stampOfStat(stat: fs.BigIntStats): Stamp {
  const mode = Number(stat.mode);
  return {
    mtimeNs: stat.mtimeNs,
    ctimeNs: stat.ctimeNs,
    ino: BigInt.asUintN(64, stat.ino),
    size: isFolderMode(mode) ? 0 : Number(stat.size),
    mode,
  };
}

export function isFolderMode(mode: number): boolean {
  return (mode & 0o170000) === 0o040000;
}

/** Undefined when the folder is gone. */
function namesIn(root: string, folder: string): readonly string[] | undefined {
  const place = fsPathIn(root, folder);
  try {
    const names = fs.readdirSync(place);
    // A replaced character: some name is not UTF-8.
    if (!names.some((name) => name.includes('\ufffd'))) return names;
    return fs.readdirSync(place, { encoding: 'buffer' }).map(bytesToName);
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (isDenied(error)) return [];
    throw error;
  }
}

/** Whether a folder may not be read and searched; asked only where its mode leaves it open. */
export function isClosed(root: string, folder: string, { mode }: Stamp): boolean {
  if ((mode & 0o555) === 0o555) return false;
  try {
    fs.accessSync(fsPathIn(root, folder), fs.constants.R_OK | fs.constants.X_OK);
    return false;
  } catch (error) {
    if (isMissing(error) || isDenied(error)) return true;
    throw error;
  }
}
