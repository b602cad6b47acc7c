/**
 * What is remembered about a file we wrote hooks into, so that disconnecting gives back every byte: the edits that undo
 * ours. They hold only what our edits replaced, never the file's other content, which may have secrets.
 */
import fs from 'node:fs';
import path from 'node:path';
import type { ChangedText } from '../agents/jsonText.ts';
import { makeFolder, readIfExists, writeFileAtomic } from '../base/atomicFile.ts';
import { hashBytes } from '../base/hash.ts';
import { fingerprint } from '../core/ids.ts';

export interface ConnectionRecord {
  readonly file: string;
  /** SHA-256 of the text that `undo` leads back from. */
  readonly after: string;
  readonly undo: ChangedText['undo'];
  /** The file did not exist; nor did these folders, outermost first. */
  readonly created: boolean;
  readonly folders: readonly string[];
}

export function hashText(text: string): string {
  return hashBytes(Buffer.from(text));
}

/** The record that leads back from exactly this text; undefined when there is none or the file changed since. */
export function readRecord(home: string, file: string, text: string): ConnectionRecord | undefined {
  const stored = readIfExists(recordFile(home, file));
  const record = stored === undefined ? undefined : parse(stored);
  return record?.file === file && record.after === hashText(text) ? record : undefined;
}

export function writeRecord(home: string, record: ConnectionRecord): void {
  const file = recordFile(home, record.file);
  makeFolder(path.dirname(file));
  writeFileAtomic(file, `${JSON.stringify(record)}\n`);
}

export function removeRecord(home: string, file: string): void {
  fs.rmSync(recordFile(home, file), { force: true });
}

function recordFile(home: string, file: string): string {
  return path.join(home, 'connections', `${fingerprint(file)}.json`);
}

/** Undefined for anything that is no record: disconnecting then takes our entries out by themselves. */
function parse(text: string): ConnectionRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Damaged: as good as none.
    return undefined;
  }
  return isRecord(value) ? value : undefined;
}

function isRecord(value: unknown): value is ConnectionRecord {
  if (typeof value !== 'object' || value === null) return false;
  const record = value as Partial<Record<keyof ConnectionRecord, unknown>>;
  return (
    typeof record.file === 'string' &&
    typeof record.after === 'string' &&
    typeof record.created === 'boolean' &&
    isListOf(record.folders, (folder) => typeof folder === 'string') &&
    isListOf(record.undo, (step) => isListOf(step, isEdit))
  );
}

function isEdit(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { offset, length, content } = value as Record<string, unknown>;
  return Number.isInteger(offset) && Number.isInteger(length) && typeof content === 'string';
}

function isListOf(value: unknown, test: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(test);
}
