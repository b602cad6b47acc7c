/**
 * File names as git and POSIX have them, bytes, kept in JavaScript strings without loss: bytes that are not UTF-8 become
 * lone surrogates (0x80 is U+DC80), which no valid UTF-8 decodes to. Also the order in which git sorts names.
 */
import path from 'node:path';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The string that `nameToBytes` turns back into exactly these bytes. */
export function bytesToName(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    return decodeEscaped(bytes);
  }
}

export function nameToBytes(name: string): Buffer {
  if (name.isWellFormed()) return Buffer.from(name);
  const parts: Buffer[] = [];
  for (const char of name) {
    const code = char.codePointAt(0) ?? 0;
    parts.push(isEscape(code) ? Buffer.of(code - 0xdc00) : Buffer.from(char));
  }
  return Buffer.concat(parts);
}

/** What node's fs functions take for a path that may hold escaped bytes. */
export function fsPath(name: string): string | Buffer {
  return name.isWellFormed() ? name : nameToBytes(name);
}

/** `root` joined with a `/`-separated path of ours, in the form node's fs functions take. */
export function fsPathIn(root: string, relative: string): string | Buffer {
  return relative === '' ? root : fsPath(`${root}${path.sep}${native(relative)}`);
}

/** Compares by bytes. Code units below the surrogates sort as their UTF-8 does. */
export function compareNames(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    return x < 0xd800 && y < 0xd800 ? x - y : nameToBytes(a).compare(nameToBytes(b));
  }
  return a.length - b.length;
}

function native(relative: string): string {
  return path.sep === '/' ? relative : relative.replaceAll('/', path.sep);
}

function isEscape(code: number): boolean {
  return code >= 0xdc80 && code <= 0xdcff;
}

/** Valid sequences decoded, every other byte escaped. */
function decodeEscaped(bytes: Uint8Array): string {
  let name = '';
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceAt(bytes, at);
    const part = bytes.subarray(at, at + length);
    const text = Buffer.from(part).toString('utf8');
    const isValid = Buffer.from(text).equals(part);
    name += isValid ? text : String.fromCharCode(0xdc00 + (bytes[at] ?? 0));
    at += isValid ? length : 1;
  }
  return name;
}

function sequenceAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}
