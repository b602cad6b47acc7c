/**
 * What the user saved in editors lately, so that a file saved while an agent's command ran is not taken for the agent's:
 * the extension appends a line a save, the hook reads those of the time in question. Bounded; losing it loses nothing but
 * that distinction.
 */
import fs from 'node:fs';
import { isMissing, readIfExists, writeFileAtomic } from '../base/atomicFile.ts';
import { hashFile } from '../base/hash.ts';
import { editorSavesFile, rootFolder } from '../base/home.ts';
import { canonicalKey } from '../checkpoint/canonicalKey.ts';
import type { Root } from '../core/ids.ts';

export interface EditorSave {
  /** As a key: relative to the root, `/`-separated. */
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly size: number;
  /** Empty for a file that is too large to look at in an editor's time. */
  readonly sha256: string;
}

/** Bytes. Beyond it the older half goes. */
const largestFile = 128 * 1024;
/** Bytes. Hashing more would be felt in the editor. */
const largestHashed = 2 * 1024 * 1024;

/**
 * Notes that the user has just saved a file, as it is on the disk now. Nothing is noted of roots where no agent has been.
 * @throws system errors
 */
export function noteEditorSave(home: string, root: Root, absolute: string, now: number): void {
  if (!fs.existsSync(rootFolder(home, root))) return;
  // Through links: what is written is what they lead to.
  const named = canonicalKey(root, fs.realpathSync.native(absolute));
  if ('refused' in named) return;
  const stat = fs.statSync(named.absolute, { throwIfNoEntry: false });
  if (!stat?.isFile()) return;
  const { size } = stat;
  const hashed = size > largestHashed ? { size, sha256: '' } : hashFile(named.absolute);
  const save: EditorSave = { path: named.key, at: now, ...hashed };
  const file = editorSavesFile(home, root);
  shorten(file);
  fs.appendFileSync(file, `${JSON.stringify(save)}\n`, { mode: 0o600 });
}

/** By path, oldest first. @throws system errors */
export function editorSavesSince(
  home: string,
  root: Root,
  since: number,
): ReadonlyMap<string, readonly EditorSave[]> {
  const saves = new Map<string, EditorSave[]>();
  for (const line of (readIfExists(editorSavesFile(home, root)) ?? '').split('\n')) {
    const save = parse(line);
    if (save && save.at >= since) saves.set(save.path, [...(saves.get(save.path) ?? []), save]);
  }
  return saves;
}

function shorten(file: string): void {
  try {
    if (fs.statSync(file).size <= largestFile) return;
    const text = fs.readFileSync(file, 'utf8');
    const half = text.indexOf('\n', text.length / 2) + 1;
    writeFileAtomic(file, text.slice(half), { durable: false });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Undefined for a line that was cut short. */
function parse(line: string): EditorSave | undefined {
  try {
    const save: Partial<EditorSave> = JSON.parse(line);
    const isWhole =
      typeof save.path === 'string' &&
      typeof save.sha256 === 'string' &&
      Number.isSafeInteger(save.at);
    return isWhole ? (save as EditorSave) : undefined;
  } catch {
    return undefined;
  }
}
