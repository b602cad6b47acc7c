/**
 * The launcher: the one program agents' hook files name. It stays at its place while extensions and runtimes come and go,
 * and finds today's. A hook through it never fails; other verbs say what is missing.
 */
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, readIfExists, writeFileAtomic } from '../base/atomicFile.ts';
import type { NodeRuntime } from './findNode.ts';
import { perlClient } from './helper/shellClient.ts';

export interface LauncherOptions {
  /** Our home store; absolute. */
  readonly home: string;
  /** Absolute path of the bundle that only records hooks, and of the whole CLI. */
  readonly hookBundle: string;
  readonly cliBundle: string;
  /** A plain Node, from `findNode`. */
  readonly node: NodeRuntime | null;
  /** VS Code's own runtime (`process.execPath` in the extension host). */
  readonly electron: string | null;
  readonly platform: NodeJS.Platform;
}

export interface WrittenLauncher {
  /** What hook files name. */
  readonly file: string;
  /** What will run hooks, and the other verbs; null when nothing can. */
  readonly hookRuntime: string | null;
  readonly cliRuntime: string | null;
}

/** Where the launcher of a store is. */
export function launcherFile(home: string, platform: NodeJS.Platform): string {
  return path.join(home, 'bin', platform === 'win32' ? 'memcode-timeline.cmd' : 'memcode-timeline');
}

/** Writes it, whole or not at all, unless it is as it should be. @throws the system error. */
export function writeLauncher(options: LauncherOptions): WrittenLauncher {
  const folder = path.join(options.home, 'bin');
  makeFolder(folder);
  write(path.join(folder, 'memcode-timeline'), shellScript(options));
  if (options.platform === 'win32') {
    write(path.join(folder, 'memcode-timeline.cmd'), batchFile(options));
  }
  const node = options.node?.path ?? null;
  return {
    file: launcherFile(options.home, options.platform),
    hookRuntime: node ?? options.electron,
    cliRuntime: hasSqlite(options.node) ? node : options.electron,
  };
}

/** For POSIX shells; builtins and `exec` only, since every hook waits for it. */
export function shellScript(options: LauncherOptions): string {
  const { home, hookBundle, cliBundle, node, electron } = options;
  return `#!/bin/sh
# Starts Memcode Timeline, for agents' hooks and for people. The extension writes this file; changes are lost.
unset NODE_OPTIONS
[ -n "$MEMCODE_TIMELINE_HOME" ] || MEMCODE_TIMELINE_HOME=${quote(home)}
export MEMCODE_TIMELINE_HOME
node=${quote(node?.path ?? '')}
electron=${quote(electron ?? '')}
hook=${quote(hookBundle)}
cli=${quote(cliBundle)}
if [ "$1" = hook ]; then
  [ -r "$hook" ] || exit 0
  agent=$2
  event=$3
  if [ -x "$node" ]; then
    set -- "$node" "$hook" "$@"
  else
    [ -x "$electron" ] || exit 0
    ELECTRON_RUN_AS_NODE=1
    export ELECTRON_RUN_AS_NODE
    set -- "$electron" "$hook" "$@"
  fi
  # Where a helper runs it answers sooner than a Node starts.
  for door in "$MEMCODE_TIMELINE_HOME"/run/*.door; do
    [ -e "$door" ] && [ ! -t 0 ] && command -v perl >/dev/null 2>&1 || break
    # The locale is nothing to it, and a tenth of its start.
    PERL_SKIP_LOCALE_INIT=1
    export PWD PERL_SKIP_LOCALE_INIT
    exec perl -e '${perlClient}' "$MEMCODE_TIMELINE_HOME" "$agent" "$event" "$@"
  done
  exec "$@"
fi
if [ ! -r "$cli" ]; then
  printf '%s\\n' ${quote(bundleIsGone)} >&2
  exit 1
fi
${hasSqlite(node) ? '' : '# Too old for the database.\nnode=\n'}[ -x "$node" ] && exec "$node" ${flags} "$cli" "$@"
if [ -x "$electron" ]; then
  ELECTRON_RUN_AS_NODE=1
  export ELECTRON_RUN_AS_NODE
  exec "$electron" ${flags} "$cli" "$@"
fi
printf '%s\\n' ${quote(runtimeIsGone)} >&2
exit 1
`;
}

/** The same for Windows. */
export function batchFile(options: LauncherOptions): string {
  const { home, hookBundle, cliBundle, node, electron } = options;
  const paths = [home, hookBundle, cliBundle, node?.path ?? '', electron ?? ''];
  const isAscii = paths.every((text) => /^[ -~]*$/.test(text));
  const lines = [
    '@echo off',
    'rem Starts Memcode Timeline, for hooks of agents and for people. The extension writes this file; changes are lost.',
    'setlocal DisableDelayedExpansion',
    ...(isAscii ? [] : ['chcp 65001 >nul']),
    'set "NODE_OPTIONS="',
    `if not defined MEMCODE_TIMELINE_HOME set "MEMCODE_TIMELINE_HOME=${percent(home)}"`,
    `set "node=${percent(node?.path ?? '')}"`,
    `set "electron=${percent(electron ?? '')}"`,
    `set "hook=${percent(hookBundle)}"`,
    `set "cli=${percent(cliBundle)}"`,
    'if not "%~1"=="hook" goto other',
    'if not exist "%hook%" exit /b 0',
    'if not defined node goto hookElectron',
    'if not exist "%node%" goto hookElectron',
    '"%node%" "%hook%" %*',
    'exit /b 0',
    ':hookElectron',
    'if not exist "%electron%" exit /b 0',
    'set "ELECTRON_RUN_AS_NODE=1"',
    '"%electron%" "%hook%" %*',
    'exit /b 0',
    ':other',
    'if exist "%cli%" goto cli',
    `echo ${bundleIsGone}>&2`,
    'exit /b 1',
    ':cli',
    ...(hasSqlite(node) ? [] : ['rem Too old for the database.', 'set "node="']),
    'if not defined node goto cliElectron',
    'if not exist "%node%" goto cliElectron',
    `"%node%" ${flags} "%cli%" %*`,
    'exit /b %errorlevel%',
    ':cliElectron',
    'if not exist "%electron%" goto nothing',
    'set "ELECTRON_RUN_AS_NODE=1"',
    `"%electron%" ${flags} "%cli%" %*`,
    'exit /b %errorlevel%',
    ':nothing',
    `echo ${runtimeIsGone}>&2`,
    'exit /b 1',
  ];
  return `${lines.join('\r\n')}\r\n`;
}

const bundleIsGone =
  'Memcode Timeline has been updated or removed since this launcher was written. Open VS Code with the extension once, or install it again.';
const runtimeIsGone =
  'Memcode Timeline needs Node 22.13 or newer, or VS Code. Install one of them, then open VS Code with the extension once.';
/** Its one warning would otherwise stand above every output. */
const flags = '--disable-warning=ExperimentalWarning';

/** `node:sqlite` without a flag. */
function hasSqlite(node: NodeRuntime | null): boolean {
  if (node === null) return false;
  const [major = 0, minor = 0] = node.version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 13);
}

function write(file: string, text: string): void {
  const isThere = readIfExists(file) === text && (fs.statSync(file).mode & 0o777) === 0o700;
  if (!isThere) writeFileAtomic(file, text, { mode: 0o700 });
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function percent(text: string): string {
  return text.replaceAll('%', '%%');
}
