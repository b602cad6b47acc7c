/** What is checked out, read from the files of a git folder without starting git: for the hook, which has no time for it. */

import fs from 'node:fs';
import path from 'node:path';
import { readIfExists } from '../base/atomicFile.ts';
import { systemCode } from '../core/errors.ts';

export interface Head {
  /** Full hash. */
  readonly commit: string;
  /** Short branch name; null when detached. */
  readonly branch: string | null;
}

/** Undefined when the root is no work tree's top, the branch is unborn, or the files cannot be read or understood. */
export function headOf(root: string): Head | undefined {
  try {
    return readHead(root);
  } catch (error) {
    // Nothing depends on it but a warning; what an agent does is recorded all the same.
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

function readHead(root: string): Head | undefined {
  const dot = path.join(root, '.git');
  const stat = fs.statSync(dot, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const gitDir = stat.isDirectory() ? dot : linkedDir(root, dot);
  const head = gitDir && readIfExists(path.join(gitDir, 'HEAD'))?.trim();
  if (!gitDir || !head) return undefined;
  const ref = /^ref: (refs\/\S+)$/.exec(head)?.[1];
  if (ref === undefined) return isHash(head) ? { commit: head, branch: null } : undefined;
  const common = readIfExists(path.join(gitDir, 'commondir'))?.trim();
  const store = common ? path.resolve(gitDir, common) : gitDir;
  const commit = readIfExists(path.join(store, ...ref.split('/')))?.trim() ?? packed(store, ref);
  return commit && isHash(commit)
    ? { commit, branch: ref.replace(/^refs\/heads\//, '') }
    : undefined;
}

function linkedDir(root: string, file: string): string | undefined {
  const target = /^gitdir: (.+)$/m.exec(readIfExists(file) ?? '')?.[1];
  return target && path.resolve(root, target.trim());
}

function packed(store: string, ref: string): string | undefined {
  const line = readIfExists(path.join(store, 'packed-refs'))
    ?.split('\n')
    .find((text) => text.endsWith(` ${ref}`));
  return line?.slice(0, line.indexOf(' '));
}

function isHash(text: string): boolean {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(text);
}
