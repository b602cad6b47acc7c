/** The part of `vscode.l10n` that texts need; passed in, so that what decides on words runs without VS Code. */
export interface Localizer {
  /** @param message may hold `{0}`, `{1}`, … for the arguments. */
  t(message: string, ...args: (string | number | boolean)[]): string;
}

export function countFiles(l10n: Localizer, count: number): string {
  return count === 1 ? l10n.t('1 file') : l10n.t('{0} files', count);
}

export function countTurns(l10n: Localizer, count: number): string {
  return count === 1 ? l10n.t('1 turn') : l10n.t('{0} turns', count);
}
