/** How many tokens a text will take, without a model's tokenizer: UTF-8 bytes / 4, at least one. Pure. */

/** Of text in other scripts than Latin a tokenizer makes up to twice as many; whoever shows the number says so. */
export function estimateTokens(text: string): number {
  return Math.max(1, Math.floor(utf8Length(text) / 4));
}

/** Bytes of the text in UTF-8. */
export function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}
