/**
 * The user's own ignore rules for all repositories: the file that `core.excludesFile` names, else `~/.config/git/ignore`.
 * Found without starting git, except where the configuration includes other files.
 */
import fs from 'node:fs';
import path from 'node:path';
import { readIfExists } from '../base/atomicFile.ts';
import { coreValueIn } from './configText.ts';
import { runGit } from './runGit.ts';

export interface ExcludesPlace {
  readonly root: string;
  /** `.git`, shared by all work trees. */
  readonly commonFolder: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** A function that finds it, and reads the configuration again only when that has changed. Undefined: there is none. */
export function excludesFinder(): (place: ExcludesPlace) => string | undefined {
  let seen: string | undefined;
  let found: string | undefined;
  return (place) => {
    const files = configFiles(place);
    const now = files.map((file) => `${file} ${changeTime(file)}`).join('\n');
    if (now !== seen) found = find(place, files);
    seen = now;
    return found;
  };
}

function find({ root, environment }: ExcludesPlace, files: readonly string[]): string | undefined {
  const home = homeOf(environment);
  if (home === undefined) return undefined;
  let named: string | undefined;
  for (const file of files) {
    const text = readIfExists(file) ?? '';
    if (/^\s*\[\s*include/im.test(text)) {
      const args = ['config', '--type=path', '--get', 'core.excludesFile'];
      const { code, stdout } = runGit(root, args, environment);
      named = code === 0 ? stdout.toString().trimEnd() : undefined;
      break;
    }
    named = coreValueIn(text, 'excludesfile') ?? named;
  }
  if (named === undefined) return path.join(configFolder(environment, home), 'git', 'ignore');
  return named === '' ? undefined : path.resolve(root, named.replace(/^~(?=[\\/])/, home));
}

/** From the weakest to the strongest. */
function configFiles({ commonFolder, environment }: ExcludesPlace): readonly string[] {
  const home = homeOf(environment);
  return [
    '/etc/gitconfig',
    ...(home === undefined
      ? []
      : [
          path.join(configFolder(environment, home), 'git', 'config'),
          path.join(home, '.gitconfig'),
        ]),
    path.join(commonFolder, 'config'),
  ];
}

function homeOf(environment: NodeJS.ProcessEnv): string | undefined {
  return environment['HOME'] || environment['USERPROFILE'] || undefined;
}

function configFolder(environment: NodeJS.ProcessEnv, home: string): string {
  return environment['XDG_CONFIG_HOME'] || path.join(home, '.config');
}

function changeTime(file: string): string {
  const stat = fs.statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.mtimeNs} ${stat.ctimeNs}` : '';
}
