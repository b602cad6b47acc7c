/**
 * Brings the files in a mirror's folder to a commit, as a checkout would, without git. Leaves HEAD alone once a person has
 * put it elsewhere, and files that a person has changed.
 */
import fs from 'node:fs';
import path from 'node:path';
import { isMissing, makeFolder, readIfExists, writeFileAtomic } from '../../base/atomicFile.ts';
import { isUserError, systemCode } from '../../core/errors.ts';
import {
  decodeCommit,
  decodeTree,
  fileMode,
  type ObjectId,
  objectId,
} from '../../git/gitObject.ts';
import { encodeIndex } from '../../git/indexFile.ts';
import { isMessageFile, messagesFolder, metaFile } from './mirrorFiles.ts';
import { type Mirror, readHead } from './mirrorRepository.ts';

export interface Shown {
  /** What HEAD holds: a branch or a commit. */
  readonly head: string;
  readonly commit: ObjectId;
  /** Messages stay in the repository alone, as a sparse checkout has it: nobody needs thousands of small files of long ago. */
  readonly isSparse: boolean;
}

const sparse = 'sparse';
const sparseConfig = '[core]\n\tsparseCheckout = true\n\tsparseCheckoutCone = false\n';

/**
 * @param before what was shown last, as it was returned then; null: nothing yet
 * @returns what is shown now
 */
export function showCommit(mirror: Mirror, before: string | null, wanted: Shown): string {
  const isSparse = wanted.isSparse && !isSpreadByHand(mirror);
  const text = `${wanted.head}\n${wanted.commit}${isSparse ? `\n${sparse}` : ''}`;
  const isNew = !fs.existsSync(path.join(mirror.git, 'index'));
  if (before === text && !isNew) return text;
  const [oldHead, oldCommit, wasSparse] = isNew ? [] : (before?.split('\n') ?? []);
  const actual = readHead(mirror);
  if (oldHead !== undefined && actual !== oldHead) return before ?? text;
  // A person's git is at work there; the next commit shows again.
  if (fs.existsSync(path.join(mirror.git, 'index.lock'))) return before ?? text;
  const all = filesOf(mirror, wanted.commit);
  const now = isSparse ? onlyMeta(all) : all;
  const old = oldCommit === undefined ? new Map<string, ObjectId>() : oldFiles(mirror, oldCommit);
  const then = wasSparse === sparse ? onlyMeta(old) : old;
  setSparse(mirror, isSparse);
  if (!isSparse) makeFolder(path.join(mirror.folder, messagesFolder));
  // Whoever made a link of the folder must not lead us elsewhere.
  const messages = path.join(mirror.folder, messagesFolder);
  if (fs.lstatSync(messages, { throwIfNoEntry: false })?.isSymbolicLink()) return before ?? text;
  for (const [name, id] of now)
    if (then.get(name) !== id) putFile(mirror, name, id, then.get(name));
  for (const [name, id] of then) if (!now.has(name)) removeFile(mirror, name, id);
  const entries = [...all]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, id]) => ({ path: file, mode: fileMode, id, isLeftOut: !now.has(file) }));
  writeFileAtomic(path.join(mirror.git, 'index'), encodeIndex(entries), { durable: false });
  if (actual !== wanted.head)
    writeFileAtomic(path.join(mirror.git, 'HEAD'), `${wanted.head}\n`, { durable: false });
  return text;
}

function onlyMeta(files: ReadonlyMap<string, ObjectId>): Map<string, ObjectId> {
  return new Map([...files].filter(([name]) => name === metaFile));
}

/** As `git sparse-checkout` would note it, so that it can also undo it. */
function setSparse({ git }: Mirror, isSparse: boolean): void {
  const config = path.join(git, 'config.worktree');
  if (fs.existsSync(config) === isSparse) return;
  if (!isSparse) {
    fs.rmSync(config);
    return;
  }
  makeFolder(path.join(git, 'info'));
  writeFileAtomic(path.join(git, 'info', 'sparse-checkout'), `/${metaFile}\n`, { durable: false });
  writeFileAtomic(config, sparseConfig, { durable: false });
}

/** `git sparse-checkout disable`. */
function isSpreadByHand({ git }: Mirror): boolean {
  return (
    readIfExists(path.join(git, 'config.worktree'))?.includes('sparseCheckout = false') ?? false
  );
}

function filesOf(mirror: Mirror, commit: ObjectId): Map<string, ObjectId> {
  const { tree } = decodeCommit(mirror.objects.read(commit, 'commit'));
  const files = new Map<string, ObjectId>();
  for (const { name, id } of decodeTree(mirror.objects.read(tree, 'tree'))) {
    if (name === metaFile) files.set(name, id);
    else if (name === messagesFolder)
      for (const file of decodeTree(mirror.objects.read(id, 'tree')))
        if (isMessageFile(file.name)) files.set(`${messagesFolder}/${file.name}`, file.id);
  }
  return files;
}

/** A commit that is gone told nothing of files that must go. */
function oldFiles(mirror: Mirror, commit: ObjectId): Map<string, ObjectId> {
  try {
    return filesOf(mirror, commit);
  } catch (error) {
    if (!isUserError(error, 'damaged')) throw error;
    return new Map();
  }
}

function putFile(mirror: Mirror, name: string, id: ObjectId, old: ObjectId | undefined): void {
  const file = path.join(mirror.folder, name);
  const bytes = mirror.objects.read(id, 'blob');
  // Most are new: asking first would double what the disk has to do.
  if (writeNew(file, bytes)) return;
  const present = readBytes(file);
  if (present && !isOurs(mirror, present, old)) return;
  fs.rmSync(file, { force: true });
  writeNew(file, bytes);
}

/** @returns false when something is there already */
function writeNew(file: string, bytes: Uint8Array): boolean {
  try {
    fs.writeFileSync(file, bytes, { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function removeFile(mirror: Mirror, name: string, id: ObjectId): void {
  const file = path.join(mirror.folder, name);
  const present = readBytes(file);
  if (present && isOurs(mirror, present, id)) fs.rmSync(file, { force: true });
}

/** As we wrote it once, whatever a person's checkout made of the folder since. What people add themselves is in no pack. */
function isOurs(mirror: Mirror, bytes: Buffer, expected: ObjectId | undefined): boolean {
  const id = objectId('blob', bytes);
  return id === expected || mirror.objects.hasPacked(Buffer.from(id, 'hex'));
}

/** Undefined when nothing is there. Never through a link: it might lead anywhere. */
function readBytes(file: string): Buffer | undefined {
  try {
    if (fs.lstatSync(file).isSymbolicLink()) return Buffer.from(fs.readlinkSync(file));
    return fs.readFileSync(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
