/**
 * Which paths git converts on their way into a blob (line ends, `ident`, filters such as LFS, encodings), so that the
 * blob in the user's index is not what is on the disk. Errs on the side of yes.
 */
import fs from 'node:fs';
import path from 'node:path';
import { readIfExists } from '../base/atomicFile.ts';
import { patternMatcher } from './ignoreRules.ts';
import { bytesToName } from './pathBytes.ts';
import { askGit } from './runGit.ts';

export type Converts = (path: string) => boolean;

const converting = /^(?:text|eol|crlf|filter|ident|working-tree-encoding)(?:=|$)/;

/** Everything may be converted, or is in a form not known here. */
export const convertsAll: Converts = () => true;

/** Nothing is converted. */
export const convertsNone: Converts = () => false;

/** What git says its settings are: one process, which reads only. Undefined when it cannot be asked. */
export type GitSettings = ReadonlyMap<string, string> | undefined;

export interface ConversionSources {
  readonly root: string;
  /** `.git`, shared by all work trees. */
  readonly commonFolder: string;
  /** Folders of the work tree that hold a `.gitattributes`: '' or paths. */
  readonly attributeFolders: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly settings: GitSettings;
}

/** Never rejects. */
export async function gitSettings(
  root: string,
  environment: NodeJS.ProcessEnv,
): Promise<GitSettings> {
  const text = await askGit(root, ['config', '--list', '-z'], environment);
  if (text === undefined) return undefined;
  return new Map(
    text.split('\0').map((row): [string, string] => {
      const end = row.indexOf('\n');
      return end < 0 ? [row, 'true'] : [row.slice(0, end), row.slice(end + 1)];
    }),
  );
}

export function conversionsOf(sources: ConversionSources): Converts {
  const { settings } = sources;
  if (settings === undefined) return convertsAll;
  const isUnusual =
    /^(?:true|yes|on|1|input)$/i.test(settings.get('core.autocrlf') ?? '') ||
    settings.has('extensions.partialclone') ||
    /^(?!sha1$)/i.test(settings.get('extensions.objectformat') ?? 'sha1');
  if (isUnusual) return convertsAll;
  const rules: Converts[] = [];
  for (const { text, base } of attributeTexts(sources, settings.get('core.attributesfile')))
    for (const line of text.split('\n')) {
      const rule = ruleOf(line.replace(/\r$/, ''), base);
      if (rule === convertsAll) return convertsAll;
      if (rule) rules.push(rule);
    }
  return rules.length === 0 ? convertsNone : (at) => rules.some((rule) => rule(at));
}

function attributeTexts(
  { root, commonFolder, attributeFolders, environment }: ConversionSources,
  named: string | undefined,
): readonly { readonly text: string; readonly base: string }[] {
  const home = environment['HOME'] ?? environment['USERPROFILE'] ?? '';
  const shared = environment['XDG_CONFIG_HOME'] || path.join(home, '.config');
  const outside = [
    '/etc/gitattributes',
    named?.replace(/^~(?=\/)/, home) ?? path.join(shared, 'git', 'attributes'),
    path.join(commonFolder, 'info', 'attributes'),
  ];
  return [
    ...outside.map((file) => ({ text: readIfExists(path.resolve(root, file)) ?? '', base: '' })),
    ...attributeFolders.map((base) => ({
      text: textIn(path.join(root, base, '.gitattributes')),
      base,
    })),
  ];
}

function textIn(file: string): string {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  return stat?.isFile() ? bytesToName(fs.readFileSync(file)) : '';
}

/** Undefined for a line that converts nothing. */
function ruleOf(line: string, base: string): Converts | undefined {
  const words = line.trim().split(/[ \t]+/);
  const [pattern = '', ...attributes] = words;
  if (pattern === '' || pattern.startsWith('#')) return undefined;
  // `-text`, `!text` and `binary` convert nothing.
  if (!attributes.some((attribute) => converting.test(attribute))) return undefined;
  // Macros, and patterns in quotes, are rare enough to take no chance.
  if (pattern.startsWith('[attr]') || pattern.startsWith('"')) return convertsAll;
  const matches = patternMatcher(pattern, false);
  return (at) => {
    if (base !== '' && !at.startsWith(`${base}/`)) return false;
    const relative = base === '' ? at : at.slice(base.length + 1);
    return matches(relative, relative.slice(relative.lastIndexOf('/') + 1));
  };
}
