/** Finds a Node that hooks can run with: it starts faster than VS Code's own runtime. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

export interface NodeRuntime {
  /** Absolute. */
  readonly path: string;
  /** `24.1.0`. */
  readonly version: string;
}

export interface FindNodeOptions {
  readonly platform: NodeJS.Platform;
  /** Asks a program for `<version> <path of the real program>`; replaced in tests. */
  readonly ask?: (program: string) => Promise<string | undefined>;
}

/** What our bundles are built for. */
const oldest = 20;
/** From here on a Node runs the whole CLI, not only hooks. */
const preferred = [22, 13] as const;
/** Programs that are started at most; each may take a while. */
const mostAsked = 3;

/**
 * The first Node in the search path that has our database, else the first that can run hooks, else null. A project's own
 * Node does not count, because it goes with the project.
 * @param searchPath the value of PATH.
 */
export async function findNode(
  searchPath: string | undefined,
  options: FindNodeOptions,
): Promise<NodeRuntime | null> {
  const ask = options.ask ?? askProgram;
  let asked = 0;
  let fallback: NodeRuntime | null = null;
  for (const program of candidates(searchPath ?? '', options.platform)) {
    let found = fromHeader(program);
    if (found === undefined && asked < mostAsked) {
      asked++;
      found = fromAnswer(program, await ask(program));
    }
    if (found === undefined) continue;
    const [major = 0, minor = 0] = found.version.split('.').map(Number);
    if (major > preferred[0] || (major === preferred[0] && minor >= preferred[1])) return found;
    if (major >= oldest) fallback ??= found;
  }
  return fallback;
}

function candidates(searchPath: string, platform: NodeJS.Platform): readonly string[] {
  const name = platform === 'win32' ? 'node.exe' : 'node';
  const seen = new Set<string>();
  return searchPath
    .split(platform === 'win32' ? ';' : ':')
    .filter((folder) => path.isAbsolute(folder) && !/[\\/]node_modules[\\/]/.test(folder))
    .map((folder) => path.join(folder, name))
    .filter((program) => {
      const real = realProgram(program);
      if (real === undefined || seen.has(real)) return false;
      seen.add(real);
      return true;
    });
}

/** Undefined when it is no program that may be started. */
function realProgram(program: string): string | undefined {
  try {
    fs.accessSync(program, fs.constants.X_OK);
    return fs.statSync(program).isFile() ? fs.realpathSync(program) : undefined;
  } catch {
    // Not there, or not ours to run: no candidate.
    return undefined;
  }
}

/** Official builds and version managers bring the headers along: no need to start anything. */
function fromHeader(program: string): NodeRuntime | undefined {
  const prefix = path.dirname(path.dirname(fs.realpathSync(program)));
  let header: string;
  try {
    header = fs.readFileSync(path.join(prefix, 'include/node/node_version.h'), 'utf8');
  } catch {
    // No headers there: the program is asked.
    return undefined;
  }
  const parts = ['MAJOR', 'MINOR', 'PATCH'].map(
    (part) => new RegExp(`^#define NODE_${part}_VERSION (\\d+)`, 'm').exec(header)?.[1],
  );
  return parts.includes(undefined) ? undefined : { path: program, version: parts.join('.') };
}

/** A version manager's stand-in (asdf, Volta) depends on the folder it is started in: the real program is taken then. */
function fromAnswer(program: string, answer: string | undefined): NodeRuntime | undefined {
  const [, version, real] = /^(\d+\.\d+\.\d+)\S* (.+)$/m.exec(answer ?? '') ?? [];
  if (version === undefined || real === undefined) return undefined;
  const isStandIn = fs.realpathSync(program) !== real && path.isAbsolute(real);
  return { path: isStandIn ? real : program, version };
}

function askProgram(program: string): Promise<string | undefined> {
  const { NODE_OPTIONS: _, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(
      program,
      ['-p', 'process.versions.node + " " + process.execPath'],
      { timeout: 3000, env, windowsHide: true },
      (error, stdout) => resolve(error === null ? stdout : undefined),
    );
  });
}
