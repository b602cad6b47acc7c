/** The limits of saved states from what the settings say. Settings are written by hand: what makes no sense is left out. Pure. */
import { defaultLimits, type RetentionLimits } from '../core/retention.ts';

const mebibyte = 1024 ** 2;
/** Below this nothing of use could be kept; mebibytes. */
const smallest = 16;

/** @param size megabytes. @param age days; 0 keeps states whatever their age */
export function retentionLimits(size: unknown, age: unknown): RetentionLimits {
  return {
    maxBytes: isAtLeast(size, smallest) ? size * mebibyte : defaultLimits.maxBytes,
    maxAgeDays: isAtLeast(age, 0) ? age : defaultLimits.maxAgeDays,
  };
}

function isAtLeast(value: unknown, least: number): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= least;
}
