/**
 * What one turn did to one file, from the two sides of its content. Text is compared as bytes (each byte one Latin-1
 * character), so that a patch made from it is exact whatever the file's encoding. Pure.
 */
import { structuredPatch } from 'diff';
import type { SideContent } from '../app/timelineApp.ts';
import { octal } from './octal.ts';

export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** With `+`, `-`, space or `\` in front, without line ends; each character is one byte. */
  readonly lines: readonly string[];
}

/** One step that a patch can express. A file that becomes a link is two: it is deleted, then created. */
export interface FileStep {
  readonly before: SideContent;
  readonly after: SideContent;
  /** Null when either side is binary. */
  readonly hunks: readonly Hunk[] | null;
}

export type FileDiff =
  | { readonly kind: 'steps'; readonly path: string; readonly steps: readonly FileStep[] }
  /** A directory was made or removed: no patch says that. */
  | { readonly kind: 'directory'; readonly path: string; readonly text: string }
  | { readonly kind: 'unavailable'; readonly path: string; readonly reason: string };

export function fileDiff(path: string, before: SideContent, after: SideContent): FileDiff {
  for (const side of [before, after])
    if (side.kind === 'unavailable') return { kind: 'unavailable', path, reason: side.reason };
  if (before.kind === 'directory' || after.kind === 'directory') {
    if (before.kind === after.kind || before.kind === 'absent' || after.kind === 'absent')
      return { kind: 'directory', path, text: directoryText(before, after) };
    return { kind: 'steps', path, steps: [step(withoutFolder(before), withoutFolder(after))] };
  }
  const steps =
    before.kind === after.kind || before.kind === 'absent' || after.kind === 'absent'
      ? [step(before, after)]
      : [step(before, nothing), step(nothing, after)];
  return { kind: 'steps', path, steps };
}

/** Lines that a diff adds and removes. */
export function countLines(diff: FileDiff): { readonly added: number; readonly removed: number } {
  const lines = diff.kind === 'steps' ? diff.steps.flatMap(({ hunks }) => hunks ?? []) : [];
  const count = (mark: string) =>
    lines.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.startsWith(mark)).length, 0);
  return { added: count('+'), removed: count('-') };
}

const nothing: SideContent = { kind: 'absent' };

function withoutFolder(side: SideContent): SideContent {
  return side.kind === 'directory' ? nothing : side;
}

function directoryText(before: SideContent, after: SideContent): string {
  if (before.kind === 'directory' && after.kind === 'directory')
    return `folder, mode ${octal(before.mode)} before and ${octal(after.mode)} after`;
  return before.kind === 'absent' ? 'folder created' : 'folder removed';
}

function step(before: SideContent, after: SideContent): FileStep {
  const old = bytesOf(before);
  const fresh = bytesOf(after);
  const binary = isBinary(old) || isBinary(fresh);
  return { before, after, hunks: binary ? null : hunksOf(latin1(old), latin1(fresh)) };
}

function bytesOf(side: SideContent): Uint8Array {
  if (side.kind === 'bytes') return side.bytes;
  return side.kind === 'symlink' ? Buffer.from(side.target) : new Uint8Array();
}

/** Git's rule: a NUL among the first 8000 bytes. */
function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8000).includes(0);
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** Beyond this many changed lines the search for the smallest difference takes too long to wait for. */
const mostChanges = 3000;
const contextLines = 3;

function hunksOf(before: string, after: string): readonly Hunk[] {
  if (before === after) return [];
  const patch =
    before === '' || after === ''
      ? undefined
      : structuredPatch('', '', before, after, undefined, undefined, {
          context: contextLines,
          maxEditLength: mostChanges,
        });
  return (patch?.hunks ?? [replacement(before, after)]).map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldLines === 0 ? hunk.oldStart - 1 : hunk.oldStart,
    newStart: hunk.newLines === 0 ? hunk.newStart - 1 : hunk.newStart,
  }));
}

/** Everything out, everything in. */
function replacement(before: string, after: string): Hunk {
  const old = marked(before, '-');
  const fresh = marked(after, '+');
  return {
    oldStart: 1,
    oldLines: old.count,
    newStart: 1,
    newLines: fresh.count,
    lines: [...old.lines, ...fresh.lines],
  };
}

function marked(
  text: string,
  mark: '-' | '+',
): { readonly lines: readonly string[]; readonly count: number } {
  if (text === '') return { lines: [], count: 0 };
  const lines = text.split('\n').map((line) => mark + line);
  if (!text.endsWith('\n')) return { lines: [...lines, noLineEnd], count: lines.length };
  lines.pop();
  return { lines, count: lines.length };
}

const noLineEnd = '\\ No newline at end of file';
