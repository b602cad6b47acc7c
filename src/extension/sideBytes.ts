/** What an editor shows for one side of a file: its bytes, or a readable text in their place. Pure. */
import type { SideContent } from '../app/timelineApp.ts';
import type { Localizer } from './localizer.ts';

export function sideBytes(content: SideContent, l10n: Localizer): Uint8Array {
  switch (content.kind) {
    case 'bytes':
      return content.bytes;
    case 'absent':
      return new Uint8Array();
    case 'symlink':
      return text(l10n.t('Symbolic link to {0}', content.target));
    case 'directory':
      return text(l10n.t('A folder was here, with mode {0}.', content.mode.toString(8)));
    case 'unavailable':
      return text(l10n.t('This content cannot be shown: {0}', content.reason));
  }
}

function text(line: string): Uint8Array {
  return new TextEncoder().encode(`${line}\n`);
}
