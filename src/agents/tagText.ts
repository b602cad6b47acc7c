/** Texts that clients put into a prompt between tags of their own. In one pass: a prompt may be long and full of tags. Pure. */

export interface TagText {
  /** Where the tag begins. */
  readonly at: number;
  readonly text: string;
}

/** What stands in the first element of this name, from its opening tag to the next closing one. Undefined without both. */
export function tagText(text: string, name: string): TagText | undefined {
  const at = openingOf(text, `<${name}`);
  if (at < 0) return undefined;
  const from = text.indexOf('>', at) + 1;
  const to = from === 0 ? -1 : text.indexOf(`</${name}>`, from);
  return to < 0 ? undefined : { at, text: text.slice(from, to) };
}

/** Not the beginning of a longer name. */
function openingOf(text: string, opening: string): number {
  for (let at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, at + 1))
    if (!/\w/.test(text.charAt(at + opening.length))) return at;
  return -1;
}
