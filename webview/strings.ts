/** The page's sentences, in the host's language where it gave them. */
import { type ViewStringId, viewStrings } from '../src/protocol/viewStrings.ts';

export type Translate = (id: ViewStringId, ...values: readonly (string | number)[]) => string;

export function translator(strings: Readonly<Record<string, string>>): Translate {
  return (id, ...values) =>
    (strings[id] ?? viewStrings[id]).replace(/\{(\d+)\}/g, (placeholder, position) => {
      const value = values[Number(position)];
      return value === undefined ? placeholder : String(value);
    });
}
