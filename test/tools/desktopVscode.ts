/** A desktop VS Code on this machine, if there is one that can show a window. */
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** The command `code` on the PATH. */
export function findCodeCommand(): string | undefined {
  if (!hasDisplay()) return undefined;
  const name = process.platform === 'win32' ? 'code.cmd' : 'code';
  return (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, name))
    .find((file) => existsSync(file));
}

/** The program itself, as test-electron wants it: `VSCODE_EXECUTABLE`, or what belongs to the command `code`. */
export function findDesktopVscode(): string | undefined {
  const named = process.env['VSCODE_EXECUTABLE'];
  if (named !== undefined && named !== '') return named;
  const command = findCodeCommand();
  if (command === undefined) return undefined;
  const bin = path.dirname(realpathSync(command));
  return ['../code', '../Code.exe', '../../../MacOS/Electron', '../../../MacOS/Code']
    .map((relative) => path.resolve(bin, relative))
    .find((file) => existsSync(file));
}

function hasDisplay(): boolean {
  if (process.platform !== 'linux') return true;
  return Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
}
