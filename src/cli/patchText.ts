/** A patch for the stream it goes to: exact bytes for a file or a pipe, harmless and coloured for a terminal. */
import type { PatchLine, PatchLineKind } from './gitPatch.ts';
import type { Output } from './output.ts';
import { neutraliseLine, paint, type Style } from './text.ts';

const styles: Readonly<Record<PatchLineKind, Style | undefined>> = {
  header: 'bold',
  hunk: 'cyan',
  added: 'green',
  removed: 'red',
  context: undefined,
  note: 'dim',
};

export function printPatch(out: Output, lines: readonly PatchLine[]): void {
  if (!out.toTerminal) {
    out.raw(Buffer.from(joined(lines), 'latin1'));
    return;
  }
  for (const { kind, text } of lines) {
    const shown = neutraliseLine(utf8(text));
    const style = styles[kind];
    out.raw(`${out.colour && style !== undefined ? paint(style, shown) : shown}\n`);
  }
}

/** As text; bytes that are not UTF-8 become replacement characters. */
export function patchText(lines: readonly PatchLine[]): string {
  return utf8(joined(lines));
}

/** The text that a string of bytes (one character each) stands for. */
export function utf8(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}

function joined(lines: readonly PatchLine[]): string {
  return lines.map(({ text }) => `${text}\n`).join('');
}
