/**
 * `.gitignore` patterns: parsing and matching as git does it. One rule set a file; a chain of them, weakest first, decides
 * about a path. Names are strings of `pathBytes`. Also used for the patterns of `.gitattributes`.
 */

export interface RuleSet {
  /** Folder the patterns are relative to: '' or a path without a slash at the end. */
  readonly base: string;
  readonly patterns: readonly Pattern[];
}

interface Pattern {
  readonly isNegated: boolean;
  readonly onlyFolders: boolean;
  readonly matches: (relative: string, name: string) => boolean;
}

/** @param text of the file, decoded by `bytesToName` */
export function parseIgnoreFile(text: string, base: string, foldCase: boolean): RuleSet {
  const patterns = text
    .replace(/^\ufeff/, '')
    .split('\n')
    .map((line) => parseLine(line.replace(/\r$/, ''), foldCase))
    .filter((pattern) => pattern !== undefined);
  return { base, patterns };
}

/** What the last matching pattern of the strongest set says; undefined when none matches. */
export function verdictOf(
  chain: readonly RuleSet[],
  path: string,
  name: string,
  isFolder: boolean,
): 'ignored' | 'included' | undefined {
  for (let i = chain.length - 1; i >= 0; i--) {
    const set = chain[i];
    if (set === undefined || set.patterns.length === 0) continue;
    const relative = set.base === '' ? path : path.slice(set.base.length + 1);
    for (let k = set.patterns.length - 1; k >= 0; k--) {
      const pattern = set.patterns[k];
      if (pattern === undefined || (pattern.onlyFolders && !isFolder)) continue;
      if (pattern.matches(relative, name)) return pattern.isNegated ? 'included' : 'ignored';
    }
  }
  return undefined;
}

/** A matcher for one pattern (no negation, no comment) relative to its file's folder. */
export function patternMatcher(
  pattern: string,
  foldCase: boolean,
): (relative: string, name: string) => boolean {
  const isAnchored = pattern.includes('/');
  const glob = pattern.replace(/^\//, '');
  if (!/[*?[\\]/.test(glob) && !foldCase)
    return isAnchored ? (relative) => relative === glob : (_, name) => name === glob;
  if (!isAnchored && /^\*[^*?[\\]+$/.test(glob) && !foldCase) {
    const suffix = glob.slice(1);
    return (_, name) => name.endsWith(suffix);
  }
  const expression = regexOf(glob, isAnchored, foldCase);
  if (expression === undefined) return () => false;
  return isAnchored ? (relative) => expression.test(relative) : (_, name) => expression.test(name);
}

function parseLine(line: string, foldCase: boolean): Pattern | undefined {
  if (line === '' || line.startsWith('#')) return undefined;
  const isNegated = line.startsWith('!');
  let glob = trimEnd(isNegated ? line.slice(1) : line);
  const onlyFolders = glob.endsWith('/');
  if (onlyFolders) glob = glob.slice(0, -1);
  if (glob === '' || glob === '/') return undefined;
  return { isNegated, onlyFolders, matches: patternMatcher(glob, foldCase) };
}

/** Spaces at the end go, unless a backslash keeps them. */
function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === ' ' && !isEscaped(text, end - 1)) end--;
  return text.slice(0, end);
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}

/** Undefined for a pattern that can match nothing (an open bracket, a backslash at the end). */
function regexOf(glob: string, isPath: boolean, foldCase: boolean): RegExp | undefined {
  let source = '';
  for (let at = 0; at < glob.length; ) {
    const rest = glob.slice(at);
    const stars = isPath ? doubleStar(glob, at) : undefined;
    if (stars) {
      source += stars.source;
      at += stars.length;
    } else if (rest[0] === '*') {
      source += isPath ? '[^/]*' : '.*';
      at += /^\*+/.exec(rest)?.[0].length ?? 1;
    } else if (rest[0] === '?') {
      source += isPath ? '[^/]' : '.';
      at++;
    } else if (rest[0] === '[') {
      const bracket = bracketAt(glob, at);
      if (bracket === undefined) return undefined;
      source += bracket.source;
      at = bracket.end;
    } else {
      if (rest[0] === '\\') at++;
      if (at >= glob.length) return undefined;
      source += escapeChar(glob[at] ?? '');
      at++;
    }
  }
  return new RegExp(`^${source}$`, foldCase ? 'is' : 's');
}

/** The three places where two stars mean "any number of folders". */
function doubleStar(glob: string, at: number): { source: string; length: number } | undefined {
  const isAfterSlash = at === 0 || glob[at - 1] === '/';
  if (!isAfterSlash || !glob.startsWith('**', at)) return undefined;
  if (glob[at + 2] === '/') return { source: '(?:.*/)?', length: 3 };
  return glob.length === at + 2 ? { source: '.*', length: 2 } : undefined;
}

const posixClasses: Readonly<Record<string, string>> = {
  alnum: 'A-Za-z0-9',
  alpha: 'A-Za-z',
  blank: ' \\t',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '\\x21-\\x7e',
  lower: 'a-z',
  print: '\\x20-\\x7e',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\s',
  upper: 'A-Z',
  xdigit: '0-9A-Fa-f',
};

function bracketAt(glob: string, start: number): { source: string; end: number } | undefined {
  let at = start + 1;
  const isNegated = glob[at] === '!' || glob[at] === '^';
  if (isNegated) at++;
  let inner = '';
  for (let isFirst = true; isFirst || glob[at] !== ']'; isFirst = false) {
    if (at >= glob.length) return undefined;
    const named = /^\[:([a-z]+):\]/.exec(glob.slice(at));
    if (named) {
      const set = posixClasses[named[1] ?? ''];
      if (set === undefined) return undefined;
      inner += set;
      at += named[0].length;
      continue;
    }
    if (glob[at] === '\\') at++;
    const low = glob[at++] ?? '';
    const isRange = glob[at] === '-' && glob[at + 1] !== undefined && glob[at + 1] !== ']';
    if (!isRange) {
      inner += escapeClass(low);
      continue;
    }
    at += glob[at + 1] === '\\' ? 2 : 1;
    const high = glob[at++] ?? '';
    if (low <= high) inner += `${escapeClass(low)}-${escapeClass(high)}`;
  }
  const positive = inner === '' ? '(?!)' : `[${inner}]`;
  return { source: isNegated ? `(?!${positive}|/).` : `(?!/)${positive}`, end: at + 1 };
}

function escapeChar(char: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char;
}

function escapeClass(char: string): string {
  return /[\\\]^-]/.test(char) ? `\\${char}` : char;
}
