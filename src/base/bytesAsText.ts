/** Names on a disk are bytes; what is no text cannot be told to a manifest, and means another file when it is tried. */

/** Undefined for bytes that are not UTF-8. */
export function textOf(bytes: Buffer): string | undefined {
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) ? text : undefined;
}
