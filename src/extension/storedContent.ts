/** What is stored of a file, whichever way it is named, and whether it can stand beside a file that is edited. Pure. */
import type { SideContent, TimelineApp } from '../app/timelineApp.ts';
import { UserError } from '../core/errors.ts';
import type { Localizer } from './localizer.ts';
import type { StoredFile } from './turnUri.ts';

export type Store = Pick<TimelineApp, 'content' | 'replaced'>;

/** @throws UserError as `TimelineApp.content` and `replaced`. */
export function storedContent(store: Store, file: StoredFile): SideContent {
  return 'turn' in file
    ? store.content(file.turn, file.path, file.side)
    : store.replaced(file.operation, file.path);
}

/** The arrows of a diff copy what they show: a sentence in place of bytes must never be among it. */
export function isComparable({ kind }: SideContent): boolean {
  return kind === 'bytes' || kind === 'absent';
}

/** @throws UserError `damaged` when it cannot. */
export function needComparable(store: Store, file: StoredFile, l10n: Localizer): void {
  const content = storedContent(store, file);
  if (isComparable(content)) return;
  const { path } = file;
  throw new UserError(
    'damaged',
    content.kind === 'unavailable'
      ? l10n.t('{0} cannot be compared: {1}', path, content.reason)
      : l10n.t('{0} cannot be compared: it was no file then.', path),
    { path },
  );
}
