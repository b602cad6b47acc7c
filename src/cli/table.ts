/** Rows in aligned columns. */
import { cut, styled, type Text, widthOf } from './text.ts';

export interface Column {
  /** Heading; a table whose headings are all empty has no heading row. */
  readonly title: string;
  readonly align?: 'right';
  /** Is cut when the line is too long: for what other verbs show whole. At most one column a table. */
  readonly flexible?: boolean;
}

const gap = '  ';
const narrowest = 12;

/**
 * The lines of a table, each with `indent` spaces before it.
 * @param width columns of the terminal; 0 when lines may be as long as they like.
 */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly Text[])[],
  width: number,
  indent = 0,
): readonly Text[] {
  const headed = columns.some((column) => column.title !== '');
  const titles = columns.map((column) => styled('dim', column.title));
  const all = headed ? [titles, ...rows] : rows;
  const used = columns.map((_, at) => all.some((row) => widthOf(row[at] ?? '') > 0));
  const widths = columns.map((_, at) =>
    all.reduce((most, row) => Math.max(most, widthOf(row[at] ?? '')), 0),
  );
  const limits = fit(columns, widths, used, width - indent);
  return all.map((row) => lineOf(columns, row, limits, used, indent));
}

function fit(
  columns: readonly Column[],
  widths: readonly number[],
  used: readonly boolean[],
  width: number,
): readonly number[] {
  const flexible = columns.findIndex((column) => column.flexible);
  const shown = widths.filter((_, at) => used[at]);
  const total = shown.reduce((sum, each) => sum + each, 0) + gap.length * (shown.length - 1);
  if (width <= 0 || flexible < 0 || total <= width) return widths;
  const own = widths[flexible] ?? 0;
  const given = Math.max(Math.min(own, narrowest), own - (total - width));
  return widths.map((each, at) => (at === flexible ? given : each));
}

function lineOf(
  columns: readonly Column[],
  row: readonly Text[],
  widths: readonly number[],
  used: readonly boolean[],
  indent: number,
): Text {
  const line: Text[] = [' '.repeat(indent)];
  const last = row.reduce<number>((found, cell, at) => (widthOf(cell) > 0 ? at : found), -1);
  columns.forEach((column, at) => {
    if (!used[at] || at > last) return;
    const limit = widths[at] ?? 0;
    const cell = cut(row[at] ?? '', limit);
    const padding = ' '.repeat(Math.max(0, limit - widthOf(cell)));
    if (line.length > 1) line.push(gap);
    if (column.align === 'right') line.push(padding, cell);
    else line.push(cell, at === last ? '' : padding);
  });
  return line;
}
