/** Reads single values out of the text of a git configuration file, where git itself is not started. Pure. */

/** The last value of `core.<key>` in this text alone, unquoted; undefined when it names none. @param key in small letters */
export function coreValueIn(text: string, key: string): string | undefined {
  let section = '';
  let found: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    section = /^\s*\[\s*([^\]]*?)\s*\]/.exec(line)?.[1]?.toLowerCase() ?? section;
    const [, name, value] = /(?:^|\])\s*([a-z][a-z0-9-]*)\s*=\s*(.*)$/i.exec(line) ?? [];
    if (section === 'core' && name?.toLowerCase() === key && value !== undefined)
      found = unquoted(value);
  }
  return found;
}

function unquoted(value: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(value)?.[1];
  return (quoted ?? value.replace(/\s*[#;].*$/, '').trimEnd()).replace(/\\(.)/g, '$1');
}
