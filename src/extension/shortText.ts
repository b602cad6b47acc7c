/** Cuts texts of agents and people to what a row, a title or a dialog shows. Pure. */

/** At most `max` UTF-16 units, with an ellipsis when cut; never half a character. */
export function cutText(text: string, max: number): string {
  const trimmed = text.trim();
  if (trimmed.length <= max) return trimmed;
  let end = max - 1;
  const last = trimmed.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end--;
  return `${trimmed.slice(0, end).trimEnd()}…`;
}

/** At most so many UTF-16 units and lines, with an ellipsis when cut. */
export function cutBlock(text: string, max: number, lines: number): string {
  const trimmed = text.trim();
  const all = trimmed.split(/\r\n|[\r\n]/);
  const few = all.length > lines ? `${all.slice(0, lines).join('\n').trimEnd()}…` : trimmed;
  return cutText(few, max);
}

/** The first line that is not blank. */
export function firstLine(text: string, max: number): string {
  const start = text.trimStart();
  const end = start.search(/[\r\n]/);
  return cutText(end === -1 ? start : start.slice(0, end), max);
}

/** Names, at most `max` of them; how many more there are is the caller's to say. */
export function firstFew<T>(items: readonly T[], max: number): { few: readonly T[]; more: number } {
  return items.length <= max
    ? { few: items, more: 0 }
    : { few: items.slice(0, max), more: items.length - max };
}

/** A message that VS Code makes no link of, whatever name of a file or prompt is in it. */
export function plainMessage(text: string): string {
  return text.replaceAll('](', ']\u200b(');
}

/** A label that VS Code puts no icon into: `$(trash)` in somebody's text is text. */
export function plainLabel(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}
