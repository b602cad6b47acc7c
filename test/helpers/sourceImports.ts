/** What source files import, read from their text. Relies on the formatter: an import begins a line, quotes are single. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface SourceImport {
  /** Relative to the project, `/`-separated. */
  readonly file: string;
  /** As written for packages and built-in modules; a file of the project relative to the project. */
  readonly target: string;
}

const statement = /^(?:import|export)\b[^'"`;]*?\bfrom '([^']+)'|^import '([^']+)'/gm;
const expression = /\bimport\(\s*'([^']+)'/g;

/** The modules a text imports, types included, as written. */
export function importsOf(text: string): readonly string[] {
  return [...text.matchAll(statement), ...text.matchAll(expression)].flatMap(
    ([, from, bare]) => from ?? bare ?? [],
  );
}

/** Files below the project that match, relative to it, sorted. */
export function sourceFiles(project: string, ...globs: readonly string[]): readonly string[] {
  return globs
    .flatMap((glob) => globSync(glob, { cwd: project }))
    .map((file) => file.replaceAll(path.sep, '/'))
    .sort();
}

export function sourceImports(project: string, files: readonly string[]): readonly SourceImport[] {
  return files.flatMap((file) =>
    importsOf(readFileSync(path.join(project, file), 'utf8')).map((written) => ({
      file,
      target: written.startsWith('.')
        ? path.posix.join(path.posix.dirname(file), written)
        : written,
    })),
  );
}
