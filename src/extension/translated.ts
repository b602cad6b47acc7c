/** A page's sentences in the person's language. */
import * as vscode from 'vscode';

/** @param strings English, by id */
export function translated(
  strings: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(strings).map(([id, english]) => [id, vscode.l10n.t(english)]),
  );
}
