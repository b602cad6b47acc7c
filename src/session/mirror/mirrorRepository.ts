/**
 * The repository of one session: `meta.json` and `messages/` with their `.git`, for people to look into. Its own settings
 * outrank the user's: no hooks, no signing, no conversion of line ends.
 */
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, readIfExists, writeFileAtomic } from '../../base/atomicFile.ts';
import { isRepository, listRefs } from '../../git/bareRepository.ts';
import type { ObjectId } from '../../git/gitObject.ts';
import { ObjectStore } from '../../git/objectStore.ts';

export const identity = 'Memcode Timeline <timeline@memcode.invalid>';

const config = `[core]
	repositoryformatversion = 0
	filemode = false
	bare = false
	logallrefupdates = false
	autocrlf = false
	safecrlf = false
	eol = lf
	hooksPath = no-hooks
	attributesFile = no-attributes
	excludesFile = no-excludes
	fsmonitor = false
	quotePath = false
[extensions]
	worktreeConfig = true
[commit]
	gpgSign = false
[tag]
	gpgSign = false
[gc]
	auto = 0
`;

export interface Mirror {
  /** What people see. */
  readonly folder: string;
  readonly git: string;
  readonly objects: ObjectStore;
}

/** Creates what is missing. HEAD comes last and makes it a repository. */
export function openMirror(folder: string): Mirror {
  const git = path.join(folder, '.git');
  if (!isRepository(git)) {
    for (const inner of ['objects/pack', 'objects/info', 'refs/heads', 'info'])
      makeFolder(path.join(git, ...inner.split('/')));
    writeFileAtomic(path.join(git, 'config'), config, { durable: false });
    writeFileAtomic(path.join(git, 'HEAD'), 'ref: refs/heads/main\n', { durable: false });
  }
  return { folder, git, objects: new ObjectStore(path.join(git, 'objects')) };
}

export function isMirror(folder: string): boolean {
  return isRepository(path.join(folder, '.git'));
}

/** Branches of ours: name -> commit. */
export function mirrorBranches({ git }: Pick<Mirror, 'git'>): ReadonlyMap<string, ObjectId> {
  return new Map(
    listRefs(git, 'refs/heads/')
      .map(({ ref, id }): [string, ObjectId] => [ref.slice('refs/heads/'.length), id])
      .filter(([name]) => name === 'main' || name.startsWith('retry-')),
  );
}

export function readHead({ git }: Mirror): string | undefined {
  return readIfExists(path.join(git, 'HEAD'))?.trim();
}

/** A mirror that cannot be trusted stays for a person to look at; a new one takes its place. @returns its new name */
export function setMirrorAside(folder: string, now: number): string {
  const stamp = new Date(now).toISOString().replace(/[-:]/g, '').slice(0, 15);
  for (let i = 0; ; i++) {
    const aside = `${folder}.diverged-${stamp}${i === 0 ? '' : `-${i}`}`;
    if (fs.existsSync(aside)) continue;
    fs.renameSync(folder, aside);
    return aside;
  }
}
