/** The timeline page's sentences. */
import { type ViewStringId, viewStrings } from '../src/protocol/viewStrings.ts';
import { type TranslateIds, translatorOf } from './translate.ts';

export type Translate = TranslateIds<ViewStringId>;

export function translator(strings: Readonly<Record<string, string>>): Translate {
  return translatorOf(strings, viewStrings);
}
