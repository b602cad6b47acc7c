/** The repository that a commit goes to: its places, its settings, and whether something is going on in it. Reads only. */
import fs from 'node:fs';
import path from 'node:path';
import { readIfExists } from '../base/atomicFile.ts';
import { type CommitGit, couldNotStart, demand } from './commitGit.ts';
import { hookNames } from './commitHooks.ts';
import type { GitResult } from './runGit.ts';

export interface CommitRepository {
  readonly topLevel: string;
  /** Of this work tree: HEAD, index, the states of operations. */
  readonly gitFolder: string;
  /** Shared by all work trees. */
  readonly commonFolder: string;
  readonly indexFile: string;
  readonly settings: RepositorySettings;
}

export interface RepositorySettings {
  readonly hash: 'sha1' | 'sha256';
  /** Git converts line ends of any text. */
  readonly convertsText: boolean;
  /** The executable bit on the disk means something. */
  readonly fileMode: boolean;
  readonly ignoreCase: boolean;
  /** Only a part of the files is checked out. */
  readonly isSparse: boolean;
  /** Names of those in settings. */
  readonly hooks: readonly string[];
}

export type NoRepository = 'noRepository' | 'bareRepository' | 'gitMissing' | 'gitUnsafe';

/** @throws GitFailure for anything else that git says. */
export async function openCommitRepository(
  git: CommitGit,
): Promise<CommitRepository | { readonly problem: NoRepository }> {
  const ask = (...what: readonly string[]) =>
    git({ args: ['rev-parse', '--path-format=absolute', ...what] });
  const [places, config] = await Promise.all([
    ask(...askedPlaces.flat()),
    git({ args: ['config', '--list', '-z'] }),
  ]);
  const problem = places.code === 0 ? undefined : problemOf(places.stderr, couldNotStart(places));
  if (problem !== undefined) return { problem };
  let answers = linesOf(places);
  // A folder may have a line end in its name: then each is asked for by itself.
  if (answers.length !== askedPlaces.length)
    answers = await Promise.all(
      askedPlaces.map(async (what) => linesOf(await ask(...what)).join('\n')),
    );
  const [topLevel = '', gitFolder = '', commonFolder = '', indexFile = ''] = answers.map((place) =>
    path.normalize(place),
  );
  return {
    topLevel,
    gitFolder,
    commonFolder: fs.realpathSync.native(commonFolder),
    indexFile: realIfLink(indexFile),
    settings: settingsOf(demand(config, 'config').toString()),
  };
}

const askedPlaces = [
  ['--show-toplevel'],
  ['--absolute-git-dir'],
  ['--git-common-dir'],
  ['--git-path', 'index'],
] as const;

function linesOf(result: GitResult): readonly string[] {
  return demand(result, 'rev-parse').toString().replace(/\n$/, '').split('\n');
}

function problemOf(stderr: string, isMissing: boolean): NoRepository | undefined {
  if (isMissing) return 'gitMissing';
  if (/dubious ownership|unsafe repository/.test(stderr)) return 'gitUnsafe';
  if (stderr.includes('not a git repository')) return 'noRepository';
  if (stderr.includes('must be run in a work tree')) return 'bareRepository';
  return undefined;
}

/** Git locks and replaces what a link leads to. */
function realIfLink(file: string): string {
  const isLink = fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? fs.realpathSync.native(file) : file;
}

function settingsOf(listed: string): RepositorySettings {
  const values = new Map(
    listed.split('\0').map((row): [string, string] => {
      const end = row.indexOf('\n');
      return end < 0 ? [row, 'true'] : [row.slice(0, end), row.slice(end + 1)];
    }),
  );
  const is = (name: string, otherwise: boolean) => {
    const value = values.get(name);
    return value === undefined ? otherwise : /^(?:true|yes|on|1)$/i.test(value);
  };
  return {
    hash: values.get('extensions.objectformat') === 'sha256' ? 'sha256' : 'sha1',
    convertsText: /^(?:true|yes|on|1|input)$/i.test(values.get('core.autocrlf') ?? ''),
    fileMode: is('core.filemode', true),
    ignoreCase: is('core.ignorecase', false),
    isSparse: is('core.sparsecheckout', false),
    hooks: hookNames(values.keys()),
  };
}

export type GoingOn = 'merge' | 'rebase' | 'cherryPick' | 'revert' | 'bisect' | 'applyMailbox';

/** What git would go on with at the next `--continue`. */
export function goingOnIn(gitFolder: string): GoingOn | undefined {
  const has = (...names: readonly string[]) => fs.existsSync(path.join(gitFolder, ...names));
  if (has('rebase-merge')) return 'rebase';
  if (has('rebase-apply')) return has('rebase-apply', 'applying') ? 'applyMailbox' : 'rebase';
  if (has('CHERRY_PICK_HEAD')) return 'cherryPick';
  if (has('REVERT_HEAD')) return 'revert';
  if (has('MERGE_HEAD')) return 'merge';
  if (has('BISECT_LOG')) return 'bisect';
  if (!has('sequencer')) return undefined;
  const todo = readIfExists(path.join(gitFolder, 'sequencer', 'todo')) ?? '';
  return /^revert /m.test(todo) ? 'revert' : 'cherryPick';
}

export interface CommitHead {
  /** Undefined when HEAD is detached. */
  readonly ref: string | undefined;
  /** Undefined on an unborn branch. */
  readonly commit: string | undefined;
}

export async function commitHead(git: CommitGit): Promise<CommitHead> {
  const [ref, commit] = await Promise.all([
    git({ args: ['symbolic-ref', '-q', 'HEAD'] }),
    git({ args: ['rev-parse', '-q', '--verify', 'HEAD^{commit}'] }),
  ]);
  const text = (stdout: Buffer) => stdout.toString().trim() || undefined;
  return {
    ref: text(demand(ref, 'symbolic-ref', 1)),
    commit: text(demand(commit, 'rev-parse', 1)),
  };
}

/** Whether the history of `commit` holds `old`. */
export async function holds(git: CommitGit, commit: string, old: string): Promise<boolean> {
  if (commit === old) return true;
  // 128: the old commit is not there any more.
  const { code } = await git({ args: ['merge-base', '--is-ancestor', old, commit] });
  return code === 0;
}
