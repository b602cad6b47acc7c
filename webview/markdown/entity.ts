/** Entities as Markdown writes them: the few that agents use, and any by number. Pure. */

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  larr: '←',
  rarr: '→',
  times: '×',
};

/** @param text `&amp;`, `&#38;` or `&#x26;`; what is not known stays as it is written */
export function entityText(text: string): string {
  const name = text.slice(1, -1);
  if (!name.startsWith('#')) return named[name] ?? text;
  const isHex = name[1] === 'x' || name[1] === 'X';
  const code = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10);
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : '\ufffd';
}
