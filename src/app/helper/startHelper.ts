/** Starts a root's helper as a process of its own, which outlives the one that starts it. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Root } from '../../core/ids.ts';

export interface HelperProgram {
  /** A Node, or VS Code's runtime; absolute. */
  readonly runtime: string;
  readonly isElectron: boolean;
  /** `helper.cjs`; absolute. */
  readonly bundle: string;
}

/** The program beside a bundle of ours, run by what runs this process. @param folder `dist` */
export function helperProgram(folder: string): HelperProgram {
  return {
    runtime: process.execPath,
    isElectron: process.versions['electron'] !== undefined,
    bundle: path.join(folder, 'helper.cjs'),
  };
}

/** Never throws: without a helper everything works, only slower. @returns whether a process was started */
export function startHelper(
  program: HelperProgram,
  place: { readonly home: string; readonly root: Root },
  environment: NodeJS.ProcessEnv,
  onError: (error: Error) => void,
): boolean {
  if (!fs.existsSync(program.bundle) || !fs.existsSync(program.runtime)) return false;
  const { NODE_OPTIONS: _, ELECTRON_RUN_AS_NODE: __, ...rest } = environment;
  const child = spawn(
    program.runtime,
    ['--disable-warning=ExperimentalWarning', program.bundle, place.home, place.root],
    {
      // Not the root: a folder that is some process's own cannot be removed on Windows.
      cwd: place.home,
      detached: true,
      stdio: 'ignore',
      windowsHide: true,
      env: program.isElectron ? { ...rest, ELECTRON_RUN_AS_NODE: '1' } : rest,
    },
  );
  child.on('error', onError);
  child.unref();
  return true;
}
