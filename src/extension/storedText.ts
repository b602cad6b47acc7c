/** The texts that are made of what is stored of conversations. Reads the app; no vscode. */
import type { TimelineApp } from '../app/timelineApp.ts';
import { UserError } from '../core/errors.ts';
import { conversationText } from './conversationText.ts';
import type { Localizer } from './localizer.ts';
import { messageText } from './messageText.ts';
import type { SessionInFolder } from './timelineModel.ts';
import type { ConversationFile, MessageFile, TextFile } from './turnUri.ts';
import { wordsText } from './wordsText.ts';

export interface TextSources {
  readonly app: TimelineApp;
  /** Of this window. */
  readonly sessions: readonly SessionInFolder[];
  /** What the imports of this window came to, by name. */
  readonly reports: ReadonlyMap<string, string>;
}

/** @throws UserError `notFound` for what is not there, or not there any more. */
export function storedText(
  file: TextFile,
  sources: TextSources,
  locale: string,
  l10n: Localizer,
): string {
  const { app, reports } = sources;
  if ('words' in file) return wordsText(app.turn(file.words), locale, l10n);
  if ('message' in file) return messageOf(file, app, locale, l10n);
  if ('conversation' in file) return conversationOf(file, sources, locale, l10n);
  const report = reports.get(file.report);
  if (report !== undefined) return report;
  throw new UserError('notFound', l10n.t('Reports are kept until the window is closed.'));
}

function messageOf(
  { message, of }: MessageFile,
  app: TimelineApp,
  locale: string,
  l10n: Localizer,
): string {
  const node = app.history.nodes(of).find(({ id }) => id === message);
  if (node !== undefined) return messageText(node, app.turn(of), locale, l10n);
  throw new UserError('notFound', l10n.t('That message is not there any more.'));
}

function conversationOf(
  { conversation: id }: ConversationFile,
  { app, sessions }: TextSources,
  locale: string,
  l10n: Localizer,
): string {
  const summary = sessions.find((one) => one.summary.id === id)?.summary;
  if (summary === undefined)
    throw new UserError('notFound', l10n.t('That session is not of this window.'));
  const { history } = app;
  const conversation = {
    summary,
    turns: history.turns(id),
    branches: history.branches(id),
    position: history.position(id),
  };
  return conversationText(conversation, locale, l10n);
}
