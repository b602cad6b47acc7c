/**
 * Finds the paths in `*** Begin Patch` texts: every file a patch adds, updates, deletes, or moves, from and to. Relative
 * paths stay relative. Pure, part of the hook.
 */
import { isAbsolute } from './fields.ts';

const header = /^[ \t]*\*\*\* (?:(?:Add|Update|Delete) File|Move to): *(.+)$/gm;

/** In order of appearance, each once. */
export function patchPaths(text: string): readonly string[] {
  const paths = new Set<string>();
  for (const [, path] of text.matchAll(header)) paths.add((path ?? '').trim());
  paths.delete('');
  return [...paths];
}

export interface ShellPatch {
  readonly paths: readonly string[];
  /** The command is this patch and nothing else: Codex applies it itself and then sends no event after it. */
  readonly alone: boolean;
}

/** The patch in a shell command (`apply_patch <<'EOF' …`, also after `cd DIR &&`); undefined when there is none. */
export function shellPatch(command: string): ShellPatch | undefined {
  const start =
    /^\s*(?:cd\s+(?:"([^"\n]+)"|'([^'\n]+)'|([^\s"';&|]+))\s*&&\s*)?apply_?patch\b/.exec(command);
  if (!start && !/\bapply_?patch\b/.test(command)) return undefined;
  const found = patchPaths(command);
  if (found.length === 0) return undefined;
  const folder = start?.[1] ?? start?.[2] ?? start?.[3];
  const endMark = '*** End Patch';
  const end = command.lastIndexOf(endMark);
  const rest = end < 0 ? '' : command.slice(end + endMark.length, end + endMark.length + 100);
  return {
    paths: folder === undefined ? found : found.map((path) => below(folder, path)),
    alone: start !== null && end > 0 && /^\s*["']?\w*["']?\s*$/.test(rest),
  };
}

function below(folder: string, path: string): string {
  return isAbsolute(path) ? path : `${folder.replace(/[\\/]+$/, '')}/${path}`;
}
