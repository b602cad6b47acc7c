/** What of a folder is captured: everything but git's and our own folders, ignored files, excluded folders, large files. */
import fs from 'node:fs';
import path from 'node:path';
import { isMissing } from '../base/atomicFile.ts';
import { parseIgnoreFile, type RuleSet, verdictOf } from '../git/ignoreRules.ts';
import { bytesToName, fsPathIn } from '../git/pathBytes.ts';
import type { IndexData } from '../git/trackedPaths.ts';
import { readIndex, TrackedPaths } from '../git/trackedPaths.ts';
import { userRepository } from '../git/userRepository.ts';
import type { SkipReason } from './fileTable.ts';

/** Folders of these names hold what tools make or download; left out unless the user's git tracks something in them. */
export const defaultExcludedFolders: readonly string[] = [
  'node_modules',
  'vendor',
  'build',
  'dist',
  'bin',
  '.next',
  '__pycache__',
  'target',
  'obj',
  '.gradle',
  '.venv',
];

/** What can be passed between threads. */
export interface RuleData {
  readonly root: string;
  readonly excludedFolders: readonly string[];
  /** Bytes. */
  readonly maxFileSize: number;
  readonly foldCase: boolean;
  /** Text of the user's ignore rules for all repositories. */
  readonly shared: string;
  /** Text of the user's `info/exclude`. */
  readonly exclude: string;
  readonly index: IndexData | undefined;
}

export type Judgement =
  | { readonly capture: true; readonly isForced: boolean; readonly onlyTracked: boolean }
  | { readonly capture: false; readonly reason: SkipReason };

/** The weakest rules of a repository inside the folder: from here on, those above do not count. */
interface NestedRules extends RuleSet {
  readonly tracked: TrackedPaths;
}

const captured: Judgement = { capture: true, isForced: false, onlyTracked: false };

export class CaptureRules {
  readonly data: RuleData;
  readonly tracked: TrackedPaths;
  /** The weakest rule set: the user's `info/exclude`. */
  readonly base: RuleSet;
  readonly #excluded: ReadonlySet<string>;
  readonly #nested = new Map<string, { readonly signature: string; readonly rules: NestedRules }>();

  constructor(data: RuleData) {
    this.data = data;
    this.tracked = new TrackedPaths(data.index);
    this.base = parseIgnoreFile(`${data.shared}\n${data.exclude}`, '', data.foldCase);
    this.#excluded = new Set(data.excludedFolders);
  }

  /** The rules of a folder: those from above or, in a repository of its own, that one's, and its own `.gitignore`. */
  chainIn(above: readonly RuleSet[], folder: string): readonly RuleSet[] {
    return this.#withIgnoreFile(this.isNested(folder) ? [this.#nestedIn(folder)] : above, folder);
  }

  /** Whether a folder inside the root is the top of a work tree of its own. */
  isNested(folder: string): boolean {
    if (folder === '') return false;
    const place = fsPathIn(this.data.root, `${folder}/.git`);
    try {
      return fs.lstatSync(place, { throwIfNoEntry: false }) !== undefined;
    } catch (error) {
      if (isMissing(error) || isDenied(error)) return false;
      throw error;
    }
  }

  #nestedIn(folder: string): NestedRules {
    const { root, shared, foldCase } = this.data;
    const repository = userRepository(path.join(root, folder));
    const index = repository && path.join(repository.gitFolder, 'index');
    const exclude = repository && path.join(repository.commonFolder, 'info', 'exclude');
    const signature = `${signatureOf(index)} ${signatureOf(exclude)}`;
    const known = this.#nested.get(folder);
    if (known?.signature === signature) return known.rules;
    const text = `${shared}\n${exclude === undefined ? '' : readText(exclude)}`;
    const tracked = new TrackedPaths(index === undefined ? undefined : readIndex(index));
    const rules = { ...parseIgnoreFile(text, folder, foldCase), tracked };
    this.#nested.set(folder, { signature, rules });
    return rules;
  }

  #withIgnoreFile(above: readonly RuleSet[], folder: string): readonly RuleSet[] {
    const file = fsPathIn(this.data.root, folder === '' ? ignoreFile : `${folder}/${ignoreFile}`);
    try {
      if (!fs.lstatSync(file, { throwIfNoEntry: false })?.isFile()) return above;
      const text = bytesToName(fs.readFileSync(file));
      return [...above, parseIgnoreFile(text, folder, this.data.foldCase)];
    } catch (error) {
      // An unreadable rule file rules nothing; the file itself is listed as not captured.
      if (isMissing(error) || isDenied(error)) return above;
      throw error;
    }
  }

  /** @param onlyTracked whether a folder above is ignored as a whole */
  judgeFolder(
    chain: readonly RuleSet[],
    path: string,
    name: string,
    onlyTracked: boolean,
  ): Judgement {
    if (onlyTracked || verdictOf(chain, path, name, true) === 'ignored')
      return this.#isTracked(chain, path, true)
        ? { capture: true, isForced: true, onlyTracked: true }
        : { capture: false, reason: 'ignored' };
    if (!this.#excluded.has(name)) return captured;
    return this.#isTracked(chain, path, true)
      ? { capture: true, isForced: true, onlyTracked: false }
      : { capture: false, reason: 'excluded' };
  }

  /** A `.gitignore` decides about others, so that it is always captured itself. */
  judgeFile(
    chain: readonly RuleSet[],
    path: string,
    name: string,
    size: number,
    onlyTracked: boolean,
  ): Judgement {
    if (size > this.data.maxFileSize) return { capture: false, reason: 'tooLarge' };
    if (name === ignoreFile) return captured;
    if (!onlyTracked && verdictOf(chain, path, name, false) !== 'ignored') return captured;
    return this.#isTracked(chain, path, false)
      ? { capture: true, isForced: true, onlyTracked: false }
      : { capture: false, reason: 'ignored' };
  }

  /** By the repository whose rules count: the path itself, or something below it. */
  #isTracked([weakest]: readonly RuleSet[], path: string, isFolder: boolean): boolean {
    const isNested = weakest !== undefined && 'tracked' in weakest;
    const tracked = isNested ? (weakest as NestedRules).tracked : this.tracked;
    const at = isNested ? path.slice(weakest.base.length + 1) : path;
    return isFolder ? tracked.hasUnder(at) : tracked.has(at);
  }
}

/** Changes whenever the file does; '' for none. */
export function signatureOf(file: string | undefined): string {
  if (file === undefined) return '';
  const stat = fs.statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.mtimeNs} ${stat.ctimeNs} ${stat.ino} ${stat.size}` : '';
}

/** '' when there is none. */
export function readText(file: string): string {
  try {
    return bytesToName(fs.readFileSync(file));
  } catch (error) {
    if (isMissing(error)) return '';
    throw error;
  }
}

export const ignoreFile = '.gitignore';

/** Git's own folders and ours: neither captured nor listed. Also the spellings that some disks take for `.git`. */
export function isHidden(name: string): boolean {
  const first = name.charCodeAt(0);
  // `.`, `g` and `G`; or a character that HFS+ leaves out.
  if (first !== 0x2e && first !== 0x67 && first !== 0x47 && first < 0x200c) return false;
  const visible = name
    .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')
    .toLowerCase();
  const plain = visible.replace(/[. ]+$/, '').replace(/:.*$/, '');
  return plain === '.git' || plain === 'git~1' || plain === '.memcode';
}

export function isDenied(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    ['EACCES', 'EPERM', 'EBUSY', 'ELOOP', 'EIO'].includes(String(error.code))
  );
}
