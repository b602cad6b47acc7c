/**
 * Which project's memory belongs to a folder: the same for all work trees of a repository and the folders in them, never
 * the same for two repositories. A folder that was moved gets a new one; the old one can be adopted.
 */
import fs from 'node:fs';
import path from 'node:path';
import { listIfExists, makeFolder, readIfExists, writeFileAtomic } from '../base/atomicFile.ts';
import { hashBytes } from '../base/hash.ts';
import { renameOver } from '../base/renameOver.ts';
import { UserError } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import { userRepository, workTreeOf } from '../git/userRepository.ts';
import { projectRecord } from './memoryPlaces.ts';

export interface ProjectIdentity {
  /** Name of its folder. */
  readonly id: string;
  /** What makes it the one it is: the repository's own folder, or the folder. Absolute real path. */
  readonly place: string;
}

export function projectIdentity(root: Root): ProjectIdentity {
  const place = repositoryOf(root) ?? root;
  return { id: hashBytes(Buffer.from(place)).slice(0, 32), place };
}

/**
 * The repository's own folder; undefined where `root` is none of its work trees. What stands in a `.git` is only a claim, and a
 * folder that was downloaded may claim another project's: a repository is believed inside of its folder, or when it names this
 * work tree itself.
 */
function repositoryOf(root: Root): string | undefined {
  const repository = userRepository(root);
  if (repository === undefined || !fs.existsSync(repository.commonFolder)) return undefined;
  const [common, own] = [repository.commonFolder, repository.gitFolder].map((folder) =>
    fs.realpathSync.native(folder),
  );
  if (common === undefined || own === undefined) return undefined;
  if (common !== own) return namesWorkTree(common, own, root) ? common : undefined;
  // A submodule's lies in that of the repository around it, and says whose it is.
  return own === path.join(root, '.git') || workTreeOf(own) === root ? common : undefined;
}

/** Whether a linked work tree's folder, in its repository, leads back to it. */
function namesWorkTree(common: string, own: string, root: Root): boolean {
  if (path.dirname(own) !== path.join(common, 'worktrees')) return false;
  const back = readIfExists(path.join(own, 'gitdir'))?.trim();
  if (back === undefined) return false;
  const tree = path.dirname(path.resolve(own, back));
  return fs.existsSync(tree) && fs.realpathSync.native(tree) === root;
}

/** Writes down whose memory it is, so that it is found again when the folder was moved. */
export function notePlace(folder: string, { id, place }: ProjectIdentity): void {
  const file = projectRecord(folder, id);
  const text = `${JSON.stringify({ format: 1, place })}\n`;
  if (readIfExists(file) === text) return;
  makeFolder(path.dirname(file));
  writeFileAtomic(file, text);
}

/** Memory of projects whose place is gone: of folders that were moved or removed. */
export function orphanedProjects(folder: string): readonly ProjectIdentity[] {
  return listIfExists(path.join(folder, 'projects')).flatMap((entry) => {
    const place = entry.isDirectory() ? placeOf(folder, entry.name) : undefined;
    return place === undefined || fs.existsSync(place) ? [] : [{ id: entry.name, place }];
  });
}

/**
 * The memory of an orphan becomes this project's.
 * @throws UserError `notFound`, `refused` when the project has memory of its own already
 */
export function adoptProject(folder: string, orphan: string, to: ProjectIdentity): void {
  const from = orphanedProjects(folder).find(({ id, place }) => id === orphan || place === orphan);
  if (from === undefined)
    throw new UserError('notFound', `There is no memory of a folder that is gone: ${orphan}.`, {
      orphan,
    });
  const [old, fresh] = [from, to].map(({ id }) => path.dirname(projectRecord(folder, id)));
  if (old === undefined || fresh === undefined) return;
  const own = listIfExists(fresh).filter(({ name }) => name !== 'project.json');
  if (own.length > 0)
    throw new UserError(
      'refused',
      'This project has memory of its own already. Move its notes away first, or copy those you want.',
      { folder: fresh },
    );
  fs.rmSync(fresh, { recursive: true, force: true });
  renameOver(old, fresh);
  notePlace(folder, to);
}

function placeOf(folder: string, project: string): string | undefined {
  try {
    const value: unknown = JSON.parse(readIfExists(projectRecord(folder, project)) ?? 'null');
    if (typeof value !== 'object' || value === null || !('place' in value)) return undefined;
    return typeof value.place === 'string' ? value.place : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
