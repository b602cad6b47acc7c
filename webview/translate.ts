/** Fills the placeholders of a page's sentences, in the host's language where it gave them. */

export type TranslateIds<Id extends string> = (
  id: Id,
  ...values: readonly (string | number)[]
) => string;

/** @param strings what the host gave @param english what is said otherwise */
export function translatorOf<Id extends string>(
  strings: Readonly<Record<string, string>>,
  english: Readonly<Record<Id, string>>,
): TranslateIds<Id> {
  return (id, ...values) =>
    (strings[id] ?? english[id]).replace(/\{(\d+)\}/g, (placeholder, position) => {
      const value = values[Number(position)];
      return value === undefined ? placeholder : String(value);
    });
}
