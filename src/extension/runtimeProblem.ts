/** Whether this VS Code can run us. Pure. */
import type { Localizer } from './localizer.ts';

/**
 * A sentence when it cannot, else null.
 * @param hasBuiltin whether the runtime has a built-in module
 */
export function runtimeProblem(
  hasBuiltin: (name: string) => boolean,
  version: string,
  l10n: Localizer,
): string | null {
  if (hasBuiltin('node:sqlite')) return null;
  return l10n.t(
    'Memcode Timeline needs VS Code 1.105 or newer, for its SQLite. This one is {0}.',
    version,
  );
}
