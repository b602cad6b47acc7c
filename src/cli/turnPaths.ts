/** Which files of a turn a person means: a path may start at the root or at the current folder. */
import { relative, resolve, sep } from 'node:path';
import { UserError } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import type { TouchSummary, TurnSummary } from '../core/timeline.ts';

/** The file of that path or those in that folder; all without a path. @throws UserError `notFound`. */
export function filesOfTurn(
  turn: TurnSummary,
  root: Root,
  cwd: string,
  path: string | undefined,
): readonly TouchSummary[] {
  if (path === undefined) return turn.files;
  for (const name of namesOf(path, root, cwd)) {
    const found = turn.files.filter(
      (file) => name === '' || file.path === name || file.path.startsWith(`${name}/`),
    );
    if (found.length > 0) return found;
  }
  throw untouched(turn, path);
}

/**
 * The one file of that path: what is about to be written must not be guessed.
 * @throws UserError `notFound`; `usage` when the path means two files, one from the root and one from here.
 */
export function fileOfTurn(turn: TurnSummary, root: Root, cwd: string, path: string): TouchSummary {
  const names = namesOf(path, root, cwd);
  const [found, other] = turn.files.filter((file) => names.includes(file.path));
  if (found === undefined) throw untouched(turn, path);
  if (other === undefined) return found;
  throw new UserError(
    'usage',
    `${path} may be ${found.path} or ${other.path}. Give the whole path.`,
    { path, matches: [found.path, other.path] },
  );
}

function namesOf(path: string, root: Root, cwd: string): readonly string[] {
  const fromRoot = path.replace(/^\.\//, '').replace(/\/$/, '');
  const fromHere = relative(root, resolve(cwd, path)).split(sep).join('/');
  return [fromRoot, fromHere];
}

function untouched(turn: TurnSummary, path: string): UserError {
  return new UserError('notFound', `Turn ${turn.number} did not change ${path}.`, {
    path,
    turn: turn.id,
  });
}
