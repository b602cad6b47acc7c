/** Our own settings files in the home store: JSON that a host writes, other processes keep to, and people may edit. */
import path from 'node:path';
import { makeFolder, readIfExists, writeFileAtomic } from '../base/atomicFile.ts';

/** Whatever cannot be understood is as if it had not been set. @throws the system error of a file that cannot be read */
export function readOwnSettings(file: string): Readonly<Record<string, unknown>> {
  try {
    return fieldsOf(JSON.parse(readIfExists(file) ?? 'null'));
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** A value's own fields; none for what is no object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Written only when it differs. @throws the system error. */
export function writeOwnSettings(file: string, text: string): void {
  if (readIfExists(file) === text) return;
  makeFolder(path.dirname(file));
  writeFileAtomic(file, text);
}
