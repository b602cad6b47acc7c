/**
 * Puts imported files in the place of the lines that ask for them. What is not filled in stays as it is written, with a remark
 * behind it, and is reported: a cycle, a chain that is too deep, a file that is missing or may not be read, and whatever
 * would make the whole larger than can be meant. Of very many such lines only the first are.
 */
import path from 'node:path';
import { utf8Length } from '../core/tokenEstimate.ts';
import { directivesIn } from './directives.ts';
import { type DocumentRead, type DocumentText, readDocument } from './documentFile.ts';

export const importLimits = {
  /** Imports in imports in … */
  depth: 5,
  /** Bytes that all imports of all documents together may add. */
  bytes: 256 * 1024,
  /** Files filled in, all together. */
  count: 200,
  /** Files looked for, all together. */
  lookups: 1_000,
  /** Lines that get a remark, all together. */
  remarks: 300,
} as const;

/** Why a line was not filled in; `refused` ends with words of its own. */
export interface ImportProblem {
  /** Label of the file the line stands in. */
  readonly label: string;
  /** As it is written, with its `@`. */
  readonly line: string;
  readonly kind: 'cycle' | 'depth' | 'budget' | 'missing' | 'refused' | 'outside';
  /** The end of a sentence. */
  readonly reason: string;
  /** outside: the file that a person may approve. */
  readonly real?: string;
}

export interface ImportRules {
  readonly userHome: string;
  readonly labelOf: (file: string) => string;
  /** Whether a file may stand in a document of this kind. @param from real path of the file that asks for it */
  readonly mayRead: (file: DocumentText, from: string) => boolean;
}

/** Shared by all documents that are loaded together. */
export interface ImportBudget {
  bytes: number;
  count: number;
  remarks: number;
  /** Files read so far, by the path they were asked for. */
  readonly read: Map<string, DocumentRead>;
}

export function importBudget(): ImportBudget {
  const { bytes, count, remarks } = importLimits;
  return { bytes, count, remarks, read: new Map() };
}

export interface Expanded {
  readonly text: string;
  /** Whether anything was filled in. */
  readonly hasImports: boolean;
  readonly problems: readonly ImportProblem[];
}

/** @param file as it was found: imports are relative to its folder */
export function expandImports(
  file: string,
  document: DocumentText,
  rules: ImportRules,
  budget: ImportBudget,
): Expanded {
  const problems: ImportProblem[] = [];
  let hasImports = false;

  const fill = (at: string, { text, real }: DocumentText, chain: readonly string[]): string => {
    let filled = '';
    let done = 0;
    for (const { from, to, indent, path: written } of directivesIn(text)) {
      const wanted = wantedFile(at, written, rules.userHome);
      const import_ = take(wanted, real, chain);
      filled += text.slice(done, from);
      done = to;
      if ('reason' in import_) {
        filled += text.slice(from, to);
        if (budget.remarks-- <= 0) continue;
        problems.push({ label: rules.labelOf(at), line: `@${written}`, ...import_ });
        filled += ` <!-- not filled in: ${import_.reason} -->`;
      } else {
        hasImports = true;
        const inner = fill(import_.file, import_, [...chain, import_.identity]);
        filled += inner.trim().replaceAll(/^(?=.)/gm, indent);
      }
    }
    return filled + text.slice(done);
  };

  const take = (
    wanted: string | undefined,
    from: string,
    chain: readonly string[],
  ): Omit<ImportProblem, 'label' | 'line'> | (DocumentText & { readonly file: string }) => {
    if (wanted === undefined)
      return { kind: 'refused', reason: 'it names the home folder of somebody else' };
    // The file itself is the first of the chain.
    if (chain.length > importLimits.depth)
      return { kind: 'depth', reason: `more than ${importLimits.depth} files deep` };
    const known = budget.read.get(wanted);
    if (known === undefined && budget.read.size >= importLimits.lookups) return tooMuch;
    const read = known ?? readDocument(wanted);
    budget.read.set(wanted, read);
    if (read.kind === 'absent') return { kind: 'missing', reason: 'there is no such file' };
    if (read.kind === 'refused') return { kind: 'refused', reason: read.reason };
    if (!rules.mayRead(read, from)) {
      const why = holdsSecrets(read.real)
        ? 'such files hold secrets, and it'
        : 'it lies outside and';
      return { kind: 'outside', reason: `${why} is not approved`, real: read.real };
    }
    if (chain.includes(read.identity)) return { kind: 'cycle', reason: 'it would contain itself' };
    const size = utf8Length(read.text);
    if (size > budget.bytes || budget.count <= 0) return tooMuch;
    budget.bytes -= size;
    budget.count--;
    return { ...read, file: wanted };
  };

  const text = fill(file, document, [document.identity]);
  return { text, hasImports, problems };
}

/**
 * Files in which people and their tools keep passwords and keys, by their names and folders: a line that asks for one would send
 * it to a model, whoever has put the line there.
 */
export function holdsSecrets(real: string): boolean {
  const [name = '', ...folders] = real.toLowerCase().split(/[/\\]/).reverse();
  if (/\.(?:example|sample|template|dist|md|pub)$/.test(name)) return false;
  return secretNames.test(name) || folders.some((folder) => secretFolders.has(folder));
}

const secretFolders: ReadonlySet<string> = new Set([
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.password-store',
]);

const secretNames =
  /^(?:\.env(?:\..*|rc)?|\.netrc|_netrc|\.npmrc|\.pypirc|\.pgpass|\.my\.cnf|\.htpasswd|\.git-credentials|\.dockercfg|\.?credentials(?:\..*)?|.*[_-]credentials\.json|secrets?\..*|auth\.json|oauth_creds\.json|kubeconfig|\.\w+_history|id_(?:rsa|dsa|ecdsa|ed25519)|.*\.(?:pem|key|p12|pfx|ppk|keystore|jks|kdbx|tfvars|tfstate))$/;

const tooMuch = { kind: 'budget', reason: 'the imports are too large or too many' } as const;

/** Undefined for the home of another user. Both kinds of slashes count everywhere: repositories travel. */
function wantedFile(from: string, written: string, userHome: string): string | undefined {
  const named = written.replaceAll('\\', '/');
  if (named === '~' || named.startsWith('~/')) return path.join(userHome, named.slice(1));
  if (named.startsWith('~')) return undefined;
  return path.resolve(path.dirname(from), named);
}
