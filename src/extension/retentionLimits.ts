/** The limits of saved states from what the settings say. Settings are written by hand: what makes no sense is left out. Pure. */
import { defaultLimits, type RetentionLimits } from '../core/retention.ts';
import { isAtLeast, mebibyte, smallestStore } from './settingValues.ts';

/** @param size megabytes. @param age days; 0 keeps states whatever their age */
export function retentionLimits(size: unknown, age: unknown): RetentionLimits {
  return {
    maxBytes: isAtLeast(size, smallestStore) ? size * mebibyte : defaultLimits.maxBytes,
    maxAgeDays: isAtLeast(age, 0) ? age : defaultLimits.maxAgeDays,
  };
}
