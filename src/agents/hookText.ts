/** Our part of an agent's configuration file, whichever kind of file it is: hooks among others', or a file of our own. Pure. */
import { UserError } from '../core/errors.ts';
import type { HookCommand } from './hookCommand.ts';
import type { HookConfig } from './hookConfig.ts';
import { addHooks, hasHooks, removeHooks, settingsIn } from './hookFile.ts';
import { type ChangedText, change } from './jsonText.ts';

/** The text with us in it; the same text when nothing is to do. @throws UserError `config`. */
export function connectedText(
  config: HookConfig,
  text: string,
  command: HookCommand,
  file: string,
): ChangedText {
  if ('groups' in config) return addHooks(text, config.groups(command), file);
  const { whole } = config;
  if (text !== '' && !whole.isOurs(text))
    throw new UserError(
      'config',
      `${file} is somebody else's; it was left as it is. Move it away and try again.`,
      { file },
    );
  const wanted = whole.text(command);
  const unchanged: ChangedText = { text, undo: [] };
  return text === wanted
    ? unchanged
    : change(unchanged, [{ offset: 0, length: text.length, content: wanted }]);
}

/** The text without us. @throws UserError `config`. */
export function disconnectedText(config: HookConfig, text: string, file: string): string {
  if ('groups' in config) return removeHooks(text, file).text;
  return config.whole.isOurs(text) ? '' : text;
}

/** @throws UserError `config`. */
export function isConnected(config: HookConfig, text: string, file: string): boolean {
  return 'groups' in config ? hasHooks(text, file) : config.whole.isOurs(text);
}

/** What the file says, as far as it says more than we do. @throws UserError `config`. */
export function settingsOf(config: HookConfig, text: string, file: string): unknown {
  return 'groups' in config ? settingsIn(text, file) : undefined;
}
