/** Writes a `FileDiff` as `git diff` would, without the `index` lines: `git apply` and `patch` take it. Pure. */
import type { SideContent } from '../app/timelineApp.ts';
import { type FileDiff, type FileStep, fileDiff, type Hunk } from './fileDiff.ts';
import { octal } from './octal.ts';

export type PatchLineKind = 'header' | 'hunk' | 'added' | 'removed' | 'context' | 'note';

export interface PatchLine {
  readonly kind: PatchLineKind;
  /** Without its line end; each character is one byte (Latin-1). */
  readonly text: string;
}

/** What cannot be written as a patch is a line that starts with `#`, which tools that apply patches skip. */
export function gitPatch(diff: FileDiff): readonly PatchLine[] {
  if (diff.kind === 'directory') return [note(`${diff.path}: ${diff.text}`)];
  if (diff.kind === 'unavailable')
    return [note(`${diff.path}: the difference cannot be shown: ${diff.reason}`)];
  return diff.steps.flatMap((step) => stepLines(diff.path, step));
}

/** The change of one text file outside any root, with its name as it is. Null: there is no file. */
export function textPatch(
  file: string,
  before: string | null,
  after: string | null,
): readonly PatchLine[] {
  const side = (text: string | null): SideContent =>
    text === null
      ? { kind: 'absent' }
      : { kind: 'bytes', bytes: Buffer.from(text), verified: true };
  const diff = fileDiff(file, side(before), side(after));
  const hunks = diff.kind === 'steps' ? (diff.steps[0]?.hunks ?? []) : [];
  const name = quoted(file);
  return [
    header(`--- ${before === null ? '/dev/null' : ended(name)}`),
    header(`+++ ${after === null ? '/dev/null' : ended(name)}`),
    ...hunks.flatMap(blockLines),
  ];
}

function stepLines(path: string, step: FileStep): readonly PatchLine[] {
  const { before, after, hunks } = step;
  const modes = modeLines(before, after);
  const lines = [...permissionNote(path, before, after)];
  const body = hunks === null ? binaryLines(path, step) : hunkLines(path, step, hunks);
  if (modes.length === 0 && body.length === 0)
    return lines.length > 0 ? lines : [note(`${path}: the same before and after`)];
  const names = `diff --git ${quoted(`a/${path}`)} ${quoted(`b/${path}`)}`;
  return [...lines, header(names), ...modes.map(header), ...body];
}

function modeLines(before: SideContent, after: SideContent): readonly string[] {
  if (before.kind === 'absent' && after.kind === 'absent') return [];
  if (before.kind === 'absent') return [`new file mode ${gitMode(after) ?? '100644'}`];
  if (after.kind === 'absent') return [`deleted file mode ${gitMode(before) ?? '100644'}`];
  const old = gitMode(before);
  const fresh = gitMode(after);
  if (old === undefined || fresh === undefined || old === fresh) return [];
  return [`old mode ${old}`, `new mode ${fresh}`];
}

/** Git knows one bit of a mode only; what it cannot say is said beside it. */
function permissionNote(
  path: string,
  before: SideContent,
  after: SideContent,
): readonly PatchLine[] {
  if (before.kind !== 'bytes' || after.kind !== 'bytes') return [];
  if (before.mode === undefined || after.mode === undefined || before.mode === after.mode)
    return [];
  if (gitMode(before) !== gitMode(after)) return [];
  return [note(`${path}: permissions ${octal(before.mode)} -> ${octal(after.mode)}`)];
}

function gitMode(side: SideContent): string | undefined {
  if (side.kind === 'symlink') return '120000';
  if (side.kind !== 'bytes' || side.mode === undefined) return undefined;
  return (side.mode & 0o100) === 0 ? '100644' : '100755';
}

function binaryLines(path: string, { before, after }: FileStep): readonly PatchLine[] {
  if (before.kind === 'bytes' && after.kind === 'bytes' && sameBytes(before.bytes, after.bytes))
    return [];
  const { old, fresh } = sideNames(path, before, after);
  return [header(`Binary files ${old} and ${fresh} differ`)];
}

function hunkLines(
  path: string,
  { before, after }: FileStep,
  hunks: readonly Hunk[],
): readonly PatchLine[] {
  if (hunks.length === 0) return [];
  const { old, fresh } = sideNames(path, before, after);
  return [header(`--- ${ended(old)}`), header(`+++ ${ended(fresh)}`), ...hunks.flatMap(blockLines)];
}

function blockLines(hunk: Hunk): readonly PatchLine[] {
  const from = range(hunk.oldStart, hunk.oldLines);
  const to = range(hunk.newStart, hunk.newLines);
  return [
    { kind: 'hunk', text: `@@ -${from} +${to} @@` },
    ...hunk.lines.map((text) => ({ kind: kindOf(text), text })),
  ];
}

function sideNames(
  path: string,
  before: SideContent,
  after: SideContent,
): { readonly old: string; readonly fresh: string } {
  return {
    old: before.kind === 'absent' ? '/dev/null' : quoted(`a/${path}`),
    fresh: after.kind === 'absent' ? '/dev/null' : quoted(`b/${path}`),
  };
}

/** A name with blanks in it is closed by a tab, or a reader would take the rest for a date. */
function ended(name: string): string {
  return name.includes(' ') && !name.startsWith('"') ? `${name}\t` : name;
}

function range(start: number, lines: number): string {
  return lines === 1 ? String(start) : `${start},${lines}`;
}

function kindOf(line: string): PatchLineKind {
  if (line.startsWith('+')) return 'added';
  if (line.startsWith('-')) return 'removed';
  return line.startsWith('\\') ? 'note' : 'context';
}

const escapes: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\u000b': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

/** Git's C-style quotes, only around names that need them; bytes above ASCII stay (`core.quotePath=false`). */
function quoted(name: string): string {
  const bytes = byteText(name);
  const escaped = bytes.replace(/[\p{Cc}"\\]/gu, (char) => escapes[char] ?? escapeOctal(char));
  return escaped === bytes ? bytes : `"${escaped}"`;
}

function escapeOctal(char: string): string {
  const code = char.charCodeAt(0);
  return code >= 0x80 ? char : `\\${code.toString(8).padStart(3, '0')}`;
}

function header(text: string): PatchLine {
  return { kind: 'header', text };
}

function note(text: string): PatchLine {
  return { kind: 'note', text: byteText(`# ${text.replaceAll('\n', '\\n')}`) };
}

/** UTF-8 bytes, one character each. */
function byteText(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
