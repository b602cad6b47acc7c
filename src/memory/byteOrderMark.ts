/** A byte order mark says how a file is written and is no part of its text; anywhere else it is a character. Pure. */
const byteOrderMark = '\uFEFF';

/** @returns the mark or '', and the text behind it */
export function splitMark(text: string): { readonly mark: string; readonly body: string } {
  const has = text.startsWith(byteOrderMark);
  return has ? { mark: byteOrderMark, body: text.slice(1) } : { mark: '', body: text };
}
