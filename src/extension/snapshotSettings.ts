/** What the settings say about snapshots. Settings are written by hand: what makes no sense is left out. Pure. */
import { defaultRetention, type SnapshotSettings } from '../app/snapshotsSettings.ts';
import { isAtLeast, mebibyte, smallestStore } from './settingValues.ts';

/** As good as for ever; days. */
const always = 36_500;

/** Values of settings, whatever they are. */
export interface SnapshotValues {
  /** Mebibytes. */
  readonly maxFileSize: unknown;
  readonly excludedFolders: unknown;
  readonly count: unknown;
  /** Days; 0 keeps snapshots whatever their age. */
  readonly age: unknown;
  /** Mebibytes. */
  readonly maxSize: unknown;
}

export function snapshotSettings(values: SnapshotValues): SnapshotSettings {
  const { maxFileSize, excludedFolders, count, age, maxSize } = values;
  return {
    limits: {
      ...(isAtLeast(maxFileSize, 1) && { maxFileSize: Math.round(maxFileSize * mebibyte) }),
      ...(Array.isArray(excludedFolders) && { excludedFolders: excludedFolders.filter(isName) }),
    },
    retention: {
      count: isAtLeast(count, 1) ? Math.round(count) : defaultRetention.count,
      maxBytes: isAtLeast(maxSize, smallestStore)
        ? Math.round(maxSize * mebibyte)
        : defaultRetention.maxBytes,
      age: age === 0 ? always : isAtLeast(age, 1) ? age : defaultRetention.age,
    },
  };
}

/** The name of a folder, not a path. */
function isName(value: unknown): value is string {
  return typeof value === 'string' && /^[^/\\]+$/.test(value);
}
