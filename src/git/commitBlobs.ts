/**
 * Blobs of stored bytes as the repository would have them: through its own filters and line ends where a path has any,
 * without git where it has none.
 */
import crypto from 'node:crypto';
import fs from 'node:fs';
import { withReturns } from './commitEntries.ts';
import { type CommitGit, demand } from './commitGit.ts';
import type { RepositorySettings } from './commitRepository.ts';

/** Bytes meant for a path: in a file, or given. */
export interface BlobSource {
  /** In the repository; decides about filters. */
  readonly path: string;
  readonly from: { readonly file: string } | { readonly bytes: Uint8Array };
}

export type Converted = (path: string) => boolean;

/** At once: each is a process. */
const abreast = 4;

/** Which of these paths git converts on their way into a blob. */
export async function convertedPaths(
  git: CommitGit,
  settings: RepositorySettings,
  paths: readonly string[],
): Promise<Converted> {
  if (paths.length === 0) return () => false;
  const input = paths.map((at) => `${at}\0`).join('');
  const args = ['check-attr', '-z', '--stdin', ...attributes];
  const cells = demand(await git({ args, input }), 'check-attr')
    .toString()
    .split('\0');
  const found = new Map<string, Record<string, string>>();
  for (let at = 0; at + 2 < cells.length; at += 3) {
    const [name = '', attribute = '', value = ''] = cells.slice(at, at + 3);
    found.set(name, { ...found.get(name), [attribute]: value });
  }
  const converted = [...found].filter(([, values]) => converts(values, settings));
  const guessed = converted.filter(([, values]) => isGuessed(values, settings));
  // Of what the index has with CR git takes none away, as long as nobody has said that it is a text.
  const kept = await withReturns(
    git,
    guessed.map(([name]) => name),
  );
  const names = new Set(converted.map(([name]) => name).filter((name) => !kept.has(name)));
  return (at) => names.has(at);
}

const attributes = ['text', 'crlf', 'eol', 'filter', 'ident', 'working-tree-encoding'];

function converts(values: Record<string, string>, { convertsText }: RepositorySettings): boolean {
  const is = (name: string) => !/^(?:unspecified|unset)$/.test(values[name] ?? 'unspecified');
  if (is('filter') || is('ident') || is('working-tree-encoding')) return true;
  if (values['text'] === 'unset' || values['crlf'] === 'unset') return false;
  return convertsText || is('text') || is('crlf') || is('eol');
}

/** Line ends alone are converted, and git looks at the bytes whether it is a text. */
function isGuessed(values: Record<string, string>, { convertsText }: RepositorySettings): boolean {
  const is = (name: string, value: string) => (values[name] ?? 'unspecified') === value;
  const isPlain = ['filter', 'ident', 'working-tree-encoding'].every(
    (name) => is(name, 'unspecified') || is(name, 'unset'),
  );
  if (!isPlain || !is('text', 'unspecified')) return isPlain && is('text', 'auto');
  if (!is('crlf', 'unspecified')) return is('crlf', 'auto');
  return is('eol', 'unspecified') && convertsText;
}

/**
 * Ids of blobs that need not be there, by path.
 * @returns undefined for one that cannot be made: a filter failed
 */
export async function blobIds(
  git: CommitGit,
  settings: RepositorySettings,
  converted: Converted,
  sources: readonly BlobSource[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const raw = sources.filter(({ path }) => !converted(path));
  const rest = sources.filter(({ path }) => converted(path));
  return new Map([
    ...raw.map((source): [string, string] => [source.path, rawBlobId(bytesOf(source), settings)]),
    ...(await filtered(git, rest, false)),
  ]);
}

/** Writes blobs. @returns as `blobIds` */
export async function writeBlobs(
  git: CommitGit,
  converted: Converted,
  sources: readonly BlobSource[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const files: { path: string; file: string }[] = [];
  const given: BlobSource[] = [];
  for (const source of sources) {
    if ('file' in source.from && !converted(source.path))
      files.push({ path: source.path, file: source.from.file });
    else given.push(source);
  }
  const [first, second] = await Promise.all([wholeFiles(git, files), filtered(git, given, true)]);
  return new Map([...first, ...second]);
}

/** Bytes exactly as they are. */
export async function writeBlob(git: CommitGit, bytes: Uint8Array): Promise<string> {
  const args = ['hash-object', '-w', '--no-filters', '--stdin'];
  return demand(await git({ args, input: bytes }), 'hash-object')
    .toString()
    .trim();
}

export async function readBlobBytes(git: CommitGit, id: string): Promise<Buffer> {
  return demand(await git({ args: ['cat-file', 'blob', id] }), 'cat-file');
}

async function wholeFiles(
  git: CommitGit,
  files: readonly { readonly path: string; readonly file: string }[],
): Promise<readonly (readonly [string, string])[]> {
  if (files.length === 0) return [];
  const args = ['hash-object', '-w', '--no-filters', '--stdin-paths'];
  const input = files.map(({ file }) => `${quoted(file)}\n`).join('');
  const ids = demand(await git({ args, input }), 'hash-object')
    .toString()
    .split('\n');
  return files.map(({ path }, index) => [path, ids[index] ?? ''] as const);
}

async function filtered(
  git: CommitGit,
  sources: readonly BlobSource[],
  write: boolean,
): Promise<readonly (readonly [string, string | undefined])[]> {
  const results: (readonly [string, string | undefined])[] = [];
  for (let at = 0; at < sources.length; at += abreast)
    results.push(
      ...(await Promise.all(
        sources.slice(at, at + abreast).map(async (source) => {
          const args = [
            'hash-object',
            ...(write ? ['-w'] : []),
            `--path=${source.path}`,
            '--stdin',
          ];
          const { code, stdout } = await git({ args, input: bytesOf(source) });
          return [source.path, code === 0 ? stdout.toString().trim() : undefined] as const;
        }),
      )),
    );
  return results;
}

/** As git reads lists of files: in quotes, with what would end a line escaped. */
function quoted(file: string): string {
  return `"${file.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

/** The id of a blob of exactly these bytes. */
export function rawBlobId(bytes: Uint8Array, { hash }: RepositorySettings): string {
  return crypto.createHash(hash).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

function bytesOf({ from }: BlobSource): Uint8Array {
  return 'bytes' in from ? from.bytes : fs.readFileSync(from.file);
}
