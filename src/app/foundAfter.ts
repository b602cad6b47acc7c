/** What is known of a file after the imported turns of a session: what a live turn found first, else what is there now. */
import fs from 'node:fs';
import { isMissing } from '../base/atomicFile.ts';
import { blobOfRow } from '../checkpoint/blobOfRow.ts';
import { pathOfKey, sameKey } from '../checkpoint/canonicalKey.ts';
import { readSession } from '../checkpoint/readSession.ts';
import type { StoredTurn } from '../session/timelineStore.ts';

const largest = 4 << 20;

export interface FoundFile {
  /** Null where there is none, undefined where it is no text, or cannot be read. */
  readonly text: string | null | undefined;
  /** Permission bits of what is there now. */
  readonly mode: number | undefined;
}

/** Reads only. */
export function foundAfter({ root, session }: StoredTurn, key: string): FoundFile {
  const named = pathOfKey(root, key);
  const now = 'refused' in named ? undefined : look(named.absolute);
  const first = readSession(root, session).checkpoints.flatMap(({ place, manifest }) =>
    manifest.files.filter(({ path }) => sameKey(path, key)).map((row) => ({ place, row })),
  )[0];
  if (first === undefined) return now ?? { text: undefined, mode: undefined };
  const { before } = first.row;
  const mode = now?.mode;
  if (before.kind === 'absent') return { text: null, mode };
  if (before.kind !== 'file') return { text: undefined, mode };
  // One that stays in the snapshot store is no text that anybody has looked at: it confirms nothing.
  const isKept = first.row.blob !== undefined;
  return { text: isKept ? undefined : textIn(blobOfRow(first.place, first.row)), mode };
}

function look(file: string): FoundFile | undefined {
  try {
    const stat = fs.lstatSync(file);
    if (!stat.isFile()) return { text: undefined, mode: undefined };
    return { text: textIn(file), mode: stat.mode & 0o7777 };
  } catch (error) {
    if (isMissing(error)) return { text: null, mode: undefined };
    return undefined;
  }
}

function textIn(file: string): string | undefined {
  try {
    if (fs.statSync(file).size > largest) return undefined;
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(fs.readFileSync(file));
  } catch (error) {
    // No UTF-8, or nobody may read it: then it confirms nothing.
    if (error instanceof Error) return undefined;
    throw error;
  }
}
