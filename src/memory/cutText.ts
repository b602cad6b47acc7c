/** Shortens texts where a reader would, by bytes of UTF-8, and shares room among several. Pure. */

/** A beginning of the text of at most so many bytes: up to a blank line if most of it stays, else a line, else a character. */
export function cutText(text: string, bytes: number): string {
  const whole = new TextEncoder().encode(text);
  if (whole.length <= bytes) return text;
  const cut = new TextDecoder().decode(whole.subarray(0, Math.max(0, wholeEnd(whole, bytes))));
  const paragraph = cut.lastIndexOf('\n\n');
  if (paragraph > cut.length / 2) return cut.slice(0, paragraph);
  const line = cut.lastIndexOf('\n');
  return (line > cut.length / 4 ? cut.slice(0, line) : cut).trimEnd();
}

/** Where the last whole character ends. */
function wholeEnd(bytes: Uint8Array, end: number): number {
  let at = Math.floor(end);
  while (at > 0 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at--;
  return at;
}

/**
 * Shares `total` by weight: nobody gets more than they need, and what they do not need goes to the others. The same needs
 * give the same shares.
 */
export function shareOut(
  wanted: readonly { readonly need: number; readonly weight: number }[],
  total: number,
): readonly number[] {
  const shares = wanted.map(() => 0);
  let open = wanted.map((_, index) => index).filter((index) => (wanted[index]?.weight ?? 0) > 0);
  let left = Math.max(0, total);
  while (open.length > 0) {
    const weights = open.reduce((sum, index) => sum + (wanted[index]?.weight ?? 0), 0);
    const fair = (index: number) => (left * (wanted[index]?.weight ?? 0)) / weights;
    const met = open.filter((index) => (wanted[index]?.need ?? 0) <= fair(index));
    if (met.length === 0) {
      for (const index of open) shares[index] = Math.floor(fair(index));
      return shares;
    }
    for (const index of met) shares[index] = wanted[index]?.need ?? 0;
    left -= met.reduce((sum, index) => sum + (wanted[index]?.need ?? 0), 0);
    open = open.filter((index) => !met.includes(index));
  }
  return shares;
}
