/**
 * What a person has set about snapshots, written by the host that has settings and kept to by every other process:
 * `<home>/snapshot-settings.json`.
 */
import { makeFolder, readIfExists, writeFileAtomic } from '../base/atomicFile.ts';
import { snapshotSettingsFile } from '../base/home.ts';
import type { SnapshotLimits } from '../snapshot/snapshotTypes.ts';

export interface SnapshotRetention {
  /** The newest so many stay. */
  readonly count: number;
  /** Days; older ones go. */
  readonly age: number;
  /** Bytes of the store, without what it shares with the user's own repository; beyond them the oldest go. */
  readonly maxBytes: number;
}

export interface SnapshotSettings {
  readonly limits: SnapshotLimits;
  readonly retention: SnapshotRetention;
}

export const defaultRetention: SnapshotRetention = {
  count: 2000,
  age: 90,
  maxBytes: 1024 ** 3,
};

/** Whatever cannot be understood is as if it had not been set. */
export function readSnapshotSettings(home: string): SnapshotSettings {
  const { maxFileSize, excludedFolders, count, age, maxBytes } = fieldsOf(
    readIfExists(snapshotSettingsFile(home)),
  );
  return {
    limits: {
      ...(isCount(maxFileSize) && { maxFileSize }),
      ...(isNames(excludedFolders) && { excludedFolders }),
    },
    retention: {
      count: isCount(count) ? count : defaultRetention.count,
      age: isCount(age) ? age : defaultRetention.age,
      maxBytes: isCount(maxBytes) ? maxBytes : defaultRetention.maxBytes,
    },
  };
}

/** Written only when it differs. @throws the system error. */
export function writeSnapshotSettings(home: string, settings: SnapshotSettings): void {
  const text = `${JSON.stringify({ ...settings.limits, ...settings.retention })}\n`;
  if (readIfExists(snapshotSettingsFile(home)) === text) return;
  makeFolder(home);
  writeFileAtomic(snapshotSettingsFile(home), text);
}

function fieldsOf(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    // As if it had not been set.
    return {};
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value > 0;
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}
