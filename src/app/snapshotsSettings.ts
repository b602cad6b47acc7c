/**
 * What a person has set about snapshots, written by the host that has settings and kept to by every other process:
 * `<home>/snapshot-settings.json`.
 */
import { snapshotSettingsFile } from '../base/home.ts';
import type { SnapshotLimits } from '../snapshot/snapshotTypes.ts';
import { readOwnSettings, writeOwnSettings } from './ownSettings.ts';

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
  const { maxFileSize, excludedFolders, count, age, maxBytes } = readOwnSettings(
    snapshotSettingsFile(home),
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
  writeOwnSettings(snapshotSettingsFile(home), text);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value > 0;
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}
