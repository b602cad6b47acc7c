/** Which document a note of a person is added to, and which documents may be written at all. Looks, writes nothing. */
import fs from 'node:fs';
import path from 'node:path';
import { isInside } from '../base/platform.ts';
import { UserError } from '../core/errors.ts';
import { readDocument } from './documentFile.ts';
import { type DocumentFolders, defaultNames, localName } from './documentPlaces.ts';

/** user: for all projects. local: the person's own in this folder. project: shared, and usually committed. */
export const targetScopes = ['user', 'local', 'project'] as const;
export type TargetScope = (typeof targetScopes)[number];

export interface DocumentTarget {
  readonly file: string;
  /** The folder that it must not leave, by links or otherwise. */
  readonly inside: string;
}

/**
 * The first document that is there, else the first name that is free.
 * @throws UserError `notFound` without a folder, `fileSystem` when every name is taken by something else.
 */
export function documentTarget(
  scope: TargetScope,
  { folders, userFolder }: DocumentFolders,
  names: readonly string[] = defaultNames,
): DocumentTarget {
  const folder = scope === 'user' ? userFolder : folders.at(-1);
  const inside = scope === 'user' ? userFolder : folders[0];
  if (folder === undefined || inside === undefined)
    throw new UserError('notFound', 'There is no folder that the document could lie in.');
  const files = names.map((name) => path.join(folder, scope === 'local' ? localName(name) : name));
  const found = files.map((file) => ({ file, read: readDocument(file) }));
  const chosen =
    found.find(({ read }) => read.kind === 'text') ??
    found.find(({ read }) => read.kind === 'absent');
  if (chosen !== undefined) return { file: chosen.file, inside };
  throw new UserError(
    'fileSystem',
    `${files.join(' and ')}: none of these can be written. ${found.map(({ file, read }) => (read.kind === 'refused' ? `${path.basename(file)}: ${read.reason}.` : '')).join(' ')}`,
    { files },
  );
}

/**
 * The real path behind a document that may be written: one of `known`, and not leading out of its folder.
 * @throws UserError `outsideRoot` for everything else.
 */
export function writablePath(file: string, known: readonly DocumentTarget[]): string {
  const target = known.find((each) => each.file === path.resolve(file));
  if (target === undefined)
    throw new UserError('outsideRoot', `${file} is no document of this folder.`, { path: file });
  const real = realOrNew(target.file);
  const inside = fs.existsSync(target.inside)
    ? fs.realpathSync.native(target.inside)
    : target.inside;
  if (isInside(inside, real, process.platform)) return real;
  throw new UserError('outsideRoot', `${file} leads out of its folder, to ${real}.`, {
    path: file,
    target: real,
  });
}

/** Of a file that is not there yet, its place in the real folder. */
function realOrNew(file: string): string {
  if (fs.existsSync(file)) return fs.realpathSync.native(file);
  const folder = path.dirname(file);
  return path.join(
    fs.existsSync(folder) ? fs.realpathSync.native(folder) : folder,
    path.basename(file),
  );
}
