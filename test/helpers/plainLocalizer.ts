/** Words as they stand in the code, with their arguments put in: what `vscode.l10n` does without a translation. */
import type { Localizer } from '../../src/extension/localizer.ts';

export const plainLocalizer: Localizer = {
  t: (message, ...args) =>
    message.replace(/\{(\d+)\}/g, (placeholder, index) =>
      String(args[Number(index)] ?? placeholder),
    ),
};
