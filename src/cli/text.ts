/**
 * Text for a terminal: styled pieces, their width in columns, and making foreign text harmless. Every string that is
 * rendered here passes `neutralise`, so a prompt or a file name cannot send escape sequences; styles are added after.
 */

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';
export type Text = string | Styled | readonly Text[];

export interface Styled {
  readonly style: Style;
  readonly text: string;
}

const codes: Readonly<Record<Style, readonly [on: number, off: number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

export const styled = (style: Style, text: string): Styled => ({ style, text });

/** What goes to the stream: harmless, and coloured when asked. */
export function render(text: Text, colour: boolean): string {
  return pieces(text)
    .map(({ text: piece, style }) => {
      const safe = neutralise(piece);
      return colour && style !== undefined && safe !== '' ? paint(style, safe) : safe;
    })
    .join('');
}

/** Puts the codes of a style around a text that is already harmless. */
export function paint(style: Style, text: string): string {
  const [on, off] = codes[style];
  return `\u001b[${on}m${text}\u001b[${off}m`;
}

// Controls (C0, DEL, C1), line and paragraph separators, and the marks that reorder or hide what is read.
const unsafe = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** The text with everything a terminal would act upon written as an escape (`\x1b`, `\n`, `\u202e`). */
export function neutralise(text: string): string {
  return text.replace(unsafe, visible);
}

/** As `neutralise`, for one line of a file shown on a terminal: a tab stays a tab. */
export function neutraliseLine(line: string): string {
  return line.replace(unsafe, (char) => (char === '\t' ? char : visible(char)));
}

/** One line of JSON text that is also safe to print: what JSON allows but a terminal acts upon is escaped. */
export function neutraliseJson(json: string): string {
  return json.replace(unsafe, (char) =>
    char === '\n' ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function visible(char: string): string {
  if (char === '\n') return '\\n';
  if (char === '\t') return '\\t';
  if (char === '\r') return '\\r';
  const code = char.charCodeAt(0).toString(16);
  return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u${code.padStart(4, '0')}`;
}

/** Columns that the rendered text takes. */
export function widthOf(text: Text): number {
  return pieces(text).reduce((sum, piece) => sum + columns(neutralise(piece.text)), 0);
}

/** The text cut to so many columns, the last of them `…` when something was cut. */
export function cut(text: Text, width: number): Text {
  if (widthOf(text) <= width) return text;
  const kept: Text[] = [];
  let left = width - 1;
  for (const piece of pieces(text)) {
    let part = '';
    let full = false;
    for (const { segment } of graphemes.segment(neutralise(piece.text))) {
      const needed = columns(segment);
      full = needed > left;
      if (full) break;
      part += segment;
      left -= needed;
    }
    const shown = full ? `${part}…` : part;
    kept.push(piece.style === undefined ? shown : styled(piece.style, shown));
    if (full) break;
  }
  return kept;
}

/** The first line, with `…` when there are more. */
export function firstLine(text: string): string {
  const lines = text.trim().split(/\r\n|\r|\n/);
  const first = lines[0]?.trimEnd() ?? '';
  return lines.length > 1 ? `${first} …` : first;
}

interface Piece {
  readonly text: string;
  readonly style?: Style;
}

function pieces(text: Text): readonly Piece[] {
  if (typeof text === 'string') return [{ text }];
  return 'style' in text ? [text] : text.flatMap(pieces);
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const printableAscii = /^[\x20-\x7e]*$/;
const noWidth = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
const doubleWidth =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;

function columns(text: string): number {
  if (printableAscii.test(text)) return text.length;
  let sum = 0;
  for (const { segment } of graphemes.segment(text)) {
    if (noWidth.test(segment)) continue;
    sum += doubleWidth.test(segment) ? 2 : 1;
  }
  return sum;
}
