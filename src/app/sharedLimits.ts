/**
 * The limits for saved states, as one host has set them and all others keep to: a person's choice in VS Code must hold
 * when the command line tool takes events in, too. `<home>/limits.json`.
 */
import { readIfExists, writeFileAtomic } from '../base/atomicFile.ts';
import { limitsFile } from '../base/home.ts';
import { defaultLimits, type RetentionLimits } from '../core/retention.ts';

/** @param given the host's own setting; without one: what was set last, or the default */
export function sharedLimits(
  home: string,
  given: (() => RetentionLimits) | undefined,
): () => RetentionLimits {
  if (given === undefined) return () => readLimits(home) ?? defaultLimits;
  const share = (): RetentionLimits => {
    const limits = given();
    const known = readLimits(home);
    if (known?.maxBytes !== limits.maxBytes || known.maxAgeDays !== limits.maxAgeDays)
      writeFileAtomic(limitsFile(home), `${JSON.stringify(limits)}\n`);
    return limits;
  };
  share();
  return share;
}

/** Undefined for anything that is no pair of limits. */
function readLimits(home: string): RetentionLimits | undefined {
  try {
    const value: unknown = JSON.parse(readIfExists(limitsFile(home)) ?? 'null');
    if (typeof value !== 'object' || value === null) return undefined;
    const { maxBytes, maxAgeDays }: Partial<Record<keyof RetentionLimits, unknown>> = value;
    return isLimit(maxBytes) && isLimit(maxAgeDays) ? { maxBytes, maxAgeDays } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isLimit(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}
